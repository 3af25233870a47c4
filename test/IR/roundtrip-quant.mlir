// quantize and dequantize by every key and layout, rope and the cache update.
// RUN: mlafuse-opt %s --verify-roundtrip -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mlafuse-opt %s --mlir-print-op-generic | mlafuse-opt | diff %t.mlir -
// RUN: mlafuse-opt %s --emit-bytecode | mlafuse-opt | diff %t.mlir -

!x = tensor<?x512xbf16>
!q = tensor<?x512xf8E4M3FN>
!one = tensor<1xf32>

// CHECK-LABEL: @static_tensor
func.func @static_tensor(%x: !x, %s: !one, %n: tensor<1xi32>, %o: index, %qo: !q) -> (!q, !x) {
  // CHECK: mlafuse.quantize ins(%{{.*}} : tensor<?x512xbf16>) scale(%{{.*}} : tensor<1xf32>) num_actual_tokens(%{{.*}} : tensor<1xi32>) row_offset(%{{.*}} : index) outs(%{{.*}} : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  %q = mlafuse.quantize ins(%x : !x) scale(%s : !one) num_actual_tokens(%n : tensor<1xi32>) row_offset(%o : index)
      outs(%qo : !q) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> !q
  // CHECK: mlafuse.dequantize ins(%{{.*}} : tensor<?x512xf8E4M3FN>) scale(%{{.*}} : tensor<1xf32>) outs(%{{.*}} : tensor<?x512xbf16>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xbf16>
  %d = mlafuse.dequantize ins(%q : !q) scale(%s : !one) outs(%x : !x) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> !x
  return %q, %d : !q, !x
}

