// A reshape between norm and quantization: both ways it fuses, with no copy, and
// groups stay what they were. One that splits rows does not, and says so.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text | FileCheck %s
// RUN: mlafuse-compile %s --emit=lowered | FileCheck %s --check-prefix=LOWERED --implicit-check-not=memref.copy --implicit-check-not='memref.alloc('
// LOWERED-COUNT-3: func.func @

// CHECK-LABEL: func.func @collapse(
// CHECK: mlafuse.rms_norm_quantize {{.*}} tensor<4x8x576xf8E4M3FN>, tensor<32x9xf32>
// CHECK-NOT: mlafuse.quantize
func.func @collapse(%x: tensor<4x8x576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<4x8x576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %n [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}

// CHECK-LABEL: func.func @expand(
// CHECK: mlafuse.rms_norm_quantize {{.*}} tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
// CHECK-NOT: mlafuse.quantize
func.func @expand(%x: tensor<32x576xbf16>, %y: tensor<32x576xbf16>, %q: tensor<4x8x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<4x8x576xf8E4M3FN>, tensor<32x9xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<32x576xbf16>) outs(%y : tensor<32x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<32x576xbf16>
  %r = tensor.expand_shape %n [[0, 1], [2]] output_shape [4, 8, 576] : tensor<32x576xbf16> into tensor<4x8x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<4x8x576xbf16>) outs(%q, %s : tensor<4x8x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<4x8x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<4x8x576xf8E4M3FN>, tensor<32x9xf32>
}

// 576 is not a multiple of 128, 1152 is: a group would straddle two rows.
// CHECK-LABEL: func.func @straddle(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
func.func @straddle(%x: tensor<4x8x576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<16x1152xf8E4M3FN>, %s: tensor<16x9xf32>) -> (tensor<16x1152xf8E4M3FN>, tensor<16x9xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<4x8x576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %e = tensor.expand_shape %n [[0], [1, 2], [3]] output_shape [4, 4, 2, 576] : tensor<4x8x576xbf16> into tensor<4x4x2x576xbf16>
  %r = tensor.collapse_shape %e [[0, 1], [2, 3]] : tensor<4x4x2x576xbf16> into tensor<16x1152xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<16x1152xbf16>) outs(%q, %s : tensor<16x1152xf8E4M3FN>, tensor<16x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<16x1152xf8E4M3FN>, tensor<16x9xf32>
  return %c#0, %c#1 : tensor<16x1152xf8E4M3FN>, tensor<16x9xf32>
}

// CHECK: passed MLAFUSE-F001 norm-quantize in @collapse
// CHECK: passed MLAFUSE-F001 norm-quantize in @expand
// CHECK: missed MLAFUSE-F018 reshape in @straddle
