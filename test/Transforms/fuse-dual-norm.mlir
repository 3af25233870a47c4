// RUN: mlafuse-opt %s --mlafuse-fuse | FileCheck %s
// Fusing again changes nothing.
// RUN: mlafuse-opt %s --mlafuse-fuse > %t.once
// RUN: mlafuse-opt %t.once --mlafuse-fuse | diff %t.once -

// Each side keeps its epsilon.
// CHECK-LABEL: func.func @bare(
// CHECK: %[[Q:.*]] = tensor.extract_slice %arg0[0, 0] [%{{.*}}, 512]
// CHECK: %[[KV:.*]] = tensor.extract_slice %arg0[0, 512] [%{{.*}}, 256]
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.dual_rms_norm ins(%[[Q]], %arg1, %[[KV]], %arg2 : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x256xbf16>, tensor<256xbf16>) outs(%arg3, %arg4 : tensor<?x512xbf16>, tensor<?x256xbf16>) {kv_epsilon = 9.99999974E-6 : f32, q_epsilon = 9.99999997E-7 : f32}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @bare(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>) -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-5 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// The q side is the one with the lower columns.
// CHECK-LABEL: func.func @kv_written_first(
// CHECK: %[[Q:.*]] = tensor.extract_slice %arg0[0, 0] [%{{.*}}, 512]
// CHECK: %[[KV:.*]] = tensor.extract_slice %arg0[0, 512] [%{{.*}}, 256]
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.dual_rms_norm ins(%[[Q]], %arg1, %[[KV]], %arg2 : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x256xbf16>, tensor<256xbf16>)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @kv_written_first(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>) -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// CHECK-LABEL: func.func @quantized_q(
// CHECK: %[[Q:.*]] = tensor.extract_slice %arg0[0, 0] [%{{.*}}, 512]
// CHECK: %[[KV:.*]] = tensor.extract_slice %arg0[0, 512] [%{{.*}}, 256]
// CHECK-NEXT: %[[R:.*]]:3 = mlafuse.dual_rms_norm_quantize ins(%[[Q]], %arg1, %[[KV]], %arg2 : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x256xbf16>, tensor<256xbf16>) outs(%arg5, %arg6, %arg4 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>) {kv_epsilon = 9.99999997E-7 : f32, q_epsilon = 9.99999997E-7 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @quantized_q(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %qso: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x512xbf16>) outs(%q8o, %qso : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q8, %qs, %kv : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>
}

