// RUN: mlafuse-opt %s --mlafuse-fuse | FileCheck %s
// Fusing again changes nothing.
// RUN: mlafuse-opt %s --mlafuse-fuse > %t.once
// RUN: mlafuse-opt %t.once --mlafuse-fuse | diff %t.once -

// CHECK-LABEL: func.func @per_token(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x256xbf16>, %[[W:[^:]*]]: tensor<256xbf16>, %{{[^:]*}}: tensor<?x256xbf16>, %[[Q:[^:]*]]: tensor<?x256xf8E4M3FN>, %[[S:[^:]*]]: tensor<?x1xf32>
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.rms_norm_quantize ins(%[[X]], %[[W]] : tensor<?x256xbf16>, tensor<256xbf16>) outs(%[[Q]], %[[S]] : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @per_token(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @static(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%{{.*}}) scale(%arg4 : tensor<1xf32>) outs(%arg3 : tensor<?x256xf8E4M3FN>) {{{.*}}key = #mlafuse.quant_key<fp8_static_tensor_sym>
// CHECK-NEXT: return
func.func @static(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<1xf32>) -> tensor<?x256xf8E4M3FN> {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %c : tensor<?x256xf8E4M3FN>
}

// Layout and rule go with the key.
// CHECK-LABEL: func.func @groups_of_64(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%{{.*}}) outs(%arg3, %arg4 : tensor<?x256xf8E4M3FN>, tensor<1x?xi32>) {{{.*}}key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>}
// CHECK-NEXT: return
func.func @groups_of_64(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<1x?xi32>) -> (tensor<?x256xf8E4M3FN>, tensor<1x?xi32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<1x?xi32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x256xf8E4M3FN>, tensor<1x?xi32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<1x?xi32>
}

// CHECK-LABEL: func.func @nvfp4(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%{{.*}}) global_scale(%arg5 : tensor<1xf32>) outs(%arg3, %arg4 : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>) {{{.*}}key = #mlafuse.quant_key<nvfp4_dynamic>
// CHECK-NEXT: return
func.func @nvfp4(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x128xi8>, %s: tensor<?x16xf8E4M3FN>, %g: tensor<1xf32>) -> (tensor<?x128xi8>, tensor<?x16xf8E4M3FN>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) global_scale(%g : tensor<1xf32>) outs(%q, %s : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>) {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
  return %c#0, %c#1 : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
}

// Rank 3, f16, no weight, a bound on the scale.
// CHECK-LABEL: func.func @no_weight(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%arg0 : tensor<4x?x256xf16>) scale_ub(%arg4 : tensor<1xf32>) outs(%arg2, %arg3 :
// CHECK-NEXT: return
func.func @no_weight(%x: tensor<4x?x256xf16>, %y: tensor<4x?x256xf16>, %q: tensor<4x?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %ub: tensor<1xf32>) -> (tensor<4x?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x : tensor<4x?x256xf16>) outs(%y : tensor<4x?x256xf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x?x256xf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<4x?x256xf16>) scale_ub(%ub : tensor<1xf32>) outs(%q, %s : tensor<4x?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<4x?x256xf8E4M3FN>, tensor<?x1xf32>
}

// The weight has a type of its own.
// CHECK-LABEL: func.func @f32_weight_plus_one(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x256xbf16>, tensor<256xf32>) {{.*}} {epsilon = 9.99999974E-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, rounding = #mlafuse.rounding<result>, weight_offset}
// CHECK-NEXT: return
func.func @f32_weight_plus_one(%x: tensor<?x256xbf16>, %w: tensor<256xf32>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xf32>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-5 : f32, rounding = #mlafuse.rounding<result>, weight_offset} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// An f32 value between is what `contracted` means; of an f32 model it is exact.
// CHECK-LABEL: func.func @contracted(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x256xbf16>, {{.*}}numerics = #mlafuse.numerics<contracted>, rounding = #mlafuse.rounding<result>}
// CHECK-NEXT: return
func.func @contracted(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xf32>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x256xf32>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xf32>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
// CHECK-LABEL: func.func @f32_model(
// CHECK-NEXT: mlafuse.rms_norm_quantize
// CHECK-NOT: contracted
// CHECK-SAME: key
// CHECK-NEXT: return
func.func @f32_model(%x: tensor<?x256xf32>, %w: tensor<256xbf16>, %y: tensor<?x256xf32>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xf32>, tensor<256xbf16>) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xf32>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xf32>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// The sum keeps its destination, after codes and scale.
// CHECK-LABEL: func.func @residual(
// CHECK-NEXT: %[[R:.*]]:3 = mlafuse.rms_norm_quantize ins(%arg0, %arg1 : {{.*}}) residual(%arg2 : tensor<?x256xbf16>) outs(%arg4, %arg5, %arg2 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>)
// CHECK-NEXT: return %[[R]]#2, %[[R]]#0, %[[R]]#1
func.func @residual(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %r: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xbf16>, tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) residual(%r : tensor<?x256xbf16>) outs(%y, %r : tensor<?x256xbf16>, tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>, tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %h, %c#0, %c#1 : tensor<?x256xbf16>, tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// The quantized sum is not the norm's value.
// CHECK-LABEL: func.func @quantized_residual(
// CHECK: mlafuse.add_rms_norm
// CHECK-NEXT: mlafuse.quantize
func.func @quantized_residual(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %r: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xbf16>, tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) residual(%r : tensor<?x256xbf16>) outs(%y, %r : tensor<?x256xbf16>, tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>, tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%h : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %v, %c#0, %c#1 : tensor<?x256xbf16>, tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

func.func private @look(tensor<?x256xbf16>)
func.func private @buffers() -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)

// A second user gets the value as one more result, wherever it stands: the
// destinations move up to the norm.
// CHECK-LABEL: func.func @second_user_before_the_destinations(
// CHECK: %[[Q:.*]] = tensor.empty(%{{.*}}) : tensor<?x256xf8E4M3FN>
// CHECK: %[[S:.*]] = tensor.empty(%{{.*}}) : tensor<?x1xf32>
// CHECK: %[[R:.*]]:3 = mlafuse.rms_norm_quantize {{.*}} outs(%[[Q]], %[[S]], %arg2 :
// CHECK-NEXT: call @look(%[[R]]#2)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @second_user_before_the_destinations(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %t: index) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  call @look(%v) : (tensor<?x256xbf16>) -> ()
  %q = tensor.empty(%t) : tensor<?x256xf8E4M3FN>
  %s = tensor.empty(%t) : tensor<?x1xf32>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// What cannot move up makes the norm move down, behind it.
// CHECK-LABEL: func.func @destinations_from_a_call(
// CHECK-NEXT: %[[B:.*]]:2 = call @buffers()
// CHECK-NEXT: %[[R:.*]]:3 = mlafuse.rms_norm_quantize {{.*}} outs(%[[B]]#0, %[[B]]#1, %arg2 :
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[R]]#2
// CHECK-NEXT: call @look(%[[N]])
func.func @destinations_from_a_call(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %n = arith.negf %v : tensor<?x256xbf16>
  %b:2 = call @buffers() : () -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%b#0, %b#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  call @look(%n) : (tensor<?x256xbf16>) -> ()
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @one_count_and_a_row_offset(
// CHECK-NEXT: mlafuse.rms_norm_quantize {{.*}} num_actual_tokens(%arg5 : tensor<1xi32>) row_offset(%arg6 : index) outs(%arg3, %arg4 :
// CHECK-NEXT: return
func.func @one_count_and_a_row_offset(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %n: tensor<1xi32>, %row: index) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) num_actual_tokens(%n : tensor<1xi32>) row_offset(%row : index) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// Rows past the count are read by no one.
// CHECK-LABEL: func.func @count_on_the_quantization_only(
// CHECK-NEXT: mlafuse.rms_norm_quantize {{.*}} num_actual_tokens(%arg5 : tensor<1xi32>)
// CHECK-NEXT: return
func.func @count_on_the_quantization_only(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %n: tensor<1xi32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// A cast between is folded away.
// CHECK-LABEL: func.func @cast_in_between(
// CHECK-NEXT: mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<32x256xbf16>
func.func @cast_in_between(%x: tensor<32x256xbf16>, %w: tensor<256xbf16>, %y: tensor<32x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<32x256xbf16>, tensor<256xbf16>) outs(%y : tensor<32x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<32x256xbf16>
  %d = tensor.cast %v : tensor<32x256xbf16> to tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%d : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// The value that is kept is not the one that is quantized: no chain has both.
// CHECK-LABEL: func.func @keeps_other_value
// CHECK-NEXT: %[[F:.*]]:4 = mlafuse.rms_norm_quantize {{.*}} residual({{.*}}<contracted>
// CHECK-NEXT: return %[[F]]#0, %[[F]]#1, %[[F]]#2, %[[F]]#3
func.func @keeps_other_value(%x: tensor<?x512xbf16>, %w: tensor<512xbf16>, %r: tensor<?x512xbf16>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x1xf32>, %ro: tensor<?x512xbf16>, %y: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>) {
  %a:4 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) residual(%r : tensor<?x512xbf16>) outs(%q, %s, %ro, %y : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, rounding = #mlafuse.rounding<result>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>
  return %a#0, %a#1, %a#2, %a#3 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>
}

// Nobody reads the kept value: it is not written.
// CHECK-LABEL: func.func @keeps_unread_value
// CHECK-NEXT: %[[F:.*]]:2 = mlafuse.rms_norm_quantize {{.*}}<contracted>
// CHECK-NEXT: return %[[F]]#0, %[[F]]#1
func.func @keeps_unread_value(%x: tensor<?x512xbf16>, %w: tensor<512xbf16>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x1xf32>, %y: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %a:3 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) outs(%q, %s, %y : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, rounding = #mlafuse.rounding<result>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  return %a#0, %a#1 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
