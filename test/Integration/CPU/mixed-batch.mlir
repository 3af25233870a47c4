// mla_attention of decode and of prefill tokens: the rows of both parts, counts of actual
// tokens in either, a part without rows, and garbage in what is not counted. Scales of a
// layout that cannot be sliced come out whole, with zeros behind the last row.

// CASE all: in_q_nope BF16 [2, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE all: in_q_pe BF16 [2, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE all: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE all: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE all: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE all: in_block_table I32 [2, 1] = 0 if t < 6 else -(2**31)
// CASE all: in_seq_lens I32 [2] = 1 if i < 6 else 2**31 - 1
// CASE all: in_n I32 [1] = 6
// CASE all: in_q BF16 [4, 2, 24] = 0.0 if t < 8 else nan
// CASE all: in_k BF16 [4, 2, 24] = 1.0
// CASE all: in_v BF16 [4, 2, 64] = 3.0 if t < 8 else nan
// CASE all: in_cu_q I32 [2] = 4 * i
// CASE all: in_cu_k I32 [2] = 4 * i
// CASE all: in_o BF16 [6, 128] = -7.0
// CASE all: out_o BF16 [6, 128] = (2.0 if t < 2 else 3.0) if t < 6 else -7.0

// CASE in-decode: in_q_nope BF16 [2, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE in-decode: in_q_pe BF16 [2, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE in-decode: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE in-decode: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE in-decode: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE in-decode: in_block_table I32 [2, 1] = 0 if t < 1 else -(2**31)
// CASE in-decode: in_seq_lens I32 [2] = 1 if i < 1 else 2**31 - 1
// CASE in-decode: in_n I32 [1] = 1
// CASE in-decode: in_q BF16 [4, 2, 24] = 0.0 if t < 0 else nan
// CASE in-decode: in_k BF16 [4, 2, 24] = 1.0
// CASE in-decode: in_v BF16 [4, 2, 64] = 3.0 if t < 0 else nan
// CASE in-decode: in_cu_q I32 [2] = 4 * i
// CASE in-decode: in_cu_k I32 [2] = 4 * i
// CASE in-decode: in_o BF16 [6, 128] = -7.0
// CASE in-decode: out_o BF16 [6, 128] = (2.0 if t < 2 else 3.0) if t < 1 else -7.0

// CASE quantized-in-decode: in_q_nope BF16 [2, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE quantized-in-decode: in_q_pe BF16 [2, 1, 2, 8] = 1.0 if t < 2 else nan
// CASE quantized-in-decode: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE quantized-in-decode: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE quantized-in-decode: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE quantized-in-decode: in_block_table I32 [2, 1] = 0 if t < 1 else -(2**31)
// CASE quantized-in-decode: in_seq_lens I32 [2] = 1 if i < 1 else 2**31 - 1
// CASE quantized-in-decode: in_n I32 [1] = 1
// CASE quantized-in-decode: in_q BF16 [4, 2, 24] = 0.0 if t < 0 else nan
// CASE quantized-in-decode: in_k BF16 [4, 2, 24] = 1.0
// CASE quantized-in-decode: in_v BF16 [4, 2, 64] = 3.0 if t < 0 else nan
// CASE quantized-in-decode: in_cu_q I32 [2] = 4 * i
// CASE quantized-in-decode: in_cu_k I32 [2] = 4 * i
// CASE quantized-in-decode: in_o F8_E4M3 [6, 128] = -7.0
// CASE quantized-in-decode: in_scale F32 [1, 8] = -7.0
// CASE quantized-in-decode: out_o F8_E4M3 [6, 128] = 448.0 if t < 1 else -7.0
// CASE quantized-in-decode: out_scale F32 [1, 8] = 0.0 if i >= 6 else f32((2.0 if i < 2 else 3.0) / 448) if i < 1 else -7.0

