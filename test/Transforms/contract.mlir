// RUN: mlafuse-opt %s --mlafuse-contract | FileCheck %s
// Contracted ops are a normal form of their own.
// RUN: mlafuse-opt %s --mlafuse-contract --mlafuse-fuse | FileCheck %s

// CHECK-LABEL: func.func @norm
// CHECK: mlafuse.rms_norm_quantize {{.*}} numerics = #mlafuse.numerics<contracted>, rounding = #mlafuse.rounding<result>
func.func @norm(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>, %q: tensor<?x64xf8E4M3FN>, %s: tensor<?x1xf32>)
    -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>) {
  %0:2 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x64xbf16>, tensor<64xbf16>) outs(%q, %s : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
  return %0#0, %0#1 : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @projection
// CHECK: mlafuse.head_projection {{.*}} numerics = #mlafuse.numerics<contracted>
func.func @projection(%x: tensor<?x1x2x16xbf16>, %w: tensor<2x16x64xbf16>, %q: tensor<?x128xf8E4M3FN>, %s: tensor<?x2xf32>)
    -> (tensor<?x128xf8E4M3FN>, tensor<?x2xf32>) {
  %0:2 = mlafuse.head_projection ins(%x, %w : tensor<?x1x2x16xbf16>, tensor<2x16x64xbf16>) outs(%q, %s : tensor<?x128xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x2xf32>
  return %0#0, %0#1 : tensor<?x128xf8E4M3FN>, tensor<?x2xf32>
}

// An f32 model has nothing to contract, and an unfused op stays as it is.
// CHECK-LABEL: func.func @as_it_is
// CHECK-NOT: contracted
// CHECK: return
func.func @as_it_is(%x: tensor<?x64xf32>, %b: tensor<?x64xbf16>, %q: tensor<?x64xf8E4M3FN>, %s: tensor<?x1xf32>, %y: tensor<?x64xbf16>)
    -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<?x64xbf16>) {
  %0:2 = mlafuse.rms_norm_quantize ins(%x : tensor<?x64xf32>) outs(%q, %s : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
  %1 = mlafuse.rms_norm ins(%b : tensor<?x64xbf16>) outs(%y : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0#0, %0#1, %1 : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<?x64xbf16>
}
