// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// A warp that does not plan with the others has the first two blocks of keys
// brought to the L2 cache, of 73,728 bytes each, where the flag says that the
// wait is not over. Others wait for no more than that it has begun.

// CHECK-LABEL: func.func @pages
// CHECK: mbarrier.init
// CHECK: st.shared.b32
// CHECK: "bar.arrive $0, 384;"
// CHECK: ld.relaxed.gpu.global.b32
// CHECK-NOT: griddepcontrol.wait
// CHECK: @p ld.shared.b32
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: @p ld.shared.b32
// CHECK: cp.async.bulk.prefetch.L2.global [$0], 73728;
// CHECK-NOT: griddepcontrol.wait
// CHECK: "bar.sync $0, 384;"
// CHECK: griddepcontrol.wait
// The others, with 32 requests at most.
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: griddepcontrol.wait
// CHECK: st.shared.b32
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: "bar.sync $0, 384;"
// CHECK: "bar.arrive $0, 384;"
// CHECK: setmaxnreg
func.func @pages(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// Pages of 48 keys: 16 of them lie in one page wherever they begin.

// CHECK-LABEL: func.func @other_pages
// CHECK: cp.async.bulk.prefetch.L2.global [$0], 9216;
func.func @other_pages(%q: memref<?x1x16x576xbf16>, %cache: memref<?x48x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x48x576xf8E4M3FN>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}

// -----

// A page whose size is not known, and one whose rows have gaps: a row each.

// CHECK-LABEL: func.func @unknown_pages
// CHECK: cp.async.bulk.prefetch.L2.global [$0], 656;
func.func @unknown_pages(%q: memref<?x1x16x576xbf16>, %cache: memref<?x?x656xi8>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x?x656xi8>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>}
  return
}

// -----

// CHECK-LABEL: func.func @gaps
// CHECK: cp.async.bulk.prefetch.L2.global [$0], 1152;
func.func @gaps(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16, strided<[73728, 1152, 1]>>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// With a number of tokens nothing is known ahead of the wait.

// CHECK-LABEL: func.func @counted
// CHECK-NOT: prefetch
// CHECK: return
func.func @counted(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %n: memref<1xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) num_actual_tokens(%n : memref<1xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}
