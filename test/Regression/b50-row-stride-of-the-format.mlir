// Where a row begins follows from the type of the cache: the second row of the second
// page, all others being NaN, of rows of 656 bytes and of others.

// CASE bf16-576: in_q BF16 [1, 1, 2, 576] = 0.0 if i < 512 else 1.0
// CASE bf16-576: in_cache BF16 [2, 4, 576] = nan if t != 5 else 2.0 if i < 512 else 1.0
// CASE bf16-576: in_indices I32 [1, 1, 1] = 5
// CASE bf16-576: out_o F32 [1, 1, 2, 512] = 2.0
// CASE bf16-576: out_lse F32 [1, 1, 2] = 64.0

// CASE fp8-576: in_q BF16 [1, 1, 2, 576] = 0.0 if i < 512 else 1.0
// CASE fp8-576: in_cache F8_E4M3 [2, 4, 576] = nan if t != 5 else 2.0 if i < 512 else 1.0
// CASE fp8-576: in_indices I32 [1, 1, 1] = 5
// CASE fp8-576: in_k_scale F32 [1] = 1.0
// CASE fp8-576: out_o F32 [1, 1, 2, 512] = 2.0
// CASE fp8-576: out_lse F32 [1, 1, 2] = 64.0

// CASE fp8-ds-mla-656: in_q BF16 [1, 1, 2, 576] = 0.0 if i < 512 else 1.0
// CASE fp8-ds-mla-656: in_cache U8 [2, 4, 656] = 0xFF if t != 5 else 0x38 if i < 512 else (0x40000000 >> 8 * (i % 4) & 0xFF) if i < 528 else (0x3F80 >> 8 * (i % 2) & 0xFF)
// CASE fp8-ds-mla-656: in_indices I32 [1, 1, 1] = 5
// CASE fp8-ds-mla-656: out_o F32 [1, 1, 2, 512] = 2.0
// CASE fp8-ds-mla-656: out_lse F32 [1, 1, 2] = 64.0

// CASE bf16-136: in_q BF16 [1, 1, 2, 136] = 0.0 if i < 128 else 1.0
// CASE bf16-136: in_cache BF16 [2, 4, 136] = nan if t != 5 else 2.0 if i < 128 else 1.0
// CASE bf16-136: in_indices I32 [1, 1, 1] = 5
// CASE bf16-136: out_o F32 [1, 1, 2, 128] = 2.0
// CASE bf16-136: out_lse F32 [1, 1, 2] = 8.0

// CASE fp8-ds-mla-148: in_q BF16 [1, 1, 2, 136] = 0.0 if i < 128 else 1.0
// CASE fp8-ds-mla-148: in_cache U8 [2, 4, 148] = 0xFF if t != 5 else 0x38 if i < 128 else (0x40000000 >> 8 * (i % 4) & 0xFF) if i < 132 else (0x3F80 >> 8 * (i % 2) & 0xFF)
// CASE fp8-ds-mla-148: in_indices I32 [1, 1, 1] = 5
// CASE fp8-ds-mla-148: out_o F32 [1, 1, 2, 128] = 2.0
// CASE fp8-ds-mla-148: out_lse F32 [1, 1, 2] = 8.0

// CASE fp8-ds-mla-264: in_q BF16 [1, 1, 2, 256] = 0.0 if i < 256 else 1.0
// CASE fp8-ds-mla-264: in_cache U8 [2, 4, 264] = 0xFF if t != 5 else 0x38 if i < 256 else (0x40000000 >> 8 * (i % 4) & 0xFF) if i < 264 else (0x3F80 >> 8 * (i % 2) & 0xFF)
// CASE fp8-ds-mla-264: in_indices I32 [1, 1, 1] = 5
// CASE fp8-ds-mla-264: out_o F32 [1, 1, 2, 256] = 2.0
// CASE fp8-ds-mla-264: out_lse F32 [1, 1, 2] = 0.0

// RUN: %compile
// RUN: %case bf16_576 bf16-576
// RUN: %case fp8_576 fp8-576
// RUN: %case fp8_ds_mla_656 fp8-ds-mla-656
// RUN: %case bf16_136 bf16-136
// RUN: %case fp8_ds_mla_148 fp8-ds-mla-148
// RUN: %case fp8_ds_mla_264 fp8-ds-mla-264

func.func @bf16_576(%q: tensor<?x1x2x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x576xbf16> {mlafuse.name = "in_cache"},
    %indices: tensor<?x1x?xi32> {mlafuse.name = "in_indices"},
    %o_out: tensor<?x1x2x512xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x576xbf16>, tensor<?x?x576xbf16>)
      indices(%indices : tensor<?x1x?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x512xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x512xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x512xf32>, tensor<?x1x2xf32>
}

func.func @fp8_576(%q: tensor<?x1x2x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %indices: tensor<?x1x?xi32> {mlafuse.name = "in_indices"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x2x512xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x576xbf16>, tensor<?x?x576xf8E4M3FN>)
      indices(%indices : tensor<?x1x?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x2x512xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x2x512xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x512xf32>, tensor<?x1x2xf32>
}

func.func @fp8_ds_mla_656(%q: tensor<?x1x2x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x656xi8> {mlafuse.name = "in_cache"},
    %indices: tensor<?x1x?xi32> {mlafuse.name = "in_indices"},
    %o_out: tensor<?x1x2x512xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x576xbf16>, tensor<?x?x656xi8>)
      indices(%indices : tensor<?x1x?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x512xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x2x512xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x512xf32>, tensor<?x1x2xf32>
}

func.func @bf16_136(%q: tensor<?x1x2x136xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x136xbf16> {mlafuse.name = "in_cache"},
    %indices: tensor<?x1x?xi32> {mlafuse.name = "in_indices"},
    %o_out: tensor<?x1x2x128xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x128xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x136xbf16>, tensor<?x?x136xbf16>)
      indices(%indices : tensor<?x1x?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
}

func.func @fp8_ds_mla_148(%q: tensor<?x1x2x136xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x148xi8> {mlafuse.name = "in_cache"},
    %indices: tensor<?x1x?xi32> {mlafuse.name = "in_indices"},
    %o_out: tensor<?x1x2x128xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x128xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x136xbf16>, tensor<?x?x148xi8>)
      indices(%indices : tensor<?x1x?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
}

func.func @fp8_ds_mla_264(%q: tensor<?x1x2x256xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x264xi8> {mlafuse.name = "in_cache"},
    %indices: tensor<?x1x?xi32> {mlafuse.name = "in_indices"},
    %o_out: tensor<?x1x2x256xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x256xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x256xbf16>, tensor<?x?x264xi8>)
      indices(%indices : tensor<?x1x?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x256xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x2x256xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x256xf32>, tensor<?x1x2xf32>
}
