// k_scale of 0.5 is on all 576 columns of an fp8 cache, the large position part too,
// which the logit tells; with any number of heads.

// CASE h1: in_q BF16 [2, 1, 1, 576] = 1.0
// CASE h1: in_cache F8_E4M3 [1, 2, 576] = (2.0 if i < 512 else 256.0) if t == 0 else nan
// CASE h1: in_block_table I32 [2, 1] = 0
// CASE h1: in_seq_lens I32 [2] = 1
// CASE h1: in_k_scale F32 [1] = 0.5
// CASE h1: out_o F32 [2, 1, 1, 512] = 1.0
// CASE h1: out_lse F32 [2, 1, 1] = 512.0 + 64 * 128

// CASE h16: in_q BF16 [2, 1, 16, 576] = 1.0
// CASE h16: in_cache F8_E4M3 [1, 2, 576] = (2.0 if i < 512 else 256.0) if t == 0 else nan
// CASE h16: in_block_table I32 [2, 1] = 0
// CASE h16: in_seq_lens I32 [2] = 1
// CASE h16: in_k_scale F32 [1] = 0.5
// CASE h16: out_o F32 [2, 1, 16, 512] = 1.0
// CASE h16: out_lse F32 [2, 1, 16] = 512.0 + 64 * 128

// CASE h32: in_q BF16 [2, 1, 32, 576] = 1.0
// CASE h32: in_cache F8_E4M3 [1, 2, 576] = (2.0 if i < 512 else 256.0) if t == 0 else nan
// CASE h32: in_block_table I32 [2, 1] = 0
// CASE h32: in_seq_lens I32 [2] = 1
// CASE h32: in_k_scale F32 [1] = 0.5
// CASE h32: out_o F32 [2, 1, 32, 512] = 1.0
// CASE h32: out_lse F32 [2, 1, 32] = 512.0 + 64 * 128

// CASE h33: in_q BF16 [2, 1, 33, 576] = 1.0
// CASE h33: in_cache F8_E4M3 [1, 2, 576] = (2.0 if i < 512 else 256.0) if t == 0 else nan
// CASE h33: in_block_table I32 [2, 1] = 0
// CASE h33: in_seq_lens I32 [2] = 1
// CASE h33: in_k_scale F32 [1] = 0.5
// CASE h33: out_o F32 [2, 1, 33, 512] = 1.0
// CASE h33: out_lse F32 [2, 1, 33] = 512.0 + 64 * 128

// CASE h128: in_q BF16 [2, 1, 128, 576] = 1.0
// CASE h128: in_cache F8_E4M3 [1, 2, 576] = (2.0 if i < 512 else 256.0) if t == 0 else nan
// CASE h128: in_block_table I32 [2, 1] = 0
// CASE h128: in_seq_lens I32 [2] = 1
// CASE h128: in_k_scale F32 [1] = 0.5
// CASE h128: out_o F32 [2, 1, 128, 512] = 1.0
// CASE h128: out_lse F32 [2, 1, 128] = 512.0 + 64 * 128

// RUN: %compile
// RUN: %case heads_1 h1
// RUN: %case heads_16 h16
// RUN: %case heads_32 h32
// RUN: %case heads_33 h33
// RUN: %case heads_128 h128

func.func @heads_1(%q: tensor<?x1x1x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x1x512xf32>, %lse_out: tensor<?x1x1xf32>)
    -> (tensor<?x1x1x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x1xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x1x576xbf16>, tensor<?x?x576xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x1x512xf32>, tensor<?x1x1xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x1x512xf32>, tensor<?x1x1xf32>
  return %o, %lse : tensor<?x1x1x512xf32>, tensor<?x1x1xf32>
}

func.func @heads_16(%q: tensor<?x1x16x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x16x512xf32>, %lse_out: tensor<?x1x16xf32>)
    -> (tensor<?x1x16x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x16xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x576xbf16>, tensor<?x?x576xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x16x512xf32>, tensor<?x1x16xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x16x512xf32>, tensor<?x1x16xf32>
  return %o, %lse : tensor<?x1x16x512xf32>, tensor<?x1x16xf32>
}

func.func @heads_32(%q: tensor<?x1x32x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x32x512xf32>, %lse_out: tensor<?x1x32xf32>)
    -> (tensor<?x1x32x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x32xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x32x576xbf16>, tensor<?x?x576xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x32x512xf32>, tensor<?x1x32xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x32x512xf32>, tensor<?x1x32xf32>
  return %o, %lse : tensor<?x1x32x512xf32>, tensor<?x1x32xf32>
}

func.func @heads_33(%q: tensor<?x1x33x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x33x512xf32>, %lse_out: tensor<?x1x33xf32>)
    -> (tensor<?x1x33x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x33xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x33x576xbf16>, tensor<?x?x576xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x33x512xf32>, tensor<?x1x33xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x33x512xf32>, tensor<?x1x33xf32>
  return %o, %lse : tensor<?x1x33x512xf32>, tensor<?x1x33xf32>
}

func.func @heads_128(%q: tensor<?x1x128x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x128x512xf32>, %lse_out: tensor<?x1x128xf32>)
    -> (tensor<?x1x128x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x128xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x128x576xbf16>, tensor<?x?x576xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x128x512xf32>, tensor<?x1x128xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x128x512xf32>, tensor<?x1x128xf32>
  return %o, %lse : tensor<?x1x128x512xf32>, tensor<?x1x128xf32>
}