// CASE in-prefill: in_q_nope BF16 [2, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE in-prefill: in_q_pe BF16 [2, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE in-prefill: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE in-prefill: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE in-prefill: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE in-prefill: in_block_table I32 [2, 1] = 0 if t < 5 else -(2**31)
// CASE in-prefill: in_seq_lens I32 [2] = 1 if i < 5 else 2**31 - 1
// CASE in-prefill: in_n I32 [1] = 5
// CASE in-prefill: in_q BF16 [4, 2, 24] = 0.0 if t < 6 else nan
// CASE in-prefill: in_k BF16 [4, 2, 24] = 1.0
// CASE in-prefill: in_v BF16 [4, 2, 64] = 3.0 if t < 6 else nan
// CASE in-prefill: in_cu_q I32 [2] = 4 * i
// CASE in-prefill: in_cu_k I32 [2] = 4 * i
// CASE in-prefill: in_o BF16 [6, 128] = -7.0
// CASE in-prefill: out_o BF16 [6, 128] = (2.0 if t < 2 else 3.0) if t < 5 else -7.0

// CASE quantized-in-prefill: in_q_nope BF16 [2, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE quantized-in-prefill: in_q_pe BF16 [2, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE quantized-in-prefill: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE quantized-in-prefill: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE quantized-in-prefill: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE quantized-in-prefill: in_block_table I32 [2, 1] = 0 if t < 5 else -(2**31)
// CASE quantized-in-prefill: in_seq_lens I32 [2] = 1 if i < 5 else 2**31 - 1
// CASE quantized-in-prefill: in_n I32 [1] = 5
// CASE quantized-in-prefill: in_q BF16 [4, 2, 24] = 0.0 if t < 6 else nan
// CASE quantized-in-prefill: in_k BF16 [4, 2, 24] = 1.0
// CASE quantized-in-prefill: in_v BF16 [4, 2, 64] = 3.0 if t < 6 else nan
// CASE quantized-in-prefill: in_cu_q I32 [2] = 4 * i
// CASE quantized-in-prefill: in_cu_k I32 [2] = 4 * i
// CASE quantized-in-prefill: in_o F8_E4M3 [6, 128] = -7.0
// CASE quantized-in-prefill: in_scale F32 [1, 8] = -7.0
// CASE quantized-in-prefill: out_o F8_E4M3 [6, 128] = 448.0 if t < 5 else -7.0
// CASE quantized-in-prefill: out_scale F32 [1, 8] = 0.0 if i >= 6 else f32((2.0 if i < 2 else 3.0) / 448) if i < 5 else -7.0

// CASE none: in_q_nope BF16 [2, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE none: in_q_pe BF16 [2, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE none: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE none: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE none: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE none: in_block_table I32 [2, 1] = 0 if t < 0 else -(2**31)
// CASE none: in_seq_lens I32 [2] = 1 if i < 0 else 2**31 - 1
// CASE none: in_n I32 [1] = 0
// CASE none: in_q BF16 [4, 2, 24] = 0.0 if t < 0 else nan
// CASE none: in_k BF16 [4, 2, 24] = 1.0
// CASE none: in_v BF16 [4, 2, 64] = 3.0 if t < 0 else nan
// CASE none: in_cu_q I32 [2] = 4 * i
// CASE none: in_cu_k I32 [2] = 4 * i
// CASE none: in_o BF16 [6, 128] = -7.0
// CASE none: out_o BF16 [6, 128] = (2.0 if t < 2 else 3.0) if t < 0 else -7.0

// CASE no-decode: in_q_nope BF16 [0, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE no-decode: in_q_pe BF16 [0, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE no-decode: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE no-decode: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE no-decode: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE no-decode: in_block_table I32 [0, 1] = 0 if t < 3 else -(2**31)
// CASE no-decode: in_seq_lens I32 [0] = 1 if i < 3 else 2**31 - 1
// CASE no-decode: in_n I32 [1] = 3
// CASE no-decode: in_q BF16 [5, 2, 24] = 0.0 if t < 6 else nan
// CASE no-decode: in_k BF16 [5, 2, 24] = 1.0
// CASE no-decode: in_v BF16 [5, 2, 64] = 3.0 if t < 6 else nan
// CASE no-decode: in_cu_q I32 [2] = 5 * i
// CASE no-decode: in_cu_k I32 [2] = 5 * i
// CASE no-decode: in_o BF16 [5, 128] = -7.0
// CASE no-decode: out_o BF16 [5, 128] = (2.0 if t < 0 else 3.0) if t < 3 else -7.0

