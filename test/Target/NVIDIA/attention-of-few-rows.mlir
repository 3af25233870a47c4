// The kernel of latent_attention for few rows and keys of 8-bit codes, assembled:
// three roles that keep what they have in registers.
// REQUIRES: ptxas
//
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=ASSEMBLED

// ASSEMBLED-NOT: setmaxnreg
// ASSEMBLED-COUNT-8: 0 bytes spill stores, 0 bytes spill loads
// ASSEMBLED-NOT: spill

// Scores: queries once per part, f16 as they are; 36 products of 16 columns for
// each of two eights of keys, a code's pair of elements by one instruction.
// CHECK: .entry dense_kernel(
// CHECK: .reqntid 512
// CHECK: setmaxnreg.inc.sync.aligned.u32 248;
// CHECK-NOT: {{max.u16x2|cvt.rn.f16x2.f32}}
// CHECK: bar.red.or.pred
// CHECK: ld.shared.v4.b32
// What is left of a next block's products stands at the loop's end, which is first.
// CHECK-COUNT-16: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT: mma.sync
// CHECK: mbarrier.try_wait.parity
// CHECK-NOT: mma.sync{{.*}}bf16
// CHECK-COUNT-2: cvt.rn.f16x2.e4m3x2
// CHECK-COUNT-72: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT: mma.sync
// Whether the next block's keys are there.
// CHECK: mbarrier.test_wait.parity
// If not: whether a score exceeds the maxima, all warps are asked; else they are
// not looked for.
// CHECK: bar.red.or.pred
// CHECK: shfl.sync.bfly
// CHECK: bar.sync
// CHECK: ex2.approx
// CHECK-NOT: mma.sync
// CHECK: cvt.rn.f16x2.f32
// CHECK: mbarrier.arrive
// If they are: the same, and most of the next block's products.
// CHECK: bar.red.or.pred
// CHECK: shfl.sync.bfly
// CHECK: bar.sync
// CHECK: ex2.approx
// CHECK-COUNT-56: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT: mma.sync
// CHECK: mbarrier.try_wait.parity
// CHECK: cvt.rn.f16x2.f32
// CHECK: mbarrier.arrive
// Values: eight products of 8 columns for each 16 keys.
// CHECK: setmaxnreg.dec.sync.aligned.u32 96;
// CHECK: ld.shared.v2.b32
// CHECK: prmt.b32 {{.*}}, 0x5140;
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK-COUNT-32: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT: mma.sync
// CHECK: st.global.v4.b32
// Loader: codes as they are.
// CHECK: setmaxnreg.dec.sync.aligned.u32 72;
// CHECK-NOT: cvt.rn
// CHECK-COUNT-18: cp.async.cg.shared.global
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.mbarrier.arrive.noinc
func.func @dense(%q: tensor<?x1x16x512xf16>, %q_pe: tensor<?x1x16x64xf16>, %cache: tensor<?x64x576xf8E4M3FN>, %table: tensor<?x?xi32>, %lengths: tensor<?xi32>, %scale: tensor<1xf32>, %o: tensor<?x1x16x512xf16>, %lse: tensor<?x1x16xf32>)
    -> (tensor<?x1x16x512xf16>, tensor<?x1x16xf32>) {
  %0:2 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x512xf16>, tensor<?x64x576xf8E4M3FN>) q_pe(%q_pe : tensor<?x1x16x64xf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lengths : tensor<?xi32>) k_scale(%scale : tensor<1xf32>)
      outs(%o, %lse : tensor<?x1x16x512xf16>, tensor<?x1x16xf32>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x16x512xf16>, tensor<?x1x16xf32>
  return %0#0, %0#1 : tensor<?x1x16x512xf16>, tensor<?x1x16xf32>
}

// Keys of their own for each query, and no rope: 32 products for each eight keys.
// Queries of bf16 become f16; whether they all fit is asked once.
// CHECK: .entry sparse_kernel(
// CHECK-NOT: mma.sync{{.*}}bf16
// CHECK: max.u16x2
// CHECK: cvt.rn.f16x2.f32
// CHECK: bar.red.or.pred
// CHECK: setmaxnreg.dec.sync.aligned.u32 72;
// CHECK-COUNT-16: cp.async.cg.shared.global
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.mbarrier.arrive.noinc
func.func @sparse(%q: tensor<?x4x16x512xbf16>, %cache: tensor<?x64x512xf8E4M3FN>, %indices: tensor<?x4x2048xi32>, %scale: tensor<1xf32>, %o: tensor<?x4x16x512xf32>) -> tensor<?x4x16x512xf32> {
  %0 = mlafuse.latent_attention ins(%q, %cache : tensor<?x4x16x512xbf16>, tensor<?x64x512xf8E4M3FN>) indices(%indices : tensor<?x4x2048xi32>) k_scale(%scale : tensor<1xf32>)
      outs(%o : tensor<?x4x16x512xf32>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x4x16x512xf32>
  return %0 : tensor<?x4x16x512xf32>
}
