// Requests past the count of actual tokens hold garbage: NaN, lengths and pages beyond
// everything. Nothing of it is read, and their results stay as they were.

// CASE n0: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE n0: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE n0: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE n0: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE n0: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE n0: in_block_table I32 [3, 1] = 0 if t < 0 else -(2**31)
// CASE n0: in_seq_lens I32 [3] = 1 if i < 0 else 2**31 - 1
// CASE n0: in_n I32 [1] = 0
// CASE n0: in_o BF16 [3, 128] = -7.0
// CASE n0: in_lse F32 [3, 1, 2] = -7.0
// CASE n0: out_o BF16 [3, 128] = 2.0 if t < 0 else -7.0
// CASE n0: out_lse F32 [3, 1, 2] = 144.0 if t < 0 else -7.0

// CASE quantized-n0: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE quantized-n0: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE quantized-n0: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE quantized-n0: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE quantized-n0: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE quantized-n0: in_block_table I32 [3, 1] = 0 if t < 0 else -(2**31)
// CASE quantized-n0: in_seq_lens I32 [3] = 1 if i < 0 else 2**31 - 1
// CASE quantized-n0: in_n I32 [1] = 0
// CASE quantized-n0: in_o F8_E4M3 [3, 128] = -7.0
// CASE quantized-n0: in_scale F32 [1, 4] = -7.0
// CASE quantized-n0: in_lse F32 [3, 1, 2] = -7.0
// CASE quantized-n0: out_o F8_E4M3 [3, 128] = 448.0 if t < 0 else -7.0
// CASE quantized-n0: out_scale F32 [1, 4] = 0.0 if i > 2 else f32(2.0 / 448) if i < 0 else -7.0
// CASE quantized-n0: out_lse F32 [3, 1, 2] = 144.0 if t < 0 else -7.0

// CASE n1: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE n1: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE n1: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE n1: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE n1: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE n1: in_block_table I32 [3, 1] = 0 if t < 1 else -(2**31)
// CASE n1: in_seq_lens I32 [3] = 1 if i < 1 else 2**31 - 1
// CASE n1: in_n I32 [1] = 1
// CASE n1: in_o BF16 [3, 128] = -7.0
// CASE n1: in_lse F32 [3, 1, 2] = -7.0
// CASE n1: out_o BF16 [3, 128] = 2.0 if t < 1 else -7.0
// CASE n1: out_lse F32 [3, 1, 2] = 144.0 if t < 1 else -7.0

// CASE quantized-n1: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE quantized-n1: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE quantized-n1: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE quantized-n1: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE quantized-n1: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE quantized-n1: in_block_table I32 [3, 1] = 0 if t < 1 else -(2**31)
// CASE quantized-n1: in_seq_lens I32 [3] = 1 if i < 1 else 2**31 - 1
// CASE quantized-n1: in_n I32 [1] = 1
// CASE quantized-n1: in_o F8_E4M3 [3, 128] = -7.0
// CASE quantized-n1: in_scale F32 [1, 4] = -7.0
// CASE quantized-n1: in_lse F32 [3, 1, 2] = -7.0
// CASE quantized-n1: out_o F8_E4M3 [3, 128] = 448.0 if t < 1 else -7.0
// CASE quantized-n1: out_scale F32 [1, 4] = 0.0 if i > 2 else f32(2.0 / 448) if i < 1 else -7.0
// CASE quantized-n1: out_lse F32 [3, 1, 2] = 144.0 if t < 1 else -7.0

// CASE n3: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 6 else nan
// CASE n3: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 6 else nan
// CASE n3: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE n3: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE n3: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE n3: in_block_table I32 [3, 1] = 0 if t < 3 else -(2**31)
// CASE n3: in_seq_lens I32 [3] = 1 if i < 3 else 2**31 - 1
// CASE n3: in_n I32 [1] = 3
// CASE n3: in_o BF16 [3, 128] = -7.0
// CASE n3: in_lse F32 [3, 1, 2] = -7.0
// CASE n3: out_o BF16 [3, 128] = 2.0 if t < 3 else -7.0
// CASE n3: out_lse F32 [3, 1, 2] = 144.0 if t < 3 else -7.0

