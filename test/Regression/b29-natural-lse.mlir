// lse is the natural logarithm, and -inf where there was no key: no base 2, no finite
// number in its place. (Queries that see nothing: b28.)

// Two keys with logits of zero: ln 2, not 1.
// CASE two: in_q BF16 [1, 1, 3, 24] = 0.0
// CASE two: in_cache BF16 [1, 4, 24] = 1.0
// CASE two: in_block_table I32 [1, 1] = 0
// CASE two: in_seq_lens I32 [1] = 2
// CASE two: out_o F32 [1, 1, 3, 16] = 1.0
// CASE two: out_lse F32 [1, 1, 3] = f32(log(2))

// One key of logit -1e6, far below what a finite sentinel could be.
// CASE low: in_q BF16 [1, 1, 3, 24] = -1024.0 if i == 0 else 0.0
// CASE low: in_cache BF16 [1, 4, 24] = 1024.0 if i == 0 else 2.0
// CASE low: in_block_table I32 [1, 1] = 0
// CASE low: in_seq_lens I32 [1] = 1
// CASE low: out_o F32 [1, 1, 3, 16] = 1024.0 if i == 0 else 2.0
// CASE low: out_lse F32 [1, 1, 3] = -1048576.0

// CASE prefill: in_q F32 [2, 2, 24] = 0.0
// CASE prefill: in_k F32 [2, 2, 24] = 1.0
// CASE prefill: in_v F32 [2, 2, 16] = 3.0
// CASE prefill: in_cu_q I32 [2] = 2 * i
// CASE prefill: in_cu_k I32 [2] = 2 * i
// CASE prefill: out_o F32 [2, 32] = 3.0
// CASE prefill: out_lse F32 [2, 2] = f32(log(1 + t))

// A part of lse -inf leaves the other as it is, in either order, whatever the empty one holds.
// CASE one-part: in_o_a BF16 [2, 2, 16] = nan if t < 2 else 3.0
// CASE one-part: in_lse_a F32 [2, 2] = -inf if t < 1 else -60000.0
// CASE one-part: in_o_b BF16 [2, 2, 16] = 3.0 if t < 2 else nan
// CASE one-part: in_lse_b F32 [2, 2] = 70000.0 if t < 1 else -inf
// CASE one-part: out_o BF16 [2, 32] = 3.0
// CASE one-part: out_lse F32 [2, 2] = 70000.0 if t < 1 else -60000.0

// CASE equal-parts: in_o_a BF16 [2, 2, 16] = 3.0
// CASE equal-parts: in_lse_a F32 [2, 2] = 0.0
// CASE equal-parts: in_o_b BF16 [2, 2, 16] = 5.0
// CASE equal-parts: in_lse_b F32 [2, 2] = 0.0
// CASE equal-parts: out_o BF16 [2, 32] = 4.0
// CASE equal-parts: out_lse F32 [2, 2] = f32(log(2))

// RUN: %compile
// RUN: %case dense two
// RUN: %case dense low
// RUN: %case prefill prefill
// RUN: %case merge one-part
// RUN: %case merge equal-parts

func.func @dense(%q: tensor<?x1x3x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x3x16xf32>, %lse_out: tensor<?x1x3xf32>)
    -> (tensor<?x1x3x16xf32> {mlafuse.name = "out_o"}, tensor<?x1x3xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x3x24xbf16>, tensor<?x?x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x3x16xf32>, tensor<?x1x3xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x3x16xf32>, tensor<?x1x3xf32>
  return %o, %lse : tensor<?x1x3x16xf32>, tensor<?x1x3xf32>
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

func.func @merge(%a: tensor<?x2x16xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x2xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x2x16xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x2xf32> {mlafuse.name = "in_lse_b"},
    %o_out: tensor<?x32xbf16>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x32xbf16> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x2x16xbf16>, tensor<?x2xf32>, tensor<?x2x16xbf16>, tensor<?x2xf32>)
      outs(%o_out, %lse_out : tensor<?x32xbf16>, tensor<?x2xf32>) -> tensor<?x32xbf16>, tensor<?x2xf32>
  return %o, %lse : tensor<?x32xbf16>, tensor<?x2xf32>
}
