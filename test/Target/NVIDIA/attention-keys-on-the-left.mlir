// The kernel of latent_attention for few rows and codes with scales, assembled:
// keys are the left operand of both products, and none waits for another.
// REQUIRES: ptxas
//
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=ASSEMBLED

// ASSEMBLED-NOT: setmaxnreg
// ASSEMBLED-NOT: serialized
// ASSEMBLED-COUNT-8: 0 bytes spill stores, 0 bytes spill loads
// ASSEMBLED-NOT: spill

// Scores: 32 codes a thread of each box, converted once: operands of four
// products that are stored as they are, as values, boxes later than they are
// multiplied where values' memory may not be free. Codes are read two boxes
// ahead. The second half of them comes with rope columns, which are bf16 in the
// cache, and when the first has been read.
// CHECK: .entry dense_kernel(
// CHECK: .reqntid 512
// CHECK: setmaxnreg.inc.sync.aligned.u32 168;
// CHECK-NOT: cp.async
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-8: ld.shared.v4
// CHECK-COUNT-16: cvt.rn.f16x2.e4m3x2
// CHECK: wgmma.fence
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 0, 1, 1, 0;
// CHECK-COUNT-3: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: ld.shared.v4
// CHECK-COUNT-16: cvt.rn.f16x2.e4m3x2
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK: mbarrier.arrive
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-6: ld.shared.v4
// CHECK-COUNT-16: cvt.rn.f16x2.e4m3x2
// CHECK-COUNT-8: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-12: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-12: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// What probabilities are relative to is read ahead of the last products. Whether
// a score exceeds it, the group is asked; else the largest is not looked for. No
// fence here: the values' warps have it.
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-2: ld.shared.v2
// CHECK-COUNT-8: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK-NOT: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: bar.red.or.pred
// CHECK: shfl.sync.bfly
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK: mbarrier.arrive
// CHECK: ex2.approx
// CHECK-NOT: fence.proxy.async
// CHECK: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: mbarrier.arrive
// Values: what they are relative to is known ahead of the probabilities; keys
// as rows in memory are the columns of the left operand.
// CHECK: setmaxnreg.dec.sync.aligned.u32 104;
// CHECK-NOT: cp.async
// CHECK: mbarrier.try_wait.parity
// CHECK: ld.shared.v2
// CHECK: mbarrier.try_wait.parity
// CHECK: fence.proxy.async
// CHECK-COUNT-32: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, a, b, 1, 1, 1, 1, 0;
// CHECK-NOT: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 0;
// Results as rows.
// CHECK-COUNT-64: st.shared.f32
// CHECK: ld.shared.v4.f32
// CHECK: st.global.v4
// The loader, a block whose keys do not all exist or follow each other, in short
// loops; and one whose keys do: an address and constants, without shuffles.
// CHECK: setmaxnreg.dec.sync.aligned.u32 72;
// CHECK: vote.sync.ballot
// CHECK: vote.sync.ballot
// CHECK: shfl.sync.idx
// CHECK-COUNT-4: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16, %r
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-9: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.mbarrier.arrive.noinc
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-8: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16;
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-4: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16;
func.func @dense(%q: tensor<?x2x12x576xbf16>, %cache: tensor<?x64x656xi8>, %table: tensor<?x?xi32>, %lengths: tensor<?xi32>, %o: tensor<?x2x12x512xbf16>, %lse: tensor<?x2x12xf32>) -> (tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>) {
  %0:2 = mlafuse.latent_attention ins(%q, %cache : tensor<?x2x12x576xbf16>, tensor<?x64x656xi8>) block_table(%table : tensor<?x?xi32>) seq_lens(%lengths : tensor<?xi32>)
      outs(%o, %lse : tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>
  return %0#0, %0#1 : tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>
}

// Keys of their own for each query; results of f32 are 32 bytes a lane.
// CHECK: .entry sparse_kernel(
// CHECK-COUNT-36: wgmma.mma_async.sync.aligned.m64n16k16
// CHECK: setmaxnreg.dec.sync.aligned.u32 104;
// CHECK-COUNT-32: wgmma.mma_async.sync.aligned.m64n16k16
// CHECK-COUNT-4: st.global.v4.f32
func.func @sparse(%q: tensor<?x4x16x512xbf16>, %q_pe: tensor<?x4x16x64xbf16>, %cache: tensor<?x64x656xi8>, %indices: tensor<?x4x2048xi32>, %o: tensor<?x4x16x512xf32>) -> tensor<?x4x16x512xf32> {
  %0 = mlafuse.latent_attention ins(%q, %cache : tensor<?x4x16x512xbf16>, tensor<?x64x656xi8>) q_pe(%q_pe : tensor<?x4x16x64xbf16>) indices(%indices : tensor<?x4x2048xi32>)
      outs(%o : tensor<?x4x16x512xf32>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x4x16x512xf32>
  return %0 : tensor<?x4x16x512xf32>
}
