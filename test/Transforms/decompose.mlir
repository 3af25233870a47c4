// RUN: mlafuse-opt %s --mlafuse-decompose | FileCheck %s
// What is fused comes back as the same fused op.
// RUN: mlafuse-opt %s --mlafuse-decompose --mlafuse-fuse | FileCheck %s --check-prefix=FUSED

// CHECK-LABEL: func.func @norm_quantize(
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x256xbf16>
// CHECK-NEXT: %[[V:.*]] = mlafuse.rms_norm ins(%arg0, %arg1 : {{.*}}) num_actual_tokens(%arg4 : tensor<1xi32>) outs(%[[E]] : tensor<?x256xbf16>) {epsilon = 9.99999997E-7 : f32, weight_offset}
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.quantize ins(%[[V]] : tensor<?x256xbf16>) num_actual_tokens(%arg4 : tensor<1xi32>) row_offset(%arg5 : index) outs(%arg2, %arg3 : {{.*}}) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>, scale_rule = #mlafuse.scale_rule<floor = 1.000000e-04 on absmax>}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
// FUSED-LABEL: func.func @norm_quantize(
// FUSED-NEXT: mlafuse.rms_norm_quantize
// FUSED-NEXT: return
func.func @norm_quantize(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<2x?xf32>, %n: tensor<1xi32>, %row: index) -> (tensor<?x256xf8E4M3FN>, tensor<2x?xf32>) {
  %c:2 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) num_actual_tokens(%n : tensor<1xi32>) row_offset(%row : index) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>) {epsilon = 1.0e-6 : f32, weight_offset, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>, scale_rule = #mlafuse.scale_rule<floor = 1.0e-4 on absmax>} -> tensor<?x256xf8E4M3FN>, tensor<2x?xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>
}

// The kept value is the value between, in its destination.
// CHECK-LABEL: func.func @residual_and_value(
// CHECK-NEXT: %[[V:.*]]:2 = mlafuse.add_rms_norm ins(%arg0, %arg1 : {{.*}}) residual(%arg2 : tensor<?x256xbf16>) outs(%arg5, %arg4 : tensor<?x256xbf16>, tensor<?x256xbf16>)
// CHECK-NEXT: %[[R:.*]] = mlafuse.quantize ins(%[[V]]#0 : tensor<?x256xbf16>) scale(%arg6 : tensor<1xf32>) outs(%arg3 :
// CHECK-NEXT: return %[[R]], %[[V]]#1, %[[V]]#0
// FUSED-LABEL: func.func @residual_and_value(
// FUSED-NEXT: mlafuse.rms_norm_quantize {{.*}} outs(%arg3, %arg4, %arg5 :
// FUSED-NEXT: return
func.func @residual_and_value(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %r: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %h: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %s: tensor<1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>, tensor<?x256xbf16>) {
  %c:3 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) residual(%r : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q, %h, %y : tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>, tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>, tensor<?x256xbf16>
  return %c#0, %c#1, %c#2 : tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>, tensor<?x256xbf16>
}

// Contracted: an f32 value between. A kept value of the model's type is then a
// norm of its own.
// CHECK-LABEL: func.func @contracted(
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x256xf32>
// CHECK-NEXT: %[[V:.*]] = mlafuse.rms_norm {{.*}} outs(%[[E]] : tensor<?x256xf32>) {epsilon = 9.99999997E-7 : f32, rounding = #mlafuse.rounding<result>}
// CHECK-NEXT: %[[R:.*]] = mlafuse.quantize ins(%[[V]] : tensor<?x256xf32>)
// CHECK-NEXT: %[[Y:.*]] = mlafuse.rms_norm {{.*}} outs(%arg3 : tensor<?x256xbf16>)
// CHECK-NEXT: return %[[R]], %[[Y]]
func.func @contracted(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %q: tensor<?x256xf8E4M3FN>, %y: tensor<?x256xbf16>, %s: tensor<1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>) {
  %c:2 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) scale(%s : tensor<1xf32>) outs(%q, %y : tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_static_tensor_sym>, numerics = #mlafuse.numerics<contracted>, rounding = #mlafuse.rounding<result>} -> tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>
}

// CHECK-LABEL: func.func @dual(
// CHECK: %[[Q:.*]] = mlafuse.rms_norm ins(%arg0, %arg1 : {{.*}} {epsilon = 9.99999997E-7 : f32}
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.quantize ins(%[[Q]] : tensor<?x256xbf16>) outs(%arg4, %arg5 :
// CHECK-NEXT: %[[KV:.*]] = mlafuse.rms_norm ins(%arg2, %arg3 : {{.*}} outs(%arg6 : tensor<?x128xbf16>) {epsilon = 9.99999974E-6 : f32}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[KV]]
func.func @dual(%qc: tensor<?x256xbf16>, %qw: tensor<256xbf16>, %kc: tensor<?x128xbf16>, %kw: tensor<128xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %k: tensor<?x128xbf16>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>) {
  %c:3 = mlafuse.dual_rms_norm_quantize ins(%qc, %qw, %kc, %kw : tensor<?x256xbf16>, tensor<256xbf16>, tensor<?x128xbf16>, tensor<128xbf16>) outs(%q, %s, %k : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>) {q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-5 : f32} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>
  return %c#0, %c#1, %c#2 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>
}

// The rows between are those that the op writes, not those of the buffer that it
// writes them to.
// CHECK-LABEL: func.func @prefill_into_a_row_range(
// CHECK: %[[T:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?x16x192xbf16>
// CHECK-NEXT: %[[E:.*]] = tensor.empty(%[[T]]) : tensor<?x2048xf32>
// CHECK-NEXT: %[[O:.*]]:2 = mlafuse.mla_prefill {{.*}} outs(%[[E]], %arg7 : tensor<?x2048xf32>, tensor<?x16xf32>) {causal, softmax_scale
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.quantize ins(%[[O]]#0 : tensor<?x2048xf32>) row_offset(%arg8 : index) outs(%arg5, %arg6 :
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[O]]#1
// FUSED-LABEL: func.func @prefill_into_a_row_range(
// FUSED-NEXT: mlafuse.mla_prefill {{.*}} row_offset(%arg8 : index) {{.*}} numerics = #mlafuse.numerics<contracted>
// FUSED-NEXT: return
func.func @prefill_into_a_row_range(%q: tensor<?x16x192xbf16>, %k: tensor<?x16x192xbf16>, %v: tensor<?x16x128xbf16>, %cq: tensor<?xi32>, %ck: tensor<?xi32>, %q8: tensor<100x2048xf8E4M3FN>, %s: tensor<100x16xf32>, %l: tensor<?x16xf32>, %row: index) -> (tensor<100x2048xf8E4M3FN>, tensor<100x16xf32>, tensor<?x16xf32>) {
  %o:3 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x16x192xbf16>, tensor<?x16x192xbf16>, tensor<?x16x128xbf16>, tensor<?xi32>, tensor<?xi32>) row_offset(%row : index) outs(%q8, %s, %l : tensor<100x2048xf8E4M3FN>, tensor<100x16xf32>, tensor<?x16xf32>) {softmax_scale = 0.1352 : f32, causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<100x2048xf8E4M3FN>, tensor<100x16xf32>, tensor<?x16xf32>
  return %o#0, %o#1, %o#2 : tensor<100x2048xf8E4M3FN>, tensor<100x16xf32>, tensor<?x16xf32>
}
