// mla_decode with the widths of DeepSeek-V3, of two heads: bf16,
// and quantized by every key that its golden file has, from the rounded and
// (functions in _contracted) from the f32 result; unfused and fused.

// RUN: %compile_both
// RUN: %golden_both bf16 decode-h2_v128_real --partial
// RUN: %golden_both static decode-h2_v128_real --partial
// RUN: %golden_both static_contracted decode-h2_v128_real --partial --against-contracted
// RUN: %golden_both g128 decode-h2_v128_real --partial
// RUN: %golden_both g128_contracted decode-h2_v128_real --partial --against-contracted
// RUN: %golden_both g64 decode-h2_v128_real --partial
// RUN: %golden_both g64_contracted decode-h2_v128_real --partial --against-contracted
// RUN: %golden_both nvfp4 decode-h2_v128_real --partial
// RUN: %golden_both nvfp4_contracted decode-h2_v128_real --partial --against-contracted

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize
// CHECK-COUNT-9: mlafuse.mla_decode

func.func @bf16(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %o_out: tensor<?x256xbf16>,
    %lse_out: tensor<?x2xf32>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %lse_3 = tensor.expand_shape %lse_out [[0, 1], [2]] output_shape [%b, 1, 2] : tensor<?x2xf32> into tensor<?x1x2xf32>
  %o, %l3 = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_3 : tensor<?x256xbf16>, tensor<?x1x2xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xbf16>, tensor<?x1x2xf32>
  %lse = tensor.collapse_shape %l3 [[0, 1], [2]] : tensor<?x1x2xf32> into tensor<?x2xf32>
  return %o, %lse : tensor<?x256xbf16>, tensor<?x2xf32>
}

func.func @static(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"}, %q_out: tensor<?x256xf8E4M3FN>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_static"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xbf16>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xbf16>
  %q = mlafuse.quantize ins(%o : tensor<?x256xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x256xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %q : tensor<?x256xf8E4M3FN>
}

func.func @static_contracted(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"}, %q_out: tensor<?x256xf8E4M3FN>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_static"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xf32>
  %q = mlafuse.quantize ins(%o : tensor<?x256xf32>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x256xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %q : tensor<?x256xf8E4M3FN>
}

func.func @g128(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xbf16>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xbf16>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @g128_contracted(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xf32>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x256xf32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @g64(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x4xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g64"}, tensor<?x4xf32> {mlafuse.name = "out_fp8_g64_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xbf16>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xbf16>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x4xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x4xf32>
}

func.func @g64_contracted(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x4xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g64"}, tensor<?x4xf32> {mlafuse.name = "out_fp8_g64_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xf32>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x256xf32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x4xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x4xf32>
}

func.func @nvfp4(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %g: tensor<1xf32> {mlafuse.name = "in_output_global_scale"}, %q_out: tensor<?x128xi8>,
    %s_out: tensor<?x16xf8E4M3FN>)
    -> (tensor<?x128xi8> {mlafuse.name = "out_nvfp4"}, tensor<?x16xf8E4M3FN> {mlafuse.name = "out_nvfp4_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xbf16>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xbf16>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xbf16>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x256xbf16>) global_scale(%g : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
  return %q, %s : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
}

func.func @nvfp4_contracted(%qn: tensor<?x2x128xbf16> {mlafuse.name = "in_q_nope"},
    %qp: tensor<?x2x64xbf16> {mlafuse.name = "in_q_pe"},
    %wk: tensor<2x128x512xbf16> {mlafuse.name = "in_w_uk"},
    %wv: tensor<2x512x128xbf16> {mlafuse.name = "in_w_uv"},
    %cache: tensor<?x16x576xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"},
    %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %g: tensor<1xf32> {mlafuse.name = "in_output_global_scale"}, %q_out: tensor<?x128xi8>,
    %s_out: tensor<?x16xf8E4M3FN>)
    -> (tensor<?x128xi8> {mlafuse.name = "out_nvfp4"}, tensor<?x16xf8E4M3FN> {mlafuse.name = "out_nvfp4_scale"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %qn, %c0 : tensor<?x2x128xbf16>
  %qn4 = tensor.expand_shape %qn [[0, 1], [2], [3]] output_shape [%b, 1, 2, 128] : tensor<?x2x128xbf16> into tensor<?x1x2x128xbf16>
  %qp4 = tensor.expand_shape %qp [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64] : tensor<?x2x64xbf16> into tensor<?x1x2x64xbf16>
  %tmp = tensor.empty(%b) : tensor<?x256xf32>
  %o = mlafuse.mla_decode ins(%qn4, %qp4, %wk, %wv, %cache : tensor<?x1x2x128xbf16>, tensor<?x1x2x64xbf16>, tensor<2x128x512xbf16>, tensor<2x512x128xbf16>, tensor<?x16x576xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%tmp : tensor<?x256xf32>)
      {softmax_scale = 0.07216878364870322 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x256xf32>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x256xf32>) global_scale(%g : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
  return %q, %s : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
}
