// RUN: mlafuse-opt %s --mlafuse-fuse --remarks-filter=mlafuse-fuse 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: mlafuse-opt %s --mlafuse-fuse > %t.once
// RUN: mlafuse-opt %t.once --mlafuse-fuse | diff %t.once -

// Rows stay whole, so the reshape moves below the quantization: codes are written
// through it, and groups stay what they were.
// CHECK-LABEL: func.func @collapsed(
// CHECK-NEXT: %[[Q:.*]] = tensor.expand_shape %arg3 {{\[}}[0, 1], [2]] output_shape [4, 8, 576] : tensor<32x576xf8E4M3FN> into tensor<4x8x576xf8E4M3FN>
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%[[Q]], %arg4 : tensor<4x8x576xf8E4M3FN>, tensor<32x9xf32>)
// CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %[[R]]#0 {{\[}}[0, 1], [2]] : tensor<4x8x576xf8E4M3FN> into tensor<32x576xf8E4M3FN>
// CHECK-NEXT: return %[[C]], %[[R]]#1
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=collapsed
func.func @collapsed(%x: tensor<4x8x576xbf16>, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}

// CHECK-LABEL: func.func @expanded(
// CHECK-NEXT: %[[Q:.*]] = tensor.collapse_shape %arg3 {{\[}}[0, 1], [2]] : tensor<4x?x576xf8E4M3FN> into tensor<?x576xf8E4M3FN>
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x576xbf16>, tensor<576xbf16>) outs(%[[Q]], %arg4 :
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[R]]#0 {{\[}}[0, 1], [2]] output_shape [4, %arg5, 576] : tensor<?x576xf8E4M3FN> into tensor<4x?x576xf8E4M3FN>
// CHECK-NEXT: return %[[E]], %[[R]]#1
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=expanded
func.func @expanded(%x: tensor<?x576xbf16>, %w: tensor<576xbf16>, %y: tensor<?x576xbf16>, %q: tensor<4x?x576xf8E4M3FN>, %s: tensor<?x9xf32>, %n: index) -> (tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x576xbf16>, tensor<576xbf16>) outs(%y : tensor<?x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x576xbf16>
  %r = tensor.expand_shape %v [[0, 1], [2]] output_shape [4, %n, 576] : tensor<?x576xbf16> into tensor<4x?x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<4x?x576xbf16>) outs(%q, %s : tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>
  return %c#0, %c#1 : tensor<4x?x576xf8E4M3FN>, tensor<?x9xf32>
}

// A quantization needs no cast of what it reads.
// CHECK-LABEL: func.func @cast_to_known_rows(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x576xbf16>, tensor<576xbf16>) outs(%arg3, %arg4 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>)
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

// Strided codes cannot be reshaped for free; the norm's input and destination can.
// CHECK-LABEL: func.func @strided_codes(
// CHECK-NEXT: %[[X:.*]] = tensor.collapse_shape %arg0
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%[[X]], %arg1 : tensor<32x576xbf16>, tensor<576xbf16>) outs(%arg3, %arg4 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>)
// CHECK-NEXT: return
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=strided_codes
func.func @strided_codes(%x: tensor<4x8x576xbf16>, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN> {mlafuse.strided}, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}

// Neither can; or the norm has another user, who wants its value as it is.
// CHECK-LABEL: func.func @both_strided(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
// REMARK: [Missed] MLAFUSE-F018 {{.*}}Function=both_strided {{.*}}a reshape between cannot move to the other side of the quantization without the risk of a copy ('tensor.collapse_shape' at
func.func @both_strided(%x: tensor<4x8x576xbf16> {mlafuse.strided}, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN> {mlafuse.strided}, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1 : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
}
// CHECK-LABEL: func.func @strided_codes_and_a_second_user(
// CHECK: mlafuse.rms_norm ins
// CHECK: mlafuse.quantize
// REMARK: [Missed] MLAFUSE-F018 {{.*}}Function=strided_codes_and_a_second_user
func.func @strided_codes_and_a_second_user(%x: tensor<4x8x576xbf16>, %w: tensor<576xbf16>, %y: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN> {mlafuse.strided}, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>, tensor<4x8x576xbf16>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) outs(%y : tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>
  %r = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1, %v : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>, tensor<4x8x576xbf16>
}

