// RUN: mlafuse-opt %s --mlafuse-fuse | FileCheck %s

// One of two equal quantizations goes, if nothing sees its destination. That the
// default layout is written out makes no difference.
// CHECK-LABEL: func.func @scratch_later(
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.rms_norm_quantize {{.*}} outs(%arg3, %arg4 :
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#0, %[[R]]#1
func.func @scratch_later(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x2xf32>, %t: index) -> (tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  %qe = tensor.empty(%t) : tensor<?x256xf8E4M3FN>
  %se = tensor.empty(%t) : tensor<?x2xf32>
  %d:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%qe, %se : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %c#0, %c#1, %d#0, %d#1 : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

// The arguments are written, whichever was written first in the text.
// CHECK-LABEL: func.func @scratch_first(
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.rms_norm_quantize {{.*}} outs(%arg3, %arg4 :
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#0, %[[R]]#1
func.func @scratch_first(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x2xf32>, %t: index) -> (tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %qe = tensor.empty(%t) : tensor<?x256xf8E4M3FN>
  %se = tensor.empty(%t) : tensor<?x2xf32>
  %d:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%qe, %se : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %c#0, %c#1, %d#0, %d#1 : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

// The caller looks at both destinations.
// CHECK-LABEL: func.func @two_arguments(
// CHECK: mlafuse.rms_norm_quantize {{.*}} outs(%arg3, %arg2 :
// CHECK-NEXT: mlafuse.quantize {{.*}} outs(%arg4 :
func.func @two_arguments(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %q2: tensor<?x256xf8E4M3FN>, %s: tensor<1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %d = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q2 : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  %c = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %c, %d : tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>
}

// Another scale is another quantization.
// CHECK-LABEL: func.func @two_scales(
// CHECK: mlafuse.rms_norm_quantize
// CHECK: mlafuse.quantize
func.func @two_scales(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %t: index, %s: tensor<1xf32>, %s2: tensor<1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  %e = tensor.empty(%t) : tensor<?x256xf8E4M3FN>
  %d = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s2 : tensor<1xf32>) outs(%e : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %c, %d : tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>
}

// Past the count, each result is what its own destination was.
// CHECK-LABEL: func.func @rows_that_stay(
// CHECK-COUNT-2: mlafuse.quantize
func.func @rows_that_stay(%v: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %t: index, %s: tensor<1xf32>, %n: tensor<1xi32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>) {
  %c = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) num_actual_tokens(%n : tensor<1xi32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  %z = arith.constant 0.0 : f8E4M3FN
  %e = tensor.splat %z[%t] : tensor<?x256xf8E4M3FN>
  %d = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) num_actual_tokens(%n : tensor<1xi32>) outs(%e : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %c, %d : tensor<?x256xf8E4M3FN>, tensor<?x256xf8E4M3FN>
}
