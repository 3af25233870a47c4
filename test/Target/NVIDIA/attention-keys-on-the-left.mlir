// The kernel of latent_attention for few rows and codes with scales, assembled:
// keys are the left operand of scores' products, and none waits for another.
// REQUIRES: ptxas
//
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=ASSEMBLED

// ASSEMBLED-NOT: setmaxnreg
// ASSEMBLED-NOT: serialized
// ASSEMBLED-COUNT-8: 0 bytes spill stores, 0 bytes spill loads
// ASSEMBLED-NOT: spill

// Scores: 32 codes a thread of each box, converted once and the operands of four
// products. Codes are read two boxes ahead; rope columns are bf16 in the cache. The
// first part's queries come ahead of the wait for registers.
// CHECK: .entry dense_kernel(
// CHECK: .reqntid 512
// CHECK: griddepcontrol.wait
// CHECK: ld.global.b32
// CHECK-COUNT-5: ld.global.v4
// CHECK: setmaxnreg.inc.sync.aligned.u32 136;
// CHECK-NOT: cp.async
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-12: ld.shared.v4
// CHECK-COUNT-16: cvt.rn.f16x2.e4m3x2
// CHECK: wgmma.fence
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 0, 1, 1, 0;
// CHECK-COUNT-3: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-COUNT-2: ld.shared.v4
// CHECK-COUNT-16: cvt.rn.f16x2.e4m3x2
// CHECK-COUNT-20: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// Their memory is free when the last are read, ahead of the last products; and so
// is known what rows are relative to, factors of scales, and whether rows have their own.
// CHECK: mbarrier.arrive
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK-COUNT-2: mbarrier.try_wait.parity
// CHECK-COUNT-2: ld.shared.v2.f32
// CHECK: ld.shared.v4.f32
// CHECK: ld.shared.b32
// CHECK-COUNT-8: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK: wgmma.wait_group.sync.aligned 0;
// Whether a score exceeds its reference by 2^11, or a scale times its factor
// is not 2^-8 to 4, or factors have fallen by more than 2^4, the group is
// asked; else the largest are not looked for, of four rows, nor the range of
// scales, one a lane.
// CHECK: setp.gt.f32 {{.*}}, 0f41500000;
// CHECK: setp.gt.f32 {{.*}}, 0f40800000;
// CHECK: setp.lt.f32 {{.*}}, 0f3B800000;
// CHECK: bar.red.or.pred
// CHECK-COUNT-18: shfl.sync.bfly
// CHECK: bar.sync
// CHECK: bar.sync
// What sums so far are corrected by.
// CHECK-COUNT-16: ex2.approx
// CHECK: mbarrier.arrive
// CHECK-COUNT-8: ex2.approx
// Rows with factors of their own.
// CHECK-COUNT-48: shfl.sync.bfly
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK: min.f32 {{.*}}, 0f42E40000;
// CHECK: mbarrier.arrive
// CHECK-COUNT-16: cvt.rn.f16x2.f32
// CHECK-COUNT-4: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// Probabilities times scales, as pairs, which products read.
// CHECK-COUNT-12: cvt.rn.f16x2.f32
// CHECK-COUNT-16: mul.rn.f16x2
// CHECK-COUNT-4: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: fence.proxy.async
// CHECK: mbarrier.arrive
// Values: the first block's codes are in registers ahead of all, as 16 bits of two
// columns transposed; those of the next replace them as they are multiplied, in groups of
// four products, of which two are under way.
// CHECK: setmaxnreg.inc.sync.aligned.u32 176;
// CHECK-NOT: cp.async
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-16: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: mbarrier.arrive
// CHECK: mbarrier.try_wait.parity
// CHECK: ld.shared.b32
// CHECK: vote.sync.any
// CHECK-COUNT-4: ld.shared.v4.f32
// CHECK-COUNT-2: mbarrier.try_wait.parity
// CHECK: prmt.b32 {{.*}}, 0x3120;
// CHECK-COUNT-2: cvt.rn.f16x2.e4m3x2
// CHECK: wgmma.fence
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-COUNT-2: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-COUNT-28: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{.*}}, {{{.*}}}, b, 1, 1, 1, 0;
// CHECK: mbarrier.arrive
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-NOT: wgmma.mma_async
// A lane has what there is of a row; a warp's lanes read it as they need it.
// CHECK: mbarrier.try_wait.parity
// CHECK: rcp.approx
// CHECK-COUNT-4: sub.s32 {{.*}}, 2130706432,
// Two columns of a row at a time, of a whole result; of parts as f16: times 2^4 in units
// of factors, or, where scales are uneven, of the largest magnitude.
// CHECK-COUNT-32: st.global.b32
// CHECK: bar.sync
// CHECK: st.global.v2.f32
// CHECK: cvt.rn.f16x2.f32
// CHECK: st.global.b32
// CHECK: mul.rn.f32 {{.*}}, 0f3D800000;
// The loader: the first rows, if they follow each other; then any rows, one after the
// other, in a short loop; and rows that follow each other, one address and constants.
// CHECK: setmaxnreg.dec.sync.aligned.u32 64;
// CHECK: vote.sync.ballot
// CHECK-COUNT-21: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.mbarrier.arrive.noinc
// In a part of more than 16 blocks the latter come by one bulk copy.
// CHECK: setp.lt.s32 {{.*}}, 17;
// CHECK: mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{{.*}}], 10496;
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}], 10496,
// CHECK: vote.sync.ballot
// CHECK: vote.sync.ballot
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-2: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16, %r
// CHECK-COUNT-21: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16;
func.func @dense(%q: tensor<?x2x12x576xbf16>, %cache: tensor<?x64x656xi8>, %table: tensor<?x?xi32>, %lengths: tensor<?xi32>, %o: tensor<?x2x12x512xbf16>, %lse: tensor<?x2x12xf32>) -> (tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>) {
  %0:2 = mlafuse.latent_attention ins(%q, %cache : tensor<?x2x12x576xbf16>, tensor<?x64x656xi8>) block_table(%table : tensor<?x?xi32>) seq_lens(%lengths : tensor<?xi32>)
      outs(%o, %lse : tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>
  return %0#0, %0#1 : tensor<?x2x12x512xbf16>, tensor<?x2x12xf32>
}

// Keys of their own for each query; results of f32 are 8 bytes a lane.
// CHECK: .entry sparse_kernel(
// CHECK-COUNT-36: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16
// CHECK: setmaxnreg.inc.sync.aligned.u32 176;
// CHECK-COUNT-32: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
// CHECK-COUNT-32: st.global.v2.f32
func.func @sparse(%q: tensor<?x4x16x512xbf16>, %q_pe: tensor<?x4x16x64xbf16>, %cache: tensor<?x64x656xi8>, %indices: tensor<?x4x2048xi32>, %o: tensor<?x4x16x512xf32>) -> tensor<?x4x16x512xf32> {
  %0 = mlafuse.latent_attention ins(%q, %cache : tensor<?x4x16x512xbf16>, tensor<?x64x656xi8>) q_pe(%q_pe : tensor<?x4x16x64xbf16>) indices(%indices : tensor<?x4x2048xi32>)
      outs(%o : tensor<?x4x16x512xf32>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x4x16x512xf32>
  return %0 : tensor<?x4x16x512xf32>
}
