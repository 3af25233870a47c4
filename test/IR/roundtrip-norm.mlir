// The norms, with every clause, on tensors and on memrefs.
// RUN: mlafuse-opt %s --verify-roundtrip -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mlafuse-opt %s --mlir-print-op-generic | mlafuse-opt | diff %t.mlir -
// RUN: mlafuse-opt %s --emit-bytecode | mlafuse-opt | diff %t.mlir -

!x = tensor<?x512xbf16>
!w = tensor<512xbf16>
!q = tensor<?x512xf8E4M3FN>
!s = tensor<?x1xf32>
!count = tensor<1xi32>

// CHECK-LABEL: @rms_norm
func.func @rms_norm(%x: !x, %w: !w, %n: !count) -> (!x, !x, tensor<?x512xf32>) {
  // CHECK: mlafuse.rms_norm ins(%{{.*}} : tensor<?x512xbf16>) outs(%{{.*}} : tensor<?x512xbf16>) {epsilon = 9.99999997E-7 : f32} -> tensor<?x512xbf16>
  %0 = mlafuse.rms_norm ins(%x : !x) outs(%x : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: mlafuse.rms_norm ins(%{{.*}}, %{{.*}} : tensor<?x512xbf16>, tensor<512xbf16>) num_actual_tokens(%{{.*}} : tensor<1xi32>) outs({{.*}}) {epsilon = 0.000000e+00 : f32, rounding = #mlafuse.rounding<result>, weight_offset} -> tensor<?x512xbf16>
  %1 = mlafuse.rms_norm ins(%0, %w : !x, !w) num_actual_tokens(%n : !count) outs(%0 : !x)
      {epsilon = 0.0 : f32, rounding = #mlafuse.rounding<result>, weight_offset} -> !x
  %o = arith.constant dense<0.0> : tensor<2x512xf32>
  %f = tensor.cast %o : tensor<2x512xf32> to tensor<?x512xf32>
  // The default rounding is not printed.
  // CHECK: mlafuse.rms_norm {{.*}} {epsilon = 1.000000e+00 : f32} -> tensor<?x512xf32>
  %2 = mlafuse.rms_norm ins(%1, %w : !x, !w) outs(%f : tensor<?x512xf32>)
      {epsilon = 1.0 : f32, rounding = #mlafuse.rounding<normalized>} -> tensor<?x512xf32>
  return %0, %1, %2 : !x, !x, tensor<?x512xf32>
}

// CHECK-LABEL: @any_rank
func.func @any_rank(%a: tensor<8xf16>, %b: tensor<2x?x3x8xf32>, %w: tensor<8xf32>) -> (tensor<8xf16>, tensor<2x?x3x8xf32>) {
  // CHECK: mlafuse.rms_norm ins({{.*}} : tensor<8xf16>, tensor<8xf32>)
  %0 = mlafuse.rms_norm ins(%a, %w : tensor<8xf16>, tensor<8xf32>) outs(%a : tensor<8xf16>) {epsilon = 1.0e-6 : f32} -> tensor<8xf16>
  // CHECK: mlafuse.rms_norm ins({{.*}} : tensor<2x?x3x8xf32>, tensor<8xf32>)
  %1 = mlafuse.rms_norm ins(%b, %w : tensor<2x?x3x8xf32>, tensor<8xf32>) outs(%b : tensor<2x?x3x8xf32>) {epsilon = 1.0e-6 : f32} -> tensor<2x?x3x8xf32>
  return %0, %1 : tensor<8xf16>, tensor<2x?x3x8xf32>
}

// CHECK-LABEL: @add_rms_norm
func.func @add_rms_norm(%x: !x, %w: !w, %r: !x, %n: !count) -> (!x, !x) {
  // CHECK: mlafuse.add_rms_norm ins({{.*}} : tensor<?x512xbf16>, tensor<512xbf16>) residual(%{{.*}} : tensor<?x512xbf16>) num_actual_tokens(%{{.*}} : tensor<1xi32>) outs(%{{.*}}, %{{.*}} : tensor<?x512xbf16>, tensor<?x512xbf16>)
  %y:2 = mlafuse.add_rms_norm ins(%x, %w : !x, !w) residual(%r : !x) num_actual_tokens(%n : !count)
      outs(%x, %r : !x, !x) {epsilon = 1.0e-6 : f32} -> !x, !x
  return %y#0, %y#1 : !x, !x
}

// CHECK-LABEL: @rms_norm_quantize
func.func @rms_norm_quantize(%x: !x, %w: !w, %r: !x, %ub: tensor<1xf32>, %n: !count, %off: index,
    %qo: !q, %so: !s, %ho: !x, %yo: !x) -> (!q, !s, !x, !x, !q) {
  // CHECK: mlafuse.rms_norm_quantize ins({{.*}}) residual({{.*}}) scale_ub(%{{.*}} : tensor<1xf32>) num_actual_tokens({{.*}}) row_offset(%{{.*}} : index) outs({{.*}} : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = {{.*}}, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, numerics = #mlafuse.numerics<contracted>, rounding = #mlafuse.rounding<result>, scale_layout = #mlafuse.scale_layout<row_major>}
  %a:4 = mlafuse.rms_norm_quantize ins(%x, %w : !x, !w) residual(%r : !x) scale_ub(%ub : tensor<1xf32>)
      num_actual_tokens(%n : !count) row_offset(%off : index) outs(%qo, %so, %ho, %yo : !q, !s, !x, !x)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, scale_layout = #mlafuse.scale_layout<row_major>,
       rounding = #mlafuse.rounding<result>, numerics = #mlafuse.numerics<contracted>} -> !q, !s, !x, !x
  // CHECK: mlafuse.rms_norm_quantize ins({{.*}}) scale(%{{.*}} : tensor<1xf32>) outs({{.*}}) {epsilon = {{.*}}, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  %b = mlafuse.rms_norm_quantize ins(%x, %w : !x, !w) scale(%ub : tensor<1xf32>) outs(%qo : !q)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_static_tensor_sym>, numerics = #mlafuse.numerics<exact>} -> !q
  return %a#0, %a#1, %a#2, %a#3, %b : !q, !s, !x, !x, !q
}

// CHECK-LABEL: @rms_norm_nvfp4
func.func @rms_norm_nvfp4(%x: !x, %w: !w, %g: tensor<1xf32>, %qo: tensor<?x256xi8>, %so: tensor<?x32xf8E4M3FN>)
    -> (tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) {
  // CHECK: mlafuse.rms_norm_quantize ins({{.*}}) global_scale(%{{.*}} : tensor<1xf32>) outs
  %a:2 = mlafuse.rms_norm_quantize ins(%x, %w : !x, !w) global_scale(%g : tensor<1xf32>)
      outs(%qo, %so : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
  return %a#0, %a#1 : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
}

// CHECK-LABEL: @dual_rms_norm
func.func @dual_rms_norm(%q: tensor<?x1536xbf16>, %qw: tensor<1536xbf16>, %kv: !x, %kw: !w, %n: !count) -> (tensor<?x1536xbf16>, !x) {
  // CHECK: mlafuse.dual_rms_norm ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>) num_actual_tokens({{.*}}) outs({{.*}}) {kv_epsilon = {{.*}} : f32, q_epsilon = {{.*}} : f32} -> tensor<?x1536xbf16>, tensor<?x512xbf16>
  %y:2 = mlafuse.dual_rms_norm ins(%q, %qw, %kv, %kw : tensor<?x1536xbf16>, tensor<1536xbf16>, !x, !w)
      num_actual_tokens(%n : !count) outs(%q, %kv : tensor<?x1536xbf16>, !x)
      {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-5 : f32} -> tensor<?x1536xbf16>, !x
  return %y#0, %y#1 : tensor<?x1536xbf16>, !x
}

// Both sides quantized, by different keys, each with its unquantized value.
// CHECK-LABEL: @dual_both
func.func @dual_both(%c: !x, %w: !w, %qs: tensor<1xf32>, %kub: tensor<1xf32>, %n: !count, %q: !q, %s: !s) -> (!q, !x, !q, !s, !x) {
  // CHECK: mlafuse.dual_rms_norm_quantize ins({{.*}}) q_scale(%{{.*}} : tensor<1xf32>) kv_scale_ub(%{{.*}} : tensor<1xf32>) num_actual_tokens({{.*}}) outs({{.*}}) {{{.*}}kv_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, q_epsilon = {{.*}}, q_key = #mlafuse.quant_key<fp8_static_tensor_sym>}
  %y:5 = mlafuse.dual_rms_norm_quantize ins(%c, %w, %c, %w : !x, !w, !x, !w) q_scale(%qs : tensor<1xf32>)
      kv_scale_ub(%kub : tensor<1xf32>) num_actual_tokens(%n : !count) outs(%q, %c, %q, %s, %c : !q, !x, !q, !s, !x)
      {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32, q_key = #mlafuse.quant_key<fp8_static_tensor_sym>,
       kv_key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> !q, !x, !q, !s, !x
  return %y#0, %y#1, %y#2, %y#3, %y#4 : !q, !x, !q, !s, !x
}

// Only the kv side, with a layout, a rule and NVFP4's second scale.
// CHECK-LABEL: @dual_kv
func.func @dual_kv(%c: !x, %w: !w, %g: tensor<1xf32>, %q: tensor<?x256xi8>, %s: tensor<?x32xf8E4M3FN>) -> (!x, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) {
  // CHECK: mlafuse.dual_rms_norm_quantize ins({{.*}}) kv_global_scale(%{{.*}} : tensor<1xf32>) outs({{.*}}) {{{.*}}kv_scale_layout = #mlafuse.scale_layout<swizzled_128x4>
  %y:3 = mlafuse.dual_rms_norm_quantize ins(%c, %w, %c, %w : !x, !w, !x, !w) kv_global_scale(%g : tensor<1xf32>)
      outs(%c, %q, %s : !x, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>)
      {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32, kv_key = #mlafuse.quant_key<nvfp4_dynamic>,
       kv_scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> !x, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
  return %y#0, %y#1, %y#2 : !x, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
}

// CHECK-LABEL: @on_memrefs
func.func @on_memrefs(%x: memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, %w: memref<512xbf16>, %y: memref<?x512xbf16>,
    %q: memref<?x512xf8E4M3FN>, %s: memref<4x?xf32>, %any: memref<?x512xbf16, strided<[?, ?], offset: ?>>) {
  // CHECK: mlafuse.rms_norm ins(%{{.*}} : memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, memref<512xbf16>) outs(%{{.*}} : memref<?x512xbf16>) {epsilon = {{[^}]*}}}{{$}}
  mlafuse.rms_norm ins(%x, %w : memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, memref<512xbf16>)
      outs(%y : memref<?x512xbf16>) {epsilon = 1.0e-6 : f32}
  // CHECK: mlafuse.rms_norm ins(%{{.*}} : memref<?x512xbf16, strided<[?, ?], offset: ?>>
  mlafuse.rms_norm ins(%any, %w : memref<?x512xbf16, strided<[?, ?], offset: ?>>, memref<512xbf16>)
      outs(%any : memref<?x512xbf16, strided<[?, ?], offset: ?>>) {epsilon = 1.0e-6 : f32}
  // CHECK: mlafuse.add_rms_norm {{.*}}}{{$}}
  mlafuse.add_rms_norm ins(%y, %w : memref<?x512xbf16>, memref<512xbf16>) residual(%y : memref<?x512xbf16>)
      outs(%y, %y : memref<?x512xbf16>, memref<?x512xbf16>) {epsilon = 1.0e-6 : f32}
  // CHECK: mlafuse.rms_norm_quantize {{.*}}}{{$}}
  mlafuse.rms_norm_quantize ins(%y, %w : memref<?x512xbf16>, memref<512xbf16>)
      outs(%q, %s : memref<?x512xf8E4M3FN>, memref<4x?xf32>) {epsilon = 1.0e-6 : f32,
      key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>}
  // CHECK: mlafuse.dual_rms_norm {{.*}}}{{$}}
  mlafuse.dual_rms_norm ins(%y, %w, %y, %w : memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<512xbf16>)
      outs(%y, %y : memref<?x512xbf16>, memref<?x512xbf16>) {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32}
  // CHECK: mlafuse.dual_rms_norm_quantize {{.*}}}{{$}}
  mlafuse.dual_rms_norm_quantize ins(%y, %w, %y, %w : memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<512xbf16>)
      outs(%q, %s, %y : memref<?x512xf8E4M3FN>, memref<4x?xf32>, memref<?x512xbf16>) {q_epsilon = 1.0e-6 : f32,
      kv_epsilon = 1.0e-6 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_128_sym>, q_scale_layout = #mlafuse.scale_layout<tma_aligned>}
  return
}

// CHECK-LABEL: @pair
func.func @pair(%q: !x, %kv: !w) -> (!x, !w) {
  // CHECK: mlafuse.pair %{{.*}}, %{{.*}} : tensor<?x512xbf16>, tensor<512xbf16>
  %a, %b = mlafuse.pair %q, %kv : !x, !w
  return %a, %b : !x, !w
}