// The strided input stays as it is, and a sibling stays one.
// CHECK-LABEL: func.func @siblings(
// CHECK: %[[Q:.*]] = tensor.expand_shape %arg5
// CHECK: %[[R:.*]]:3 = mlafuse.dual_rms_norm_quantize ins({{.*}} : tensor<4x?x512xbf16>, tensor<512xbf16>, tensor<4x?x64xbf16>, tensor<64xbf16>) outs(%[[Q]], %arg6, %arg4 :
// CHECK: tensor.collapse_shape %[[R]]#0
// REMARK: [Passed] MLAFUSE-F002 {{.*}}Function=siblings
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=siblings
func.func @siblings(%p: tensor<4x?x576xbf16> {mlafuse.strided}, %qw: tensor<512xbf16>, %kw: tensor<64xbf16>, %qo: tensor<4x?x512xbf16>, %ko: tensor<4x?x64xbf16>, %q8: tensor<?x512xf8E4M3FN>, %s: tensor<?x1xf32>, %n: index) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<4x?x64xbf16>) {
  %q_c = tensor.extract_slice %p[0, 0, 0] [4, %n, 512] [1, 1, 1] : tensor<4x?x576xbf16> to tensor<4x?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 0, 512] [4, %n, 64] [1, 1, 1] : tensor<4x?x576xbf16> to tensor<4x?x64xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<4x?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<4x?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x?x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<4x?x64xbf16>, tensor<64xbf16>) outs(%ko : tensor<4x?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x?x64xbf16>
  %r = tensor.collapse_shape %q [[0, 1], [2]] : tensor<4x?x512xbf16> into tensor<?x512xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<?x512xbf16>) outs(%q8, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1, %kv : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<4x?x64xbf16>
}