// CASE quantized-no-decode: in_q_nope BF16 [0, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE quantized-no-decode: in_q_pe BF16 [0, 1, 2, 8] = 1.0 if t < 0 else nan
// CASE quantized-no-decode: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE quantized-no-decode: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE quantized-no-decode: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE quantized-no-decode: in_block_table I32 [0, 1] = 0 if t < 3 else -(2**31)
// CASE quantized-no-decode: in_seq_lens I32 [0] = 1 if i < 3 else 2**31 - 1
// CASE quantized-no-decode: in_n I32 [1] = 3
// CASE quantized-no-decode: in_q BF16 [5, 2, 24] = 0.0 if t < 6 else nan
// CASE quantized-no-decode: in_k BF16 [5, 2, 24] = 1.0
// CASE quantized-no-decode: in_v BF16 [5, 2, 64] = 3.0 if t < 6 else nan
// CASE quantized-no-decode: in_cu_q I32 [2] = 5 * i
// CASE quantized-no-decode: in_cu_k I32 [2] = 5 * i
// CASE quantized-no-decode: in_o F8_E4M3 [5, 128] = -7.0
// CASE quantized-no-decode: in_scale F32 [1, 8] = -7.0
// CASE quantized-no-decode: out_o F8_E4M3 [5, 128] = 448.0 if t < 3 else -7.0
// CASE quantized-no-decode: out_scale F32 [1, 8] = 0.0 if i >= 5 else f32((2.0 if i < 0 else 3.0) / 448) if i < 3 else -7.0

// CASE no-prefill: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE no-prefill: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE no-prefill: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE no-prefill: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE no-prefill: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE no-prefill: in_block_table I32 [3, 1] = 0 if t < 2 else -(2**31)
// CASE no-prefill: in_seq_lens I32 [3] = 1 if i < 2 else 2**31 - 1
// CASE no-prefill: in_n I32 [1] = 2
// CASE no-prefill: in_q BF16 [0, 2, 24] = 0.0 if t < 0 else nan
// CASE no-prefill: in_k BF16 [0, 2, 24] = 1.0
// CASE no-prefill: in_v BF16 [0, 2, 64] = 3.0 if t < 0 else nan
// CASE no-prefill: in_cu_q I32 [2] = 0 * i
// CASE no-prefill: in_cu_k I32 [2] = 0 * i
// CASE no-prefill: in_o BF16 [3, 128] = -7.0
// CASE no-prefill: out_o BF16 [3, 128] = (2.0 if t < 3 else 3.0) if t < 2 else -7.0

// CASE quantized-no-prefill: in_q_nope BF16 [3, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE quantized-no-prefill: in_q_pe BF16 [3, 1, 2, 8] = 1.0 if t < 4 else nan
// CASE quantized-no-prefill: in_w_uk BF16 [2, 8, 16] = 1.0
// CASE quantized-no-prefill: in_w_uv BF16 [2, 16, 64] = 1.0 if t % 16 == 0 else 0.0
// CASE quantized-no-prefill: in_cache BF16 [1, 4, 24] = (2.0 if i == 0 else 1.0) if t == 0 else nan
// CASE quantized-no-prefill: in_block_table I32 [3, 1] = 0 if t < 2 else -(2**31)
// CASE quantized-no-prefill: in_seq_lens I32 [3] = 1 if i < 2 else 2**31 - 1
// CASE quantized-no-prefill: in_n I32 [1] = 2
// CASE quantized-no-prefill: in_q BF16 [0, 2, 24] = 0.0 if t < 0 else nan
// CASE quantized-no-prefill: in_k BF16 [0, 2, 24] = 1.0
// CASE quantized-no-prefill: in_v BF16 [0, 2, 64] = 3.0 if t < 0 else nan
// CASE quantized-no-prefill: in_cu_q I32 [2] = 0 * i
// CASE quantized-no-prefill: in_cu_k I32 [2] = 0 * i
// CASE quantized-no-prefill: in_o F8_E4M3 [3, 128] = -7.0
// CASE quantized-no-prefill: in_scale F32 [1, 4] = -7.0
// CASE quantized-no-prefill: out_o F8_E4M3 [3, 128] = 448.0 if t < 2 else -7.0
// CASE quantized-no-prefill: out_scale F32 [1, 4] = 0.0 if i >= 3 else f32((2.0 if i < 3 else 3.0) / 448) if i < 2 else -7.0

