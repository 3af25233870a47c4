// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics --mlafuse-to-gpu=chip=sm_80

func.func @f32_queries(%q: memref<2x1x16x576xf32>, %cache: memref<8x64x576xbf16>, %table: memref<2x4xi32>, %lengths: memref<2xi32>, %o: memref<2x1x16x512xbf16>) {
  // expected-error @below {{'mlafuse.latent_attention' op has queries of f32, 'memref<2x1x16x576xf32>'; the matrix units of sm_80 take bf16 or f16: round the queries, or run it with --target=cpu}}
  mlafuse.latent_attention ins(%q, %cache : memref<2x1x16x576xf32>, memref<8x64x576xbf16>) block_table(%table : memref<2x4xi32>) seq_lens(%lengths : memref<2xi32>) outs(%o : memref<2x1x16x512xbf16>)
      {softmax_scale = 0.1 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

func.func @latent(%q: memref<2x1x16x152xbf16>, %cache: memref<8x64x152xbf16>, %table: memref<2x4xi32>, %lengths: memref<2xi32>, %o: memref<2x1x16x88xbf16>) {
  // expected-error @below {{'mlafuse.latent_attention' op has 88 latent columns; the kernel for sm_80 takes powers of two from 64 to 512}}
  mlafuse.latent_attention ins(%q, %cache : memref<2x1x16x152xbf16>, memref<8x64x152xbf16>) block_table(%table : memref<2x4xi32>) seq_lens(%lengths : memref<2xi32>) outs(%o : memref<2x1x16x88xbf16>)
      {softmax_scale = 0.1 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

func.func @rope(%q: memref<2x1x16x520xbf16>, %cache: memref<8x64x520xbf16>, %table: memref<2x4xi32>, %lengths: memref<2xi32>, %o: memref<2x1x16x512xbf16>) {
  // expected-error @below {{'mlafuse.latent_attention' op has 8 rope columns; the kernel for sm_80 takes multiples of 16 up to 64}}
  mlafuse.latent_attention ins(%q, %cache : memref<2x1x16x520xbf16>, memref<8x64x520xbf16>) block_table(%table : memref<2x4xi32>) seq_lens(%lengths : memref<2xi32>) outs(%o : memref<2x1x16x512xbf16>)
      {softmax_scale = 0.1 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

func.func @warps(%q: memref<2x1x16x576xbf16>, %cache: memref<8x64x576xbf16>, %table: memref<2x4xi32>, %lengths: memref<2xi32>, %o: memref<2x1x16x512xbf16>) {
  // expected-error @below {{'mlafuse.latent_attention' op has a schedule for sm_80 whose 9 warps do not share a tile of tile_rows = 64 and 512 latent columns: it takes row groups of 16 times column groups that are a multiple or a part of 64}}
  mlafuse.latent_attention ins(%q, %cache : memref<2x1x16x576xbf16>, memref<8x64x576xbf16>) block_table(%table : memref<2x4xi32>) seq_lens(%lengths : memref<2xi32>) outs(%o : memref<2x1x16x512xbf16>)
      {softmax_scale = 0.1 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<warps = 9>}
  return
}
