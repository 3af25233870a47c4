// The tail of a page behind the last token, and pages behind the sequence, hold NaN,
// which reaches neither logits nor, times a weight of zero, values.

// CASE bf16: in_q BF16 [1, 1, 2, 144] = 0.0
// CASE bf16: in_cache BF16 [3, 4, 144] = nan if t >= 6 else 1.0
// CASE bf16: in_block_table I32 [1, 3] = i
// CASE bf16: in_seq_lens I32 [1] = 6
// CASE bf16: out_o F32 [1, 1, 2, 128] = 1.0
// CASE bf16: out_lse F32 [1, 1, 2] = f32(log(6))

// CASE fp8: in_q BF16 [1, 1, 2, 144] = 0.0
// CASE fp8: in_cache F8_E4M3 [3, 4, 144] = nan if t >= 6 else 1.0
// CASE fp8: in_block_table I32 [1, 3] = i
// CASE fp8: in_seq_lens I32 [1] = 6
// CASE fp8: in_k_scale F32 [1] = 1.0
// CASE fp8: out_o F32 [1, 1, 2, 128] = 1.0
// CASE fp8: out_lse F32 [1, 1, 2] = f32(log(6))

// CASE fp8-ds-mla: in_q BF16 [1, 1, 2, 144] = 0.0
// CASE fp8-ds-mla: in_cache U8 [3, 4, 164] = 0xFF if t >= 6 else 0x38 if i < 128 else (0x3F800000 >> 8 * (i % 4) & 0xFF) if i < 132 else (0x3F80 >> 8 * (i % 2) & 0xFF)
// CASE fp8-ds-mla: in_block_table I32 [1, 3] = i
// CASE fp8-ds-mla: in_seq_lens I32 [1] = 6
// CASE fp8-ds-mla: out_o F32 [1, 1, 2, 128] = 1.0
// CASE fp8-ds-mla: out_lse F32 [1, 1, 2] = f32(log(6))

// Requests of 32 rows of NaN leave nothing behind for those of one row of 1.0, which may
// be next on the same thread; nor do sequences of 32 keys.
// CASE next-request: in_q BF16 [16, 1, 2, 144] = 0.0
// CASE next-request: in_cache BF16 [2, 32, 144] = 1.0 if t == 32 else nan
// CASE next-request: in_block_table I32 [16, 1] = t % 2
// CASE next-request: in_seq_lens I32 [16] = 1 if i % 2 else 32
// CASE next-request: out_o F32 [16, 1, 2, 128] = 1.0 if t // 2 % 2 else nan
// CASE next-request: out_lse F32 [16, 1, 2] = 0.0 if t % 2 else nan

// CASE next-sequence: in_q F32 [16, 1, 24] = 0.0
// CASE next-sequence: in_k F32 [264, 1, 24] = 0.0
// CASE next-sequence: in_v F32 [264, 1, 40] = 1.0 if t % 33 == 32 else nan
// CASE next-sequence: in_cu_q I32 [17] = i
// CASE next-sequence: in_cu_k I32 [17] = i // 2 * 33 + i % 2 * 32
// CASE next-sequence: out_o F32 [16, 40] = 1.0 if t % 2 else nan
// CASE next-sequence: out_lse F32 [16, 1] = 0.0 if t % 2 else f32(log(32))

// In a prompt the values of later keys are NaN, and so are the keys of other sequences.
// CASE prefill: in_q F32 [3, 1, 24] = 0.0
// CASE prefill: in_k F32 [5, 1, 24] = nan if t > 2 else 0.0
// CASE prefill: in_v F32 [5, 1, 40] = nan if t > 1 else 2.0
// CASE prefill: in_cu_q I32 [2] = 3 * i
// CASE prefill: in_cu_k I32 [2] = 3 * i
// CASE prefill: out_o F32 [3, 40] = nan if t == 2 else 2.0
// CASE prefill: out_lse F32 [3, 1] = f32(log(1 + t))

// RUN: %compile
// RUN: %case bf16 bf16
// RUN: %case fp8 fp8
// RUN: %case fp8_ds_mla fp8-ds-mla
// RUN: %case bf16 next-request
// RUN: %case prefill prefill
// RUN: %case context next-sequence

func.func @bf16(%q: tensor<?x1x2x144xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x144xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x128xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x128xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x144xbf16>, tensor<?x?x144xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
}

func.func @fp8(%q: tensor<?x1x2x144xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x144xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x2x128xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x128xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x144xbf16>, tensor<?x?x144xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
}

func.func @fp8_ds_mla(%q: tensor<?x1x2x144xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x164xi8> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x128xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x128xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x144xbf16>, tensor<?x?x164xi8>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
}

func.func @prefill(%q: tensor<?x1x24xf32> {mlafuse.name = "in_q"}, %k: tensor<?x1x24xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x1x40xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x40xf32>, %lse_out: tensor<?x1xf32>)
    -> (tensor<?x40xf32> {mlafuse.name = "out_o"}, tensor<?x1xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x1x24xf32>, tensor<?x1x24xf32>, tensor<?x1x40xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x40xf32>, tensor<?x1xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x40xf32>, tensor<?x1xf32>
  return %o, %lse : tensor<?x40xf32>, tensor<?x1xf32>
}

func.func @context(%q: tensor<?x1x24xf32> {mlafuse.name = "in_q"}, %k: tensor<?x1x24xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x1x40xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x40xf32>, %lse_out: tensor<?x1xf32>)
    -> (tensor<?x40xf32> {mlafuse.name = "out_o"}, tensor<?x1xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x1x24xf32>, tensor<?x1x24xf32>, tensor<?x1x40xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x40xf32>, tensor<?x1xf32>)
      {softmax_scale = 1.0 : f32} -> tensor<?x40xf32>, tensor<?x1xf32>
  return %o, %lse : tensor<?x40xf32>, tensor<?x1xf32>
}