// RUN: %compile_both
// RUN: %case_both plain all
// RUN: %case_both plain in-decode
// RUN: %case_both quantized quantized-in-decode
// RUN: %case_both chain quantized-in-decode
// RUN: %case_both plain in-prefill
// RUN: %case_both quantized quantized-in-prefill
// RUN: %case_both chain quantized-in-prefill
// RUN: %case_both plain none
// RUN: %case_both plain no-decode
// RUN: %case_both quantized quantized-no-decode
// RUN: %case_both chain quantized-no-decode
// RUN: %case_both plain no-prefill
// RUN: %case_both quantized quantized-no-prefill
// RUN: %case_both chain quantized-no-prefill

// The chain does fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize
// CHECK-COUNT-3: mlafuse.mla_attention

func.func @plain(%qn: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_nope"}, %qp: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x8x16xbf16> {mlafuse.name = "in_w_uk"}, %wv: tensor<2x16x64xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x4x24xbf16> {mlafuse.name = "in_cache"}, %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %q: tensor<?x2x24xbf16> {mlafuse.name = "in_q"}, %k: tensor<?x2x24xbf16> {mlafuse.name = "in_k"}, %v: tensor<?x2x64xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_q"}, %ck: tensor<?xi32> {mlafuse.name = "in_cu_k"},
    %o_out: tensor<?x128xbf16> {mlafuse.name = "in_o"})
    -> (tensor<?x128xbf16> {mlafuse.name = "out_o"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %qn, %c0 : tensor<?x1x2x8xbf16>
  %o = mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %cache, %q, %k, %v, %cq, %ck : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x64xbf16>, tensor<?x4x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x64xbf16>, tensor<?xi32>, tensor<?xi32>)
      decode_rows(%rows : index) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o_out : tensor<?x128xbf16>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, causal} -> tensor<?x128xbf16>
  return %o : tensor<?x128xbf16>
}

func.func @quantized(%qn: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_nope"}, %qp: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x8x16xbf16> {mlafuse.name = "in_w_uk"}, %wv: tensor<2x16x64xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x4x24xbf16> {mlafuse.name = "in_cache"}, %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %q: tensor<?x2x24xbf16> {mlafuse.name = "in_q"}, %k: tensor<?x2x24xbf16> {mlafuse.name = "in_k"}, %v: tensor<?x2x64xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_q"}, %ck: tensor<?xi32> {mlafuse.name = "in_cu_k"},
    %o_out: tensor<?x128xf8E4M3FN> {mlafuse.name = "in_o"}, %s_out: tensor<1x?xf32> {mlafuse.name = "in_scale"})
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_o"}, tensor<1x?xf32> {mlafuse.name = "out_scale"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %qn, %c0 : tensor<?x1x2x8xbf16>
  %o, %scale = mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %cache, %q, %k, %v, %cq, %ck : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x64xbf16>, tensor<?x4x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x64xbf16>, tensor<?xi32>, tensor<?xi32>)
      decode_rows(%rows : index) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
  return %o, %scale : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
}

func.func @chain(%qn: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_nope"}, %qp: tensor<?x1x2x8xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x8x16xbf16> {mlafuse.name = "in_w_uk"}, %wv: tensor<2x16x64xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x4x24xbf16> {mlafuse.name = "in_cache"}, %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %q: tensor<?x2x24xbf16> {mlafuse.name = "in_q"}, %k: tensor<?x2x24xbf16> {mlafuse.name = "in_k"}, %v: tensor<?x2x64xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_q"}, %ck: tensor<?xi32> {mlafuse.name = "in_cu_k"},
    %o_out: tensor<?x128xf8E4M3FN> {mlafuse.name = "in_o"}, %s_out: tensor<1x?xf32> {mlafuse.name = "in_scale"})
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_o"}, tensor<1x?xf32> {mlafuse.name = "out_scale"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %qn, %c0 : tensor<?x1x2x8xbf16>
  %t = tensor.dim %o_out, %c0 : tensor<?x128xf8E4M3FN>
  %tmp = tensor.empty(%t) : tensor<?x128xbf16>
  %whole = mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %cache, %q, %k, %v, %cq, %ck : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x64xbf16>, tensor<?x4x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x64xbf16>, tensor<?xi32>, tensor<?xi32>)
      decode_rows(%rows : index) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%tmp : tensor<?x128xbf16>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, causal} -> tensor<?x128xbf16>
  %o, %scale = mlafuse.quantize ins(%whole : tensor<?x128xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%o_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
  return %o, %scale : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
}
