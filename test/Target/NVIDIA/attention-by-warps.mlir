// The kernels of latent_attention that multiply by warps, assembled: they keep
// their sums in registers.
// REQUIRES: ptxas
//
// RUN: mlafuse-compile %s --target=nvvm:sm_80 --emit=ptx -o %t.80
// RUN: FileCheck %s --input-file=%t.80
// RUN: %ptxas -v -arch=sm_80 %t.80 -o %t.80.cubin 2>&1 | FileCheck %s --check-prefix=ASSEMBLED
// RUN: mlafuse-compile %s --target=nvvm:sm_89 --emit=ptx -o %t.89
// RUN: FileCheck %s --input-file=%t.89
// RUN: %ptxas -v -arch=sm_89 %t.89 -o %t.89.cubin 2>&1 | FileCheck %s --check-prefix=ASSEMBLED
// RUN: mlafuse-compile %s --target=nvvm:sm_100a --emit=ptx -o %t.100a
// RUN: FileCheck %s --input-file=%t.100a
// RUN: %ptxas -v -arch=sm_100a %t.100a -o %t.100a.cubin 2>&1 | FileCheck %s --check-prefix=ASSEMBLED

// CHECK: .entry dense_kernel(
// CHECK: cp.async.cg.shared.global
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: .entry codes_kernel(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

// Aligned and not, attention and combination, twice.
// ASSEMBLED-COUNT-8: 0 bytes spill stores, 0 bytes spill loads
// ASSEMBLED-NOT: spill

func.func @dense(%q: tensor<?x1x16x512xbf16>, %q_pe: tensor<?x1x16x64xbf16>, %cache: tensor<?x64x576xbf16>, %table: tensor<?x?xi32>, %lengths: tensor<?xi32>, %o: tensor<?x1x16x512xbf16>, %lse: tensor<?x1x16xf32>)
    -> (tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {
  %0:2 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x512xbf16>, tensor<?x64x576xbf16>) q_pe(%q_pe : tensor<?x1x16x64xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lengths : tensor<?xi32>)
      outs(%o, %lse : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
  return %0#0, %0#1 : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
}

func.func @codes(%q: tensor<?x2x128x576xf16>, %cache: tensor<?x64x656xi8>, %indices: tensor<?x2x2048xi32>, %o: tensor<?x2x128x512xf16>) -> tensor<?x2x128x512xf16> {
  %0 = mlafuse.latent_attention ins(%q, %cache : tensor<?x2x128x576xf16>, tensor<?x64x656xi8>) indices(%indices : tensor<?x2x2048xi32>)
      outs(%o : tensor<?x2x128x512xf16>) {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x2x128x512xf16>
  return %0 : tensor<?x2x128x512xf16>
}
