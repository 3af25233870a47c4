// merge_attn_states against its golden file, with parts that saw nothing: bf16 with
// lse, and quantized from the rounded and from the f32 result, as one op and as the
// chain that becomes one.

// RUN: %compile_both
// RUN: %golden_both bf16 merge-t5_h4 --partial
// RUN: %golden_both static_op merge-t5_h4 --partial
// RUN: %golden_both static_chain merge-t5_h4 --partial
// RUN: %golden_both static_op_contracted merge-t5_h4 --partial --against-contracted
// RUN: %golden_both static_chain_contracted merge-t5_h4 --partial --against-contracted
// RUN: %golden_both g128_op merge-t5_h4 --partial
// RUN: %golden_both g128_chain merge-t5_h4 --partial
// RUN: %golden_both g128_op_contracted merge-t5_h4 --partial --against-contracted
// RUN: %golden_both g128_chain_contracted merge-t5_h4 --partial --against-contracted

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize
// CHECK-COUNT-9: mlafuse.merge_attn_states

func.func @bf16(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %o_out: tensor<?x4x128xbf16>, %lse_out: tensor<?x4xf32>)
    -> (tensor<?x4x128xbf16> {mlafuse.name = "out_o"}, tensor<?x4xf32> {mlafuse.name = "out_lse"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : tensor<?x4x128xbf16>
  %o_rows = tensor.collapse_shape %o_out [[0], [1, 2]] : tensor<?x4x128xbf16> into tensor<?x512xbf16>
  %o, %lse = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>)
      outs(%o_rows, %lse_out : tensor<?x512xbf16>, tensor<?x4xf32>) -> tensor<?x512xbf16>, tensor<?x4xf32>
  %o_heads = tensor.expand_shape %o [[0], [1, 2]] output_shape [%t, 4, 128] : tensor<?x512xbf16> into tensor<?x4x128xbf16>
  return %o_heads, %lse : tensor<?x4x128xbf16>, tensor<?x4xf32>
}

func.func @static_op(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"},
    %q_out: tensor<?x512xf8E4M3FN>, %lse_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_static"},
        tensor<?x4xf32> {mlafuse.name = "out_lse"}) {
  %q, %lse = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>)
      scale(%scale : tensor<1xf32>) outs(%q_out, %lse_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q, %lse : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}

func.func @static_chain(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"},
    %q_out: tensor<?x512xf8E4M3FN>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_static"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : tensor<?x4x128xbf16>
  %tmp = tensor.empty(%t) : tensor<?x512xbf16>
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>) outs(%tmp : tensor<?x512xbf16>) -> tensor<?x512xbf16>
  %q = mlafuse.quantize ins(%o : tensor<?x512xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x512xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %q : tensor<?x512xf8E4M3FN>
}

func.func @static_op_contracted(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"},
    %q_out: tensor<?x512xf8E4M3FN>, %lse_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_static"},
        tensor<?x4xf32> {mlafuse.name = "out_lse"}) {
  %q, %lse = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>)
      scale(%scale : tensor<1xf32>) outs(%q_out, %lse_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q, %lse : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}

func.func @static_chain_contracted(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %scale: tensor<1xf32> {mlafuse.name = "in_output_scale"},
    %q_out: tensor<?x512xf8E4M3FN>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_static"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : tensor<?x4x128xbf16>
  %tmp = tensor.empty(%t) : tensor<?x512xf32>
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>) outs(%tmp : tensor<?x512xf32>) -> tensor<?x512xf32>
  %q = mlafuse.quantize ins(%o : tensor<?x512xf32>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x512xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %q : tensor<?x512xf8E4M3FN>
}

func.func @g128_op(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x4xf32>, %lse_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x4xf32> {mlafuse.name = "out_fp8_g128_scale"},
        tensor<?x4xf32> {mlafuse.name = "out_lse"}) {
  %q, %s, %lse = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>)
      outs(%q_out, %s_out, %lse_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x4xf32>
  return %q, %s, %lse : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @g128_chain(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x4xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : tensor<?x4x128xbf16>
  %tmp = tensor.empty(%t) : tensor<?x512xbf16>
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>) outs(%tmp : tensor<?x512xbf16>) -> tensor<?x512xbf16>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}

func.func @g128_op_contracted(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x4xf32>, %lse_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x4xf32> {mlafuse.name = "out_fp8_g128_scale"},
        tensor<?x4xf32> {mlafuse.name = "out_lse"}) {
  %q, %s, %lse = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>)
      outs(%q_out, %s_out, %lse_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x4xf32>
  return %q, %s, %lse : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @g128_chain_contracted(%a: tensor<?x4x128xbf16> {mlafuse.name = "in_o_a"}, %la: tensor<?x4xf32> {mlafuse.name = "in_lse_a"},
    %b: tensor<?x4x128xbf16> {mlafuse.name = "in_o_b"}, %lb: tensor<?x4xf32> {mlafuse.name = "in_lse_b"},
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x4xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : tensor<?x4x128xbf16>
  %tmp = tensor.empty(%t) : tensor<?x512xf32>
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>) outs(%tmp : tensor<?x512xf32>) -> tensor<?x512xf32>
  %q, %s = mlafuse.quantize ins(%o : tensor<?x512xf32>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}
