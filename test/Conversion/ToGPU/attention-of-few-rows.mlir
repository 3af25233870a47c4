// Which kernel of sm_90a a cache of 8-bit codes takes: those of few rows have
// tiles of 16 rows and products of warps, or, where codes have scales, keys on
// the left of products of 16 columns; that of warpgroups has tiles of 64.
//
// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s
// RUN: mlafuse-opt %s --split-input-file --mlafuse-schedule='latent_attention: tile_rows = 64' --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s --check-prefix=GIVEN

// CHECK-LABEL: func.func @few_rows
// CHECK: memref.alloc() : memref<264x16x512xf32>
// CHECK: gpu.launch
// CHECK: setmaxnreg.inc.sync.aligned.u32 248
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT: wgmma
// CHECK: gpu.terminator
// Rows that are not aligned are the kernel of warps'.
// CHECK: } else {
// CHECK: gpu.launch
// CHECK-NOT: setmaxnreg
// CHECK: mma.sync
// GIVEN-LABEL: func.func @few_rows
// GIVEN: memref.alloc() : memref<{{.*}}x64x512xf32>
// GIVEN: wgmma
func.func @few_rows(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xf8E4M3FN>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}

// -----

// Codes with scales. 32 rows are two tiles; 48 are faster in one of 64.

// CHECK-LABEL: func.func @scales
// CHECK: memref.alloc() : memref<264x16x512xf32>
// CHECK: gpu.launch
// CHECK-NOT: mma.sync
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16
// CHECK: gpu.terminator
func.func @scales(%q: memref<?x2x16x576xbf16>, %cache: memref<?x64x656xi8>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x2x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x2x16x576xbf16>, memref<?x64x656xi8>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x2x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>}
  return
}

// -----

// CHECK-LABEL: func.func @many_rows
// CHECK: memref.alloc() : memref<{{.*}}x64x512xf32>
// CHECK: wgmma
func.func @many_rows(%q: memref<?x3x16x576xbf16>, %cache: memref<?x64x656xi8>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x3x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x3x16x576xbf16>, memref<?x64x656xi8>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x3x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>}
  return
}

// -----

// With indices a request is one query: any number of them.

// CHECK-LABEL: func.func @indices
// CHECK: memref.alloc() : memref<264x16x512xf32>
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16
func.func @indices(%q: memref<?x8x16x576xbf16>, %cache: memref<?x64x656xi8>, %indices: memref<?x8x2048xi32>, %o: memref<?x8x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x8x16x576xbf16>, memref<?x64x656xi8>) indices(%indices : memref<?x8x2048xi32>) outs(%o : memref<?x8x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>}
  return
}

// -----

// Queries of f16 have more bits than the bf16 of the rope columns.

// CHECK-LABEL: func.func @other_rope
// CHECK: memref.alloc() : memref<{{.*}}x64x512xf32>
func.func @other_rope(%q: memref<?x1x16x576xf16>, %cache: memref<?x64x656xi8>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xf16>, memref<?x64x656xi8>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>}
  return
}
