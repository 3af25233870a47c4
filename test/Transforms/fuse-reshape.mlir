// RUN: mlafuse-opt %s --mlafuse-fuse --remarks-filter=mlafuse-fuse 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: mlafuse-opt %s --mlafuse-fuse > %t.once
// RUN: mlafuse-opt %t.once --mlafuse-fuse | diff %t.once -

// Rows stay whole, so the reshape moves above the norm, and groups stay what they
// were.
// CHECK-LABEL: func.func @collapsed(
// CHECK-NEXT: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%[[X]], %arg1 : tensor<32x576xbf16>, tensor<576xbf16>) outs(%arg3, %arg4 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>)
// CHECK-NEXT: return
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=collapsed
func.func @collapsed(%x: tensor<4x8x576xbf16>, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}

// CHECK-LABEL: func.func @expanded(
// CHECK-NEXT: %[[X:.*]] = tensor.expand_shape %arg0 {{\[}}[0, 1], [2]] output_shape [4, %arg5, 576] : tensor<?x576xbf16> into tensor<4x?x576xbf16>
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%[[X]], %arg1 : tensor<4x?x576xbf16>, tensor<576xbf16>)
// CHECK-NEXT: return
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=expanded
func.func @expanded(%x: tensor<?x576xbf16>, %w: tensor<576xbf16>, %y: tensor<?x576xbf16>, %q: tensor<4x?x576xf8E4M3FN>, %s: tensor<?x9xf32>, %n: index) -> (tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x576xbf16>, tensor<576xbf16>) outs(%y : tensor<?x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x576xbf16>
  %r = tensor.expand_shape %v [[0, 1], [2]] output_shape [4, %n, 576] : tensor<?x576xbf16> into tensor<4x?x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<4x?x576xbf16>) outs(%q, %s : tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>
  return %c#0, %c#1 : tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>
}

// A cast that learns a size; one that forgets it is folded into its user.
// CHECK-LABEL: func.func @cast_to_known_rows(
// CHECK-NEXT: %[[X:.*]] = tensor.cast %arg0 : tensor<?x576xbf16> to tensor<32x576xbf16>
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%[[X]], %arg1 : tensor<32x576xbf16>, tensor<576xbf16>) outs(%arg3, %arg4 :
// CHECK-NEXT: return
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=cast_to_known_rows
func.func @cast_to_known_rows(%x: tensor<?x576xbf16>, %w: tensor<576xbf16>, %y: tensor<?x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x576xbf16>, tensor<576xbf16>) outs(%y : tensor<?x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x576xbf16>
  %r = tensor.cast %v : tensor<?x576xbf16> to tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}

// A group would straddle two rows.
// CHECK-LABEL: func.func @rows_are_split(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
// REMARK: [Missed] MLAFUSE-F018 {{.*}}Function=rows_are_split {{.*}}a reshape between does not keep the rows
func.func @rows_are_split(%x: tensor<4x576xbf16>, %w: tensor<576xbf16>, %y: tensor<4x576xbf16>, %q: tensor<12x192xf8E4M3FN>, %s: tensor<12x3xf32>) -> (tensor<12x192xf8E4M3FN>, tensor<12x3xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x576xbf16>
  %e = tensor.expand_shape %v [[0], [1, 2]] output_shape [4, 3, 192] : tensor<4x576xbf16> into tensor<4x3x192xbf16>
  %r = tensor.collapse_shape %e [[0, 1], [2]] : tensor<4x3x192xbf16> into tensor<12x192xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<12x192xbf16>) outs(%q, %s : tensor<12x192xf8E4M3FN>, tensor<12x3xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<12x192xf8E4M3FN>, tensor<12x3xf32>
  return %c#0, %c#1 : tensor<12x192xf8E4M3FN>, tensor<12x3xf32>
}

// Collapsing a strided argument copies it.
// CHECK-LABEL: func.func @strided(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
// REMARK: [Missed] MLAFUSE-F018 {{.*}}Function=strided {{.*}}a reshape between cannot move above the producer without the risk of a copy ('tensor.collapse_shape' at
func.func @strided(%x: tensor<4x8x576xbf16> {mlafuse.strided}, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}

// The rows of a column range of whole, static rows are evenly spaced; with a
// dynamic size in between the type system cannot tell.
// CHECK-LABEL: func.func @slice_of_static_rows(
// CHECK: tensor.extract_slice
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: mlafuse.rms_norm_quantize
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=slice_of_static_rows
func.func @slice_of_static_rows(%p: tensor<4x8x640xbf16>, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %x = tensor.extract_slice %p[0, 0, 64] [4, 8, 576] [1, 1, 1] : tensor<4x8x640xbf16> to tensor<4x8x576xbf16>
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}
// CHECK-LABEL: func.func @slice_of_dynamic_rows(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
// REMARK: [Missed] MLAFUSE-F018 {{.*}}Function=slice_of_dynamic_rows {{.*}}without the risk of a copy
func.func @slice_of_dynamic_rows(%p: tensor<4x?x640xbf16>, %n: index, %w: tensor<576xbf16>, %y: tensor<4x?x576xbf16>, %q: tensor<?x576xf8E4M3FN>, %s: tensor<?x9xf32>) -> (tensor<?x576xf8E4M3FN>, tensor<?x9xf32>) {
  %x = tensor.extract_slice %p[0, 0, 64] [4, %n, 576] [1, 1, 1] : tensor<4x?x640xbf16> to tensor<4x?x576xbf16>
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x?x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x?x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x?x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x?x576xbf16> into tensor<?x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<?x576xbf16>) outs(%q, %s : tensor<?x576xf8E4M3FN>, tensor<?x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<?x576xf8E4M3FN>, tensor<?x9xf32>
  return %c#0, %c#1 : tensor<?x576xf8E4M3FN>, tensor<?x9xf32>
}

// The other user wants the shape that there was.
// CHECK-LABEL: func.func @second_user(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
// REMARK: [Missed] MLAFUSE-F018 {{.*}}Function=second_user {{.*}}a reshape between cannot move above the producer, whose result has another user
func.func @second_user(%x: tensor<4x8x576xbf16>, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>, tensor<4x8x576xbf16>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1, %v : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>, tensor<4x8x576xbf16>
}
// REMARK-NOT: MLAFUSE
