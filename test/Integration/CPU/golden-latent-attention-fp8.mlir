// latent_attention over the FP8 formats of the cache against its golden files.

// RUN: %compile
// RUN: %golden fp8 latent-fp8_h8_p16_s1 --partial
// RUN: %golden fp8_f32 latent-fp8_h8_p16_s1 --partial
// RUN: %golden ds_mla latent-ds_mla_h8_p64_s1
// RUN: %golden ds_mla_sparse sparse-ds_mla_h8_topk32

func.func @fp8(%q: tensor<?x?x8x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x16x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"}, %o_out: tensor<?x?x8x512xbf16>,
    %lse_out: tensor<?x?x8xf32>)
    -> (tensor<?x?x8x512xbf16> {mlafuse.name = "out_o"}, tensor<?x?x8xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x8x576xbf16>, tensor<?x16x576xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
  return %o, %lse : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
}

func.func @fp8_f32(%q: tensor<?x?x8x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x16x576xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"}, %o_out: tensor<?x?x8x512xf32>,
    %lse_out: tensor<?x?x8xf32>)
    -> (tensor<?x?x8x512xf32> {mlafuse.name = "out_o_f32"}, tensor<?x?x8xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x8x576xbf16>, tensor<?x16x576xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x?x8x512xf32>, tensor<?x?x8xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x?x8x512xf32>, tensor<?x?x8xf32>
  return %o, %lse : tensor<?x?x8x512xf32>, tensor<?x?x8xf32>
}

func.func @ds_mla(%q: tensor<?x?x8x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x64x656xi8> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %o_out: tensor<?x?x8x512xbf16>,
    %lse_out: tensor<?x?x8xf32>)
    -> (tensor<?x?x8x512xbf16> {mlafuse.name = "out_o"}, tensor<?x?x8xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x8x576xbf16>, tensor<?x64x656xi8>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
  return %o, %lse : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
}

func.func @ds_mla_sparse(%q: tensor<?x?x8x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x64x656xi8> {mlafuse.name = "in_cache"},
    %indices: tensor<?x?x32xi32> {mlafuse.name = "in_indices"}, %o_out: tensor<?x?x8x512xbf16>,
    %lse_out: tensor<?x?x8xf32>)
    -> (tensor<?x?x8x512xbf16> {mlafuse.name = "out_o"}, tensor<?x?x8xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x8x576xbf16>, tensor<?x64x656xi8>)
      indices(%indices : tensor<?x?x32xi32>) outs(%o_out, %lse_out : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
  return %o, %lse : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
}