// CHECK-LABEL: func.func @quantized_kv(
// CHECK: %[[Q:.*]] = tensor.extract_slice %arg0[0, 0] [%{{.*}}, 512]
// CHECK: %[[KV:.*]] = tensor.extract_slice %arg0[0, 512] [%{{.*}}, 256]
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.dual_rms_norm_quantize ins(%[[Q]], %arg1, %[[KV]], %arg2 : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x256xbf16>, tensor<256xbf16>) kv_scale(%arg6 : tensor<1xf32>) outs(%arg3, %arg5 : tensor<?x512xbf16>, tensor<?x256xf8E4M3FN>) {{{.*}}kv_key = #mlafuse.quant_key<fp8_static_tensor_sym>
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @quantized_kv(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %k8o: tensor<?x256xf8E4M3FN>, %ksc: tensor<1xf32>) -> (tensor<?x512xbf16>, tensor<?x256xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %k8 = mlafuse.quantize ins(%kv : tensor<?x256xbf16>) scale(%ksc : tensor<1xf32>) outs(%k8o : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %q, %k8 : tensor<?x512xbf16>, tensor<?x256xf8E4M3FN>
}

// As the indexer of DeepSeek-V3.2 wants it.
// CHECK-LABEL: func.func @quantized_both_with_the_value_of_q(
// CHECK: %[[Q:.*]] = tensor.extract_slice %arg0[0, 0] [%{{.*}}, 512]
// CHECK: %[[KV:.*]] = tensor.extract_slice %arg0[0, 512] [%{{.*}}, 256]
// CHECK-NEXT: %[[R:.*]]:4 = mlafuse.dual_rms_norm_quantize ins(%[[Q]], %arg1, %[[KV]], %arg2 : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x256xbf16>, tensor<256xbf16>) kv_scale(%arg8 : tensor<1xf32>) outs(%arg5, %arg6, %arg3, %arg7 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x256xf8E4M3FN>)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#3, %[[R]]#2
func.func @quantized_both_with_the_value_of_q(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %qso: tensor<?x1xf32>, %k8o: tensor<?x256xf8E4M3FN>, %ksc: tensor<1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xf8E4M3FN>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %k8 = mlafuse.quantize ins(%kv : tensor<?x256xbf16>) scale(%ksc : tensor<1xf32>) outs(%k8o : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x512xbf16>) outs(%q8o, %qso : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %qs, %k8, %q : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xf8E4M3FN>, tensor<?x512xbf16>
}

// CHECK-LABEL: func.func @scale_alone_is_used(
// CHECK: %[[R:.*]]:3 = mlafuse.dual_rms_norm_quantize
// CHECK-NEXT: return %[[R]]#1, %[[R]]#2
func.func @scale_alone_is_used(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %qso: tensor<?x1xf32>) -> (tensor<?x1xf32>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x512xbf16>) outs(%q8o, %qso : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %qs, %kv : tensor<?x1xf32>, tensor<?x256xbf16>
}

// A weight is widened to f32, whatever its type.
// CHECK-LABEL: func.func @other_weight_types(
// CHECK: mlafuse.dual_rms_norm ins({{.*}} : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x256xbf16>, tensor<256xf32>)
func.func @other_weight_types(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xf32>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>) -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xf32>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// The side without a key rounds once, at its end.
// CHECK-LABEL: func.func @contracted(
// CHECK: mlafuse.dual_rms_norm_quantize {{.*}} outs(%arg5, %arg6, %arg4 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>) {{{.*}}numerics = #mlafuse.numerics<contracted>, {{.*}}rounding = #mlafuse.rounding<result>
func.func @contracted(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xf32>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %qso: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x512xf32>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x512xf32>) outs(%q8o, %qso : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x256xbf16>
  return %q8, %qs, %kv : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>
}

// CHECK-LABEL: func.func @one_count(
// CHECK: mlafuse.dual_rms_norm_quantize {{.*}} num_actual_tokens(%arg7 : tensor<1xi32>)
func.func @one_count(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %qso: tensor<?x1xf32>, %n: tensor<1xi32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x512xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%q8o, %qso : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q8, %qs, %kv : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>
}

// What the second norm needs moves above the first, and no user of the first
// loses it. Two values may hold the same size.
// CHECK-LABEL: func.func @sizes_and_slices_move_up(
// CHECK: tensor.extract_slice %arg0[0, 0]
// CHECK: tensor.extract_slice %arg0[0, 512]
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.dual_rms_norm
// CHECK-NEXT: %[[U:.*]] = arith.extf %[[R]]#0
// CHECK-NEXT: return %[[U]], %[[R]]#1
func.func @sizes_and_slices_move_up(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>) -> (tensor<?x512xf32>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %u = arith.extf %q : tensor<?x512xbf16> to tensor<?x512xf32>
  %t2 = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t2, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %u, %kv : tensor<?x512xf32>, tensor<?x256xbf16>
}

// Rank 3, and rows in the middle of the projection.
// CHECK-LABEL: func.func @some_rows(
// CHECK: mlafuse.dual_rms_norm ins({{.*}} : tensor<2x8x512xbf16>, tensor<512xbf16>, tensor<2x8x256xbf16>, tensor<256xbf16>)
func.func @some_rows(%p: tensor<4x16x832xbf16>, %i: index, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<2x8x512xbf16>, %ko: tensor<2x8x256xbf16>) -> (tensor<2x8x512xbf16>, tensor<2x8x256xbf16>) {
  %q_c = tensor.extract_slice %p[%i, 8, 0] [2, 8, 512] [1, 1, 1] : tensor<4x16x832xbf16> to tensor<2x8x512xbf16>
  %kv_c = tensor.extract_slice %p[%i, 8, 576] [2, 8, 256] [1, 1, 1] : tensor<4x16x832xbf16> to tensor<2x8x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<2x8x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<2x8x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<2x8x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<2x8x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<2x8x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<2x8x256xbf16>
  return %q, %kv : tensor<2x8x512xbf16>, tensor<2x8x256xbf16>
}

// The q side keeps a value that is not the one it quantizes; the kv side is opened,
// and takes its quantization over.
// CHECK-LABEL: func.func @keeps_other_value
// CHECK: %[[F:.*]]:5 = mlafuse.dual_rms_norm_quantize
// CHECK-NEXT: return %[[F]]#0, %[[F]]#1, %[[F]]#2, %[[F]]#3, %[[F]]#4
func.func @keeps_other_value(%p: tensor<?x2112xbf16>, %qw: tensor<1536xbf16>, %kw: tensor<512xbf16>, %q8o: tensor<?x1536xf8E4M3FN>, %qso: tensor<?x1xf32>, %qo: tensor<?x1536xbf16>, %k8o: tensor<?x512xf8E4M3FN>, %kso: tensor<?x1xf32>)
    -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %qc = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kc = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %k_tmp = tensor.empty(%t) : tensor<?x512xf32>
  %r:3 = mlafuse.rms_norm_quantize ins(%qc, %qw : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%q8o, %qso, %qo : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, rounding = #mlafuse.rounding<result>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>
  %k = mlafuse.rms_norm ins(%kc, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%k_tmp : tensor<?x512xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x512xf32>
  %k8:2 = mlafuse.quantize ins(%k : tensor<?x512xf32>) outs(%k8o, %kso : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %r#0, %r#1, %r#2, %k8#0, %k8#1 : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
