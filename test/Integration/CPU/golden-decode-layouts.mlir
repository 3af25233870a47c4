// mla_decode of eight heads: bf16, and quantized into several layouts of scales,
// from the rounded and (functions in _contracted) from the f32 result; unfused and
// fused.

// RUN: %compile_both
// RUN: %golden_both bf16 decode-h8_v128_small --partial
// RUN: %golden_both static decode-h8_v128_small --partial
// RUN: %golden_both static_contracted decode-h8_v128_small --partial --against-contracted
// RUN: %golden_both g128_ue8m0_tma decode-h8_v128_small --partial
// RUN: %golden_both g128_ue8m0_tma_contracted decode-h8_v128_small --partial --against-contracted
// RUN: %golden_both g64_col decode-h8_v128_small --partial
// RUN: %golden_both g64_col_contracted decode-h8_v128_small --partial --against-contracted
// RUN: %golden_both nvfp4_swizzled decode-h8_v128_small --partial
// RUN: %golden_both nvfp4_swizzled_contracted decode-h8_v128_small --partial --against-contracted

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize
// CHECK-COUNT-9: mlafuse.mla_decode

func.func @bf16(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %o_out: tensor<?x1024xbf16>,
    %lse_out: tensor<?x8xf32>)
    -> (tensor<?x1024xbf16> {mlafuse.name = "out_o"}, tensor<?x8xf32> {mlafuse.name = "out_lse"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %lse_3 = tensor.expand_shape %lse_out [[0, 1], [2]] output_shape [%b, 1, 8] : tensor<?x8xf32> into tensor<?x1x8xf32>
  %o, %l3 = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_3 : tensor<?x1024xbf16>, tensor<?x1x8xf32>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xbf16>, tensor<?x1x8xf32>
  %lse = tensor.collapse_shape %l3 [[0, 1], [2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  return %o, %lse : tensor<?x1024xbf16>, tensor<?x8xf32>
}

func.func @static(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"}, %q_out: tensor<?x1024xf8E4M3FN>)
    -> (tensor<?x1024xf8E4M3FN> {mlafuse.name = "out_fp8_static"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xbf16>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xbf16>
  %q = mlafuse.quantize ins(%o : tensor<?x1024xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x1024xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x1024xf8E4M3FN>
  return %q : tensor<?x1024xf8E4M3FN>
}

func.func @static_contracted(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"}, %q_out: tensor<?x1024xf8E4M3FN>)
    -> (tensor<?x1024xf8E4M3FN> {mlafuse.name = "out_fp8_static"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xf32>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xf32>
  %q = mlafuse.quantize ins(%o : tensor<?x1024xf32>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x1024xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x1024xf8E4M3FN>
  return %q : tensor<?x1024xf8E4M3FN>
}

func.func @g128_ue8m0_tma(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x1024xf8E4M3FN>,
    %s_out: tensor<8x?xf32>)
    -> (tensor<?x1024xf8E4M3FN> {mlafuse.name = "out_fp8_g128_ue8m0_tma"}, tensor<8x?xf32> {mlafuse.name = "out_fp8_g128_ue8m0_tma_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xbf16>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xbf16>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x1024xbf16>) outs(%q_out, %s_out : tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>
  return %q, %s : tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>
}

func.func @g128_ue8m0_tma_contracted(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x1024xf8E4M3FN>,
    %s_out: tensor<8x?xf32>)
    -> (tensor<?x1024xf8E4M3FN> {mlafuse.name = "out_fp8_g128_ue8m0_tma"}, tensor<8x?xf32> {mlafuse.name = "out_fp8_g128_ue8m0_tma_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xf32>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xf32>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x1024xf32>) outs(%q_out, %s_out : tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>
  return %q, %s : tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>
}

func.func @g64_col(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x1024xf8E4M3FN>,
    %s_out: tensor<16x?xf32>)
    -> (tensor<?x1024xf8E4M3FN> {mlafuse.name = "out_fp8_g64_col"}, tensor<16x?xf32> {mlafuse.name = "out_fp8_g64_col_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xbf16>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xbf16>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x1024xbf16>) outs(%q_out, %s_out : tensor<?x1024xf8E4M3FN>, tensor<16x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x1024xf8E4M3FN>, tensor<16x?xf32>
  return %q, %s : tensor<?x1024xf8E4M3FN>, tensor<16x?xf32>
}

func.func @g64_col_contracted(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x1024xf8E4M3FN>,
    %s_out: tensor<16x?xf32>)
    -> (tensor<?x1024xf8E4M3FN> {mlafuse.name = "out_fp8_g64_col"}, tensor<16x?xf32> {mlafuse.name = "out_fp8_g64_col_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xf32>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xf32>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x1024xf32>) outs(%q_out, %s_out : tensor<?x1024xf8E4M3FN>, tensor<16x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x1024xf8E4M3FN>, tensor<16x?xf32>
  return %q, %s : tensor<?x1024xf8E4M3FN>, tensor<16x?xf32>
}

func.func @nvfp4_swizzled(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %g: tensor<1xf32> {mlafuse.name = "in_output_global_scale"}, %q_out: tensor<?x512xi8>,
    %s_out: tensor<?x64xf8E4M3FN>)
    -> (tensor<?x512xi8> {mlafuse.name = "out_nvfp4_swizzled"}, tensor<?x64xf8E4M3FN> {mlafuse.name = "out_nvfp4_swizzled_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xbf16>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xbf16>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x1024xbf16>) global_scale(%g : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x512xi8>, tensor<?x64xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x512xi8>, tensor<?x64xf8E4M3FN>
  return %q, %s : tensor<?x512xi8>, tensor<?x64xf8E4M3FN>
}

func.func @nvfp4_swizzled_contracted(%qn: tensor<?x8x32xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x8x16xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<8x32x64xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<8x64x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %g: tensor<1xf32> {mlafuse.name = "in_output_global_scale"}, %q_out: tensor<?x512xi8>,
    %s_out: tensor<?x64xf8E4M3FN>)
    -> (tensor<?x512xi8> {mlafuse.name = "out_nvfp4_swizzled"}, tensor<?x64xf8E4M3FN> {mlafuse.name = "out_nvfp4_swizzled_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x8x32xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 8, 32] : tensor<?x8x32xbf16> into tensor<?x1x8x32xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 8, 16] : tensor<?x8x16xbf16> into tensor<?x1x8x16xbf16>
  %tmp = tensor.empty(%b) : tensor<?x1024xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x8x32xbf16>, tensor<?x1x8x16xbf16>, tensor<8x32x64xbf16>, tensor<8x64x128xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x1024xf32>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024xf32>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x1024xf32>) global_scale(%g : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x512xi8>, tensor<?x64xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x512xi8>, tensor<?x64xf8E4M3FN>
  return %q, %s : tensor<?x512xi8>, tensor<?x64xf8E4M3FN>
}
