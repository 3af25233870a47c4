// x / s and x * (1 / s) differ in the last bit of a code, so they are two rules, and
// quantizations that differ in it are not merged.
// RUN: mlafuse-opt %s --mlafuse-fuse | FileCheck %s
// CHECK-LABEL: func.func @two_rules(
// CHECK: quotient = divide
// CHECK: quotient = reciprocal
// CHECK-LABEL: func.func @one_rule(
// CHECK: mlafuse.rms_norm_quantize
// CHECK-NOT: mlafuse.quantize
func.func @two_rules(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<1xf32>, %t: index) -> (tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %a = mlafuse.quantize ins(%n : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>, scale_rule = #mlafuse.scale_rule<quotient = divide>} -> tensor<?x256xf8E4M3FN>
  %e = tensor.empty(%t) : tensor<?x256xf8E4M3FN>
  %b = mlafuse.quantize ins(%n : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%e : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>, scale_rule = #mlafuse.scale_rule<quotient = reciprocal>} -> tensor<?x256xf8E4M3FN>
  return %a, %b : tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>
}
// Reciprocal is what the key does by default: one quantization in two spellings.
func.func @one_rule(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<1xf32>, %t: index) -> (tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %a = mlafuse.quantize ins(%n : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  %e = tensor.empty(%t) : tensor<?x256xf8E4M3FN>
  %b = mlafuse.quantize ins(%n : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%e : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>, scale_rule = #mlafuse.scale_rule<quotient = reciprocal>} -> tensor<?x256xf8E4M3FN>
  return %a, %b : tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>
}