// A residual's sum and the norm's value keep their shape for their users.
// CHECK-LABEL: func.func @residual(
// CHECK: %[[R:.*]]:4 = mlafuse.rms_norm_quantize {{.*}} residual(%arg2 : tensor<4x8x576xbf16>) outs(%{{.*}}, %arg6, %arg4, %arg3 :
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[R]]#0
// CHECK: return %[[C]], %[[R]]#1, %[[R]]#2, %[[R]]#3
// REMARK: [Passed] MLAFUSE-F001 {{.*}}Function=residual {{.*}}'mlafuse.add_rms_norm'
func.func @residual(%x: tensor<4x8x576xbf16>, %w: tensor<576xbf16>, %r: tensor<4x8x576xbf16>, %y: tensor<4x8x576xbf16>, %ro: tensor<4x8x576xbf16>, %q: tensor<32x576xf8E4M3FN>, %s: tensor<32x9xf32>) -> (tensor<32x576xf8E4M3FN>, tensor<32x9xf32>, tensor<4x8x576xbf16>, tensor<4x8x576xbf16>) {
  %v, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<4x8x576xbf16>, tensor<576xbf16>) residual(%r : tensor<4x8x576xbf16>) outs(%y, %ro : tensor<4x8x576xbf16>, tensor<4x8x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x576xbf16>, tensor<4x8x576xbf16>
  %f = tensor.collapse_shape %v [[0, 1], [2]] : tensor<4x8x576xbf16> into tensor<32x576xbf16>
  %c:2 = mlafuse.quantize ins(%f : tensor<32x576xbf16>) outs(%q, %s : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<32x576xf8E4M3FN>, tensor<32x9xf32>
  return %c#0, %c#1, %h, %v : tensor<32x576xf8E4M3FN>, tensor<32x9xf32>, tensor<4x8x576xbf16>, tensor<4x8x576xbf16>
}

// An attention output of [T, H*V], quantized as [B, S, H*V].
// CHECK-LABEL: func.func @output_expanded(
// CHECK: %[[Q:.*]] = tensor.collapse_shape %arg5
// CHECK: %[[R:.*]]:2 = mlafuse.merge_attn_states {{.*}} outs(%[[Q]], %arg6 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
// CHECK: tensor.expand_shape %[[R]]#0
// REMARK: [Passed] MLAFUSE-F003 {{.*}}Function=output_expanded
func.func @output_expanded(%a: tensor<?x4x128xbf16>, %la: tensor<?x4xf32>, %b: tensor<?x4x128xbf16>, %lb: tensor<?x4xf32>, %oo: tensor<?x512xbf16>, %q8: tensor<2x?x512xf8E4M3FN>, %s: tensor<?x4xf32>, %n: index) -> (tensor<2x?x512xf8E4M3FN>, tensor<?x4xf32>) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>) outs(%oo : tensor<?x512xbf16>) -> tensor<?x512xbf16>
  %r = tensor.expand_shape %o [[0, 1], [2]] output_shape [2, %n, 512] : tensor<?x512xbf16> into tensor<2x?x512xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<2x?x512xbf16>) outs(%q8, %s : tensor<2x?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<2x?x512xf8E4M3FN>, tensor<?x4xf32>
  return %c#0, %c#1 : tensor<2x?x512xf8E4M3FN>, tensor<?x4xf32>
}
// CHECK-LABEL: func.func @output_cast(
// CHECK: mlafuse.merge_attn_states {{.*}} outs(%arg5, %arg6 : tensor<32x512xf8E4M3FN>, tensor<32x4xf32>)
// CHECK-NEXT: return
// REMARK: [Passed] MLAFUSE-F003 {{.*}}Function=output_cast
func.func @output_cast(%a: tensor<?x4x128xbf16>, %la: tensor<?x4xf32>, %b: tensor<?x4x128xbf16>, %lb: tensor<?x4xf32>, %oo: tensor<?x512xbf16>, %q8: tensor<32x512xf8E4M3FN>, %s: tensor<32x4xf32>) -> (tensor<32x512xf8E4M3FN>, tensor<32x4xf32>) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>) outs(%oo : tensor<?x512xbf16>) -> tensor<?x512xbf16>
  %r = tensor.cast %o : tensor<?x512xbf16> to tensor<32x512xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<32x512xbf16>) outs(%q8, %s : tensor<32x512xf8E4M3FN>, tensor<32x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<32x512xf8E4M3FN>, tensor<32x4xf32>
  return %c#0, %c#1 : tensor<32x512xf8E4M3FN>, tensor<32x4xf32>
}

// v_up writes heads, the next projection reads rows: it writes rows at once.
// CHECK-LABEL: func.func @projection_to_rows(
// CHECK-NEXT: mlafuse.head_projection ins(%arg0, %arg1 : {{.*}}) outs(%arg3, %arg4 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
// CHECK-NEXT: return
// REMARK: [Passed] MLAFUSE-F003 {{.*}}Function=projection_to_rows
func.func @projection_to_rows(%x: tensor<?x1x4x512xbf16>, %w: tensor<4x512x128xbf16>, %oo: tensor<?x1x4x128xbf16>, %q8: tensor<?x512xf8E4M3FN>, %s: tensor<?x4xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {
  %o = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x512xbf16>, tensor<4x512x128xbf16>) outs(%oo : tensor<?x1x4x128xbf16>) -> tensor<?x1x4x128xbf16>
  %r = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<?x1x4x128xbf16> into tensor<?x512xbf16>
  %c:2 = mlafuse.quantize ins(%r : tensor<?x512xbf16>) outs(%q8, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %c#0, %c#1 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}
// REMARK-NOT: MLAFUSE
