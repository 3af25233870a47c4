// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// An attender of the kernel of warpgroups multiplies the first 32 keys of a
// block of its own while it makes the probabilities of the other 32: a thread
// has 16 of each. What it hands over it has stored, maxima too.

// CHECK-LABEL: func.func @halves
// CHECK: setmaxnreg.inc.sync.aligned.u32 224
// CHECK: vote.sync
// CHECK: stmatrix.sync
// CHECK: stmatrix.sync
// CHECK-NOT: stmatrix.sync
// CHECK: wgmma.fence
// CHECK-COUNT-2: m64n256k16
// CHECK-NOT: m64n256k16
// CHECK: wgmma.commit_group
// CHECK-COUNT-16: ex2.approx
// CHECK-NOT: ex2.approx
// CHECK: stmatrix.sync
// CHECK: stmatrix.sync
// CHECK-NOT: stmatrix.sync
// CHECK: scf.if
// CHECK: st.shared
// CHECK: wgmma.fence
// CHECK-COUNT-2: m64n256k16
// CHECK-NOT: m64n256k16
// CHECK: wgmma.commit_group
// CHECK: bar.arrive
func.func @halves(%q: memref<?x1x128x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x128x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x128x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x128x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// Converted keys: all probabilities, then products, of 128 columns each.

// CHECK-LABEL: func.func @converted
// CHECK: setmaxnreg.inc.sync.aligned.u32 208
// CHECK: stmatrix.sync
// CHECK-NOT: m64n128k16
// CHECK: stmatrix.sync
// CHECK-NOT: m64n128k16
// CHECK: stmatrix.sync
// CHECK-NOT: m64n128k16
// CHECK: stmatrix.sync
// CHECK-NOT: wgmma.commit_group
// CHECK-COUNT-8: m64n128k16
// CHECK: wgmma.commit_group
// CHECK: bar.arrive
func.func @converted(%q: memref<?x1x128x576xbf16>, %cache: memref<?x64x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x128x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x128x576xbf16>, memref<?x64x576xf8E4M3FN>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x128x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}