// CASE quantized-n3: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 6 else nan
// CASE quantized-n3: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 6 else nan
// CASE quantized-n3: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE quantized-n3: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE quantized-n3: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE quantized-n3: in_block_table I32 [3, 1] = 0 if t < 3 else -(2**31)
// CASE quantized-n3: in_seq_lens I32 [3] = 1 if i < 3 else 2**31 - 1
// CASE quantized-n3: in_n I32 [1] = 3
// CASE quantized-n3: in_o F8_E4M3 [3, 128] = -7.0
// CASE quantized-n3: in_scale F32 [1, 4] = -7.0
// CASE quantized-n3: in_lse F32 [3, 1, 2] = -7.0
// CASE quantized-n3: out_o F8_E4M3 [3, 128] = 448.0 if t < 3 else -7.0
// CASE quantized-n3: out_scale F32 [1, 4] = 0.0 if i > 2 else f32(2.0 / 448) if i < 3 else -7.0
// CASE quantized-n3: out_lse F32 [3, 1, 2] = 144.0 if t < 3 else -7.0

// RUN: %compile_both
// RUN: %case_both plain n0 --partial
// RUN: %case_both with_lse n0
// RUN: %case_both quantized quantized-n0 --partial
// RUN: %case_both quantized_with_lse quantized-n0
// RUN: %case_both plain n1 --partial
// RUN: %case_both with_lse n1
// RUN: %case_both quantized quantized-n1 --partial
// RUN: %case_both quantized_with_lse quantized-n1
// RUN: %case_both plain n3 --partial
// RUN: %case_both with_lse n3
// RUN: %case_both quantized quantized-n3 --partial
// RUN: %case_both quantized_with_lse quantized-n3

func.func @plain(%qn: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_nope"}, %qp: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x8x16xbf16> {mlafuse.name = "in_w_uk"}, %wv: tensor<2x16x64xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x4x24xbf16> {mlafuse.name = "in_cache"}, %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %o_out: tensor<?x128xbf16> {mlafuse.name = "in_o"})
    -> (tensor<?x128xbf16> {mlafuse.name = "out_o"}) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x64xbf16>, tensor<?x4x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o_out : tensor<?x128xbf16>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x128xbf16>
  return %o : tensor<?x128xbf16>
}

func.func @with_lse(%qn: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_nope"}, %qp: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x8x16xbf16> {mlafuse.name = "in_w_uk"}, %wv: tensor<2x16x64xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x4x24xbf16> {mlafuse.name = "in_cache"}, %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %o_out: tensor<?x128xbf16> {mlafuse.name = "in_o"}, %lse_out: tensor<?x1x2xf32> {mlafuse.name = "in_lse"})
    -> (tensor<?x128xbf16> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x64xbf16>, tensor<?x4x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o_out, %lse_out : tensor<?x128xbf16>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x128xbf16>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x128xbf16>, tensor<?x1x2xf32>
}

func.func @quantized(%qn: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_nope"}, %qp: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x8x16xbf16> {mlafuse.name = "in_w_uk"}, %wv: tensor<2x16x64xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x4x24xbf16> {mlafuse.name = "in_cache"}, %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %o_out: tensor<?x128xf8E4M3FN> {mlafuse.name = "in_o"}, %s_out: tensor<1x?xf32> {mlafuse.name = "in_scale"})
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_o"}, tensor<1x?xf32> {mlafuse.name = "out_scale"}) {
  %o, %scale = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x64xbf16>, tensor<?x4x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
  return %o, %scale : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
}

func.func @quantized_with_lse(%qn: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_nope"}, %qp: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x8x16xbf16> {mlafuse.name = "in_w_uk"}, %wv: tensor<2x16x64xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x4x24xbf16> {mlafuse.name = "in_cache"}, %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %o_out: tensor<?x128xf8E4M3FN> {mlafuse.name = "in_o"}, %s_out: tensor<1x?xf32> {mlafuse.name = "in_scale"}, %lse_out: tensor<?x1x2xf32> {mlafuse.name = "in_lse"})
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_o"}, tensor<1x?xf32> {mlafuse.name = "out_scale"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %scale, %lse = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x64xbf16>, tensor<?x4x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o_out, %s_out, %lse_out : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x128xf8E4M3FN>, tensor<1x?xf32>, tensor<?x1x2xf32>
  return %o, %scale, %lse : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>, tensor<?x1x2xf32>
}
