// latent_attention over a bf16 cache against its golden files: page sizes, causal
// queries, an empty sequence, sparse indices, rounded and f32 results.

// RUN: %compile
// RUN: %golden heads_16 latent-bf16_h16_p16_s1
// RUN: %golden heads_20_page_64 latent-bf16_h20_p64_s1
// RUN: %golden heads_8 latent-bf16_h8_p1_s2 --partial
// RUN: %golden heads_8_f32 latent-bf16_h8_p1_s2 --partial
// RUN: %golden sparse sparse-bf16_h16_topk16

func.func @heads_16(%q: tensor<?x?x16x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %o_out: tensor<?x?x16x512xbf16>,
    %lse_out: tensor<?x?x16xf32>)
    -> (tensor<?x?x16x512xbf16> {mlafuse.name = "out_o"}, tensor<?x?x16xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x16x576xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x?x16x512xbf16>, tensor<?x?x16xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x?x16x512xbf16>, tensor<?x?x16xf32>
  return %o, %lse : tensor<?x?x16x512xbf16>, tensor<?x?x16xf32>
}

func.func @heads_20_page_64(%q: tensor<?x?x20x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x?x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %o_out: tensor<?x?x20x512xbf16>,
    %lse_out: tensor<?x?x20xf32>)
    -> (tensor<?x?x20x512xbf16> {mlafuse.name = "out_o"}, tensor<?x?x20xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x20x576xbf16>, tensor<?x?x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x?x20x512xbf16>, tensor<?x?x20xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x?x20x512xbf16>, tensor<?x?x20xf32>
  return %o, %lse : tensor<?x?x20x512xbf16>, tensor<?x?x20xf32>
}

func.func @heads_8(%q: tensor<?x?x8x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x1x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %o_out: tensor<?x?x8x512xbf16>,
    %lse_out: tensor<?x?x8xf32>)
    -> (tensor<?x?x8x512xbf16> {mlafuse.name = "out_o"}, tensor<?x?x8xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x8x576xbf16>, tensor<?x1x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
  return %o, %lse : tensor<?x?x8x512xbf16>, tensor<?x?x8xf32>
}

func.func @heads_8_f32(%q: tensor<?x?x8x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x1x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %o_out: tensor<?x?x8x512xf32>,
    %lse_out: tensor<?x?x8xf32>)
    -> (tensor<?x?x8x512xf32> {mlafuse.name = "out_o_f32"}, tensor<?x?x8xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x8x576xbf16>, tensor<?x1x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x?x8x512xf32>, tensor<?x?x8xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x?x8x512xf32>, tensor<?x?x8xf32>
  return %o, %lse : tensor<?x?x8x512xf32>, tensor<?x?x8xf32>
}

func.func @sparse(%q: tensor<?x?x16x576xbf16> {mlafuse.name = "in_q"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %indices: tensor<?x?x16xi32> {mlafuse.name = "in_indices"}, %o_out: tensor<?x?x16x512xbf16>,
    %lse_out: tensor<?x?x16xf32>)
    -> (tensor<?x?x16x512xbf16> {mlafuse.name = "out_o"}, tensor<?x?x16xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x16x576xbf16>, tensor<?x16x576xbf16>)
      indices(%indices : tensor<?x?x16xi32>) outs(%o_out, %lse_out : tensor<?x?x16x512xbf16>, tensor<?x?x16xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x?x16x512xbf16>, tensor<?x?x16xf32>
  return %o, %lse : tensor<?x?x16x512xbf16>, tensor<?x?x16xf32>
}
