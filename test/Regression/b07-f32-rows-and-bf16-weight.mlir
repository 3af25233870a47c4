// f32 rows with a bf16 weight fuse. Converted to bf16 in between they do not, and the
// remark says so: the fused op has no form that rounds there.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text | FileCheck %s

// CHECK-LABEL: func.func @f32(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x256xf32>, tensor<256xbf16>)
// CHECK-LABEL: func.func @to_bf16(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
// CHECK: passed MLAFUSE-F001 norm-quantize in @f32
// CHECK: missed MLAFUSE-F016 intermediate-type in @to_bf16: {{.*}}: the value between is converted to another type ('arith.truncf' at
func.func @f32(%x: tensor<?x256xf32>, %w: tensor<256xbf16>, %y: tensor<?x256xf32>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<?x256xf32>, tensor<256xbf16>) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xf32>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x256xf32>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
func.func @to_bf16(%x: tensor<?x256xf32>, %w: tensor<256xbf16>, %y: tensor<?x256xf32>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<?x256xf32>, tensor<256xbf16>) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xf32>
  %h = arith.truncf %n : tensor<?x256xf32> to tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%h : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
