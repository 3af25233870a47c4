// A query that sees no key gives zeros, not 0 / 0: an empty sequence, queries ahead of
// the first token, no index, no key of a prompt, two parts that saw nothing.

// CASE empty: in_q BF16 [2, 2, 3, 24] = 1.0
// CASE empty: in_cache BF16 [1, 4, 24] = nan
// CASE empty: in_block_table I32 [2, 2] = -1
// CASE empty: in_seq_lens I32 [2] = 0
// CASE empty: out_o F32 [2, 2, 3, 16] = 0.0
// CASE empty: out_lse F32 [2, 2, 3] = -inf

// Of three queries, the first two come before the only token.
// CASE early: in_q BF16 [1, 3, 3, 24] = 0.0
// CASE early: in_cache BF16 [1, 4, 24] = 2.0 if t == 0 else nan
// CASE early: in_block_table I32 [1, 1] = 0
// CASE early: in_seq_lens I32 [1] = 1
// CASE early: out_o F32 [1, 3, 3, 16] = 2.0 if t // 3 == 2 else 0.0
// CASE early: out_lse F32 [1, 3, 3] = 0.0 if t == 2 else -inf

// CASE no-index: in_q BF16 [2, 2, 3, 24] = 1.0
// CASE no-index: in_cache BF16 [1, 4, 24] = nan
// CASE no-index: in_indices I32 [2, 2, 5] = -1
// CASE no-index: out_o F32 [2, 2, 3, 16] = 0.0
// CASE no-index: out_lse F32 [2, 2, 3] = -inf

// CASE no-topk: in_q BF16 [2, 2, 3, 24] = 1.0
// CASE no-topk: in_cache BF16 [1, 4, 24] = nan
// CASE no-topk: in_indices I32 [2, 2, 0] = -1
// CASE no-topk: out_o F32 [2, 2, 3, 16] = 0.0
// CASE no-topk: out_lse F32 [2, 2, 3] = -inf

// Sequences of 2 queries and no key, and of 3 queries and one key: only the last one sees it.
// CASE prefill: in_q F32 [5, 2, 24] = 0.0
// CASE prefill: in_k F32 [1, 2, 24] = 1.0
// CASE prefill: in_v F32 [1, 2, 16] = 3.0
// CASE prefill: in_cu_q I32 [3] = [0, 2, 5][i]
// CASE prefill: in_cu_k I32 [3] = [0, 0, 1][i]
// CASE prefill: out_o F32 [5, 32] = 3.0 if t == 4 else 0.0
// CASE prefill: out_lse F32 [5, 2] = 0.0 if t == 4 else -inf

// CASE context: in_q F32 [2, 2, 24] = 1.0
// CASE context: in_k F32 [0, 2, 24] = 1.0
// CASE context: in_v F32 [0, 2, 16] = 3.0
// CASE context: in_cu_q I32 [2] = 2 * i
// CASE context: in_cu_k I32 [2] = 0
// CASE context: out_o F32 [2, 32] = 0.0
// CASE context: out_lse F32 [2, 2] = -inf

// CASE parts: in_o_a BF16 [2, 2, 16] = nan
// CASE parts: in_lse_a F32 [2, 2] = -inf
// CASE parts: in_o_b BF16 [2, 2, 16] = nan
// CASE parts: in_lse_b F32 [2, 2] = -inf
// CASE parts: out_o BF16 [2, 32] = 0.0
// CASE parts: out_lse F32 [2, 2] = -inf

// RUN: %compile
// RUN: %case dense empty
// RUN: %case causal early
// RUN: %case sparse no-index
// RUN: %case sparse no-topk
// RUN: %case prefill prefill
// RUN: %case context context
// RUN: %case merge parts

func.func @dense(%q: tensor<?x2x3x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x2x3x16xf32>, %lse_out: tensor<?x2x3xf32>)
    -> (tensor<?x2x3x16xf32> {mlafuse.name = "out_o"}, tensor<?x2x3xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x2x3x24xbf16>, tensor<?x?x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x2x3x16xf32>, tensor<?x2x3xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2x3x16xf32>, tensor<?x2x3xf32>
  return %o, %lse : tensor<?x2x3x16xf32>, tensor<?x2x3xf32>
}

func.func @causal(%q: tensor<?x3x3x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x3x3x16xf32>, %lse_out: tensor<?x3x3xf32>)
    -> (tensor<?x3x3x16xf32> {mlafuse.name = "out_o"}, tensor<?x3x3xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x3x3x24xbf16>, tensor<?x?x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x3x3x16xf32>, tensor<?x3x3xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x3x3x16xf32>, tensor<?x3x3xf32>
  return %o, %lse : tensor<?x3x3x16xf32>, tensor<?x3x3xf32>
}

func.func @sparse(%q: tensor<?x2x3x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x24xbf16> {mlafuse.name = "in_cache"},
    %indices: tensor<?x2x?xi32> {mlafuse.name = "in_indices"},
    %o_out: tensor<?x2x3x16xf32>, %lse_out: tensor<?x2x3xf32>)
    -> (tensor<?x2x3x16xf32> {mlafuse.name = "out_o"}, tensor<?x2x3xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x2x3x24xbf16>, tensor<?x?x24xbf16>)
      indices(%indices : tensor<?x2x?xi32>) outs(%o_out, %lse_out : tensor<?x2x3x16xf32>, tensor<?x2x3xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2x3x16xf32>, tensor<?x2x3xf32>
  return %o, %lse : tensor<?x2x3x16xf32>, tensor<?x2x3xf32>
}

func.func @prefill(%q: tensor<?x2x24xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x24xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x16xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x32xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x32xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x24xf32>, tensor<?x2x24xf32>, tensor<?x2x16xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x32xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x32xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x32xf32>, tensor<?x2xf32>
}

func.func @context(%q: tensor<?x2x24xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x24xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x16xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x32xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x32xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x24xf32>, tensor<?x2x24xf32>, tensor<?x2x16xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x32xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32} -> tensor<?x32xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x32xf32>, tensor<?x2xf32>
}

func.func @merge(%a: tensor<?x2x16xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x2xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x2x16xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x2xf32> {mlafuse.name = "in_lse_b"},
    %o_out: tensor<?x32xbf16>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x32xbf16> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x2x16xbf16>, tensor<?x2xf32>, tensor<?x2x16xbf16>, tensor<?x2xf32>)
      outs(%o_out, %lse_out : tensor<?x32xbf16>, tensor<?x2xf32>) -> tensor<?x32xbf16>, tensor<?x2xf32>
  return %o, %lse : tensor<?x32xbf16>, tensor<?x2xf32>
}