// CHECK-LABEL: @dynamic_tensor
func.func @dynamic_tensor(%x: !x, %ub: !one, %qo: !q, %so: !one) -> (!q, !x) {
  // CHECK: mlafuse.quantize ins({{.*}}) scale_ub(%{{.*}} : tensor<1xf32>) outs({{.*}} : tensor<?x512xf8E4M3FN>, tensor<1xf32>)
  %q:2 = mlafuse.quantize ins(%x : !x) scale_ub(%ub : !one) outs(%qo, %so : !q, !one)
      {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> !q, !one
  %d = mlafuse.dequantize ins(%q#0 : !q) scale(%q#1 : !one) outs(%x : !x) {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> !x
  return %q#0, %d : !q, !x
}

// Rows of any rank; the scales have rank 2.
// CHECK-LABEL: @dynamic_token
func.func @dynamic_token(%x: tensor<2x3x512xf16>, %qo: tensor<2x3x512xf8E4M3FN>, %so: tensor<6x1xf32>) -> (tensor<2x3x512xf8E4M3FN>, tensor<2x3x512xf16>) {
  // CHECK: mlafuse.quantize ins(%{{.*}} : tensor<2x3x512xf16>) outs(%{{.*}}, %{{.*}} : tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>)
  %q:2 = mlafuse.quantize ins(%x : tensor<2x3x512xf16>) outs(%qo, %so : tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>
  %d = mlafuse.dequantize ins(%q#0 : tensor<2x3x512xf8E4M3FN>) scale(%q#1 : tensor<6x1xf32>) outs(%x : tensor<2x3x512xf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<2x3x512xf16>
  return %q#0, %d : tensor<2x3x512xf8E4M3FN>, tensor<2x3x512xf16>
}

// CHECK-LABEL: @groups
func.func @groups(%x: tensor<6x640xbf16>, %qo: tensor<6x640xf8E4M3FN>, %row: tensor<6x5xf32>, %column: tensor<5x6xf32>,
    %tma: tensor<5x8xf32>, %packed: tensor<2x8xi32>) -> tensor<6x640xbf16> {
  // CHECK: tensor<6x5xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} ->
  %a:2 = mlafuse.quantize ins(%x : tensor<6x640xbf16>) outs(%qo, %row : tensor<6x640xf8E4M3FN>, tensor<6x5xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<6x640xf8E4M3FN>, tensor<6x5xf32>
  // CHECK: tensor<5x6xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} ->
  %b:2 = mlafuse.quantize ins(%x : tensor<6x640xbf16>) outs(%a#0, %column : tensor<6x640xf8E4M3FN>, tensor<5x6xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<6x640xf8E4M3FN>, tensor<5x6xf32>
  // CHECK: tensor<5x8xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} ->
  %c:2 = mlafuse.quantize ins(%x : tensor<6x640xbf16>) outs(%b#0, %tma : tensor<6x640xf8E4M3FN>, tensor<5x8xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<6x640xf8E4M3FN>, tensor<5x8xf32>
  // CHECK: tensor<2x8xi32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} ->
  %d:2 = mlafuse.quantize ins(%x : tensor<6x640xbf16>) outs(%c#0, %packed : tensor<6x640xf8E4M3FN>, tensor<2x8xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>,
       scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<6x640xf8E4M3FN>, tensor<2x8xi32>
  // CHECK: mlafuse.dequantize {{.*}} scale(%{{.*}} : tensor<2x8xi32>)
  %e = mlafuse.dequantize ins(%d#0 : tensor<6x640xf8E4M3FN>) scale(%d#1 : tensor<2x8xi32>) outs(%x : tensor<6x640xbf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>} -> tensor<6x640xbf16>
  return %e : tensor<6x640xbf16>
}

// Codes of FP4 are two to a byte; swizzled scales are padded to 128 x 4.
// CHECK-LABEL: @nvfp4
func.func @nvfp4(%x: tensor<3x96xf32>, %g: !one, %qo: tensor<3x48xi8>, %so: tensor<128x8xf8E4M3FN>) -> tensor<3x96xf32> {
  // CHECK: mlafuse.quantize ins({{.*}}) global_scale(%{{.*}} : tensor<1xf32>) outs({{.*}} : tensor<3x48xi8>, tensor<128x8xf8E4M3FN>)
  %q:2 = mlafuse.quantize ins(%x : tensor<3x96xf32>) global_scale(%g : !one) outs(%qo, %so : tensor<3x48xi8>, tensor<128x8xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<3x48xi8>, tensor<128x8xf8E4M3FN>
  // CHECK: mlafuse.dequantize ins({{.*}}) scale(%{{.*}} : tensor<128x8xf8E4M3FN>) global_scale(%{{.*}} : tensor<1xf32>) outs
  %d = mlafuse.dequantize ins(%q#0 : tensor<3x48xi8>) scale(%q#1 : tensor<128x8xf8E4M3FN>) global_scale(%g : !one) outs(%x : tensor<3x96xf32>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<3x96xf32>
  return %d : tensor<3x96xf32>
}

// CHECK-LABEL: @mx
func.func @mx(%x: tensor<3x96xbf16>, %q8: tensor<3x96xf8E4M3FN>, %q4: tensor<3x48xi8>, %s: tensor<3x3xf8E8M0FNU>) -> (tensor<3x96xf8E4M3FN>, tensor<3x48xi8>) {
  // CHECK: mlafuse.quantize {{.*}} tensor<3x3xf8E8M0FNU>) {key = #mlafuse.quant_key<mxfp8_dynamic>}
  %a:2 = mlafuse.quantize ins(%x : tensor<3x96xbf16>) outs(%q8, %s : tensor<3x96xf8E4M3FN>, tensor<3x3xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp8_dynamic>} -> tensor<3x96xf8E4M3FN>, tensor<3x3xf8E8M0FNU>
  // CHECK: mlafuse.quantize {{.*}} tensor<3x3xf8E8M0FNU>) {key = #mlafuse.quant_key<mxfp4_dynamic>}
  %b:2 = mlafuse.quantize ins(%x : tensor<3x96xbf16>) outs(%q4, %a#1 : tensor<3x48xi8>, tensor<3x3xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp4_dynamic>} -> tensor<3x48xi8>, tensor<3x3xf8E8M0FNU>
  return %a#0, %b#0 : tensor<3x96xf8E4M3FN>, tensor<3x48xi8>
}

// Weights: per channel, and in blocks of 128 x 128 with cut ones at the edges.
// CHECK-LABEL: @weights
func.func @weights(%w: tensor<2x200x300xf8E4M3FN>, %c: tensor<1x300xf32>, %b: tensor<2x3xf32>, %o: tensor<2x200x300xbf16>) -> (tensor<2x200x300xbf16>, tensor<2x200x300xbf16>) {
  // CHECK: scale(%{{.*}} : tensor<1x300xf32>) {{.*}} {key = #mlafuse.quant_key<fp8_static_channel_sym>}
  %0 = mlafuse.dequantize ins(%w : tensor<2x200x300xf8E4M3FN>) scale(%c : tensor<1x300xf32>) outs(%o : tensor<2x200x300xbf16>)
      {key = #mlafuse.quant_key<fp8_static_channel_sym>} -> tensor<2x200x300xbf16>
  // CHECK: scale(%{{.*}} : tensor<2x3xf32>) {{.*}} {key = #mlafuse.quant_key<fp8_static_128_block_sym>}
  %1 = mlafuse.dequantize ins(%w : tensor<2x200x300xf8E4M3FN>) scale(%b : tensor<2x3xf32>) outs(%0 : tensor<2x200x300xbf16>)
      {key = #mlafuse.quant_key<fp8_static_128_block_sym>} -> tensor<2x200x300xbf16>
  return %0, %1 : tensor<2x200x300xbf16>, tensor<2x200x300xbf16>
}

// CHECK-LABEL: @rope
func.func @rope(%x: tensor<?x8x64xbf16>, %pos: tensor<?xi64>, %cs: tensor<4096x64xf32>, %n: tensor<1xi32>) -> tensor<?x8x64xbf16> {
  // CHECK: mlafuse.rope ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>) num_actual_tokens({{.*}}) outs({{.*}}) {style = #mlafuse.rope_style<neox>} -> tensor<?x8x64xbf16>
  %0 = mlafuse.rope ins(%x, %pos, %cs : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>) num_actual_tokens(%n : tensor<1xi32>)
      outs(%x : tensor<?x8x64xbf16>) {style = #mlafuse.rope_style<neox>} -> tensor<?x8x64xbf16>
  // CHECK: {style = #mlafuse.rope_style<interleaved>}
  %1 = mlafuse.rope ins(%0, %pos, %cs : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>)
      outs(%0 : tensor<?x8x64xbf16>) {style = #mlafuse.rope_style<interleaved>} -> tensor<?x8x64xbf16>
  return %1 : tensor<?x8x64xbf16>
}

// CHECK-LABEL: @cache_update
func.func @cache_update(%kv: !x, %pe: tensor<?x64xbf16>, %none: tensor<?x0xbf16>, %slots: tensor<?xi64>, %s: !one, %n: tensor<1xi32>,
    %bf16: tensor<?x64x576xbf16>, %fp8: tensor<?x64x576xf8E4M3FN>, %ds: tensor<?x64x656xi8>, %nope: tensor<?x64x512xbf16>)
    -> (tensor<?x64x576xbf16>, tensor<?x64x576xf8E4M3FN>, tensor<?x64x656xi8>, tensor<?x64x512xbf16>) {
  // CHECK: mlafuse.mla_cache_update ins({{.*}} : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs({{.*}}) {cache_format = #mlafuse.cache_format<bf16>}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : !x, tensor<?x64xbf16>, tensor<?xi64>) outs(%bf16 : tensor<?x64x576xbf16>)
      {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
  // CHECK: k_scale(%{{.*}} : tensor<1xf32>) num_actual_tokens(%{{.*}} : tensor<1xi32>) outs({{.*}}) {cache_format = #mlafuse.cache_format<fp8>}
  %1 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : !x, tensor<?x64xbf16>, tensor<?xi64>) k_scale(%s : !one)
      num_actual_tokens(%n : tensor<1xi32>) outs(%fp8 : tensor<?x64x576xf8E4M3FN>)
      {cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x64x576xf8E4M3FN>
  // CHECK: {cache_format = #mlafuse.cache_format<fp8_ds_mla>, scale_rule = #mlafuse.scale_rule<floor = 1.000000e-04 on scale, rounding = ue8m0>}
  %2 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : !x, tensor<?x64xbf16>, tensor<?xi64>) outs(%ds : tensor<?x64x656xi8>)
      {cache_format = #mlafuse.cache_format<fp8_ds_mla>, scale_rule = #mlafuse.scale_rule<floor = 1.0e-4 on scale, rounding = ue8m0>}
      -> tensor<?x64x656xi8>
  // A model without a position part.
  // CHECK: tensor<?x0xbf16>
  %3 = mlafuse.mla_cache_update ins(%kv, %none, %slots : !x, tensor<?x0xbf16>, tensor<?xi64>) outs(%nope : tensor<?x64x512xbf16>)
      {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x512xbf16>
  return %0, %1, %2, %3 : tensor<?x64x576xbf16>, tensor<?x64x576xf8E4M3FN>, tensor<?x64x656xi8>, tensor<?x64x512xbf16>
}

// CHECK-LABEL: @on_memrefs
func.func @on_memrefs(%x: memref<?x512xbf16>, %q: memref<?x512xf8E4M3FN>, %s: memref<?x1xf32>, %x3: memref<?x8x64xbf16>,
    %pos: memref<?xi64>, %cs: memref<4096x64xf32>, %pe: memref<?x64xbf16>, %cache: memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) {
  // CHECK: mlafuse.quantize {{.*}}}{{$}}
  mlafuse.quantize ins(%x : memref<?x512xbf16>) outs(%q, %s : memref<?x512xf8E4M3FN>, memref<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
  // CHECK: mlafuse.dequantize {{.*}}}{{$}}
  mlafuse.dequantize ins(%q : memref<?x512xf8E4M3FN>) scale(%s : memref<?x1xf32>) outs(%x : memref<?x512xbf16>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
  // CHECK: mlafuse.rope {{.*}}}{{$}}
  mlafuse.rope ins(%x3, %pos, %cs : memref<?x8x64xbf16>, memref<?xi64>, memref<4096x64xf32>) outs(%x3 : memref<?x8x64xbf16>) {style = #mlafuse.rope_style<neox>}
  // CHECK: mlafuse.mla_cache_update {{.*}} memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) {cache_format = #mlafuse.cache_format<bf16>}{{$}}
  mlafuse.mla_cache_update ins(%x, %pe, %pos : memref<?x512xbf16>, memref<?x64xbf16>, memref<?xi64>)
      outs(%cache : memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) {cache_format = #mlafuse.cache_format<bf16>}
  return
}
