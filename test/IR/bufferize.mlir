// Bufferization: in place, without an allocation or a copy.
// RUN: mlafuse-opt %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' --canonicalize --cse --split-input-file | FileCheck %s

// The two norms of one projection, unfused: strided views of it are read in
// place.
// CHECK-LABEL: func.func @unfused(
// CHECK-SAME: %[[P:.*]]: memref<?x2112xbf16>, {{.*}}, %[[Q8:[a-z0-9]*]]: memref<?x1536xf8E4M3FN>, %[[QS:[a-z0-9]*]]: memref<?x1xf32>, %[[KV:[a-z0-9]*]]: memref<?x512xbf16>, %[[TMP:[a-z0-9]*]]: memref<?x1536xbf16>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: %[[QC:.*]] = memref.subview %[[P]][0, 0]
// CHECK: %[[KVC:.*]] = memref.subview %[[P]][0, 1536]
// CHECK: mlafuse.rms_norm ins(%[[QC]], {{.*}} : memref<?x1536xbf16, strided<[2112, 1]>>, {{.*}}) outs(%[[TMP]] :
// CHECK: mlafuse.quantize ins(%[[TMP]] : {{.*}}) outs(%[[Q8]], %[[QS]] :
// CHECK: mlafuse.rms_norm ins(%[[KVC]], {{.*}} : memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, {{.*}}) outs(%[[KV]] :
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @unfused(%p: tensor<?x2112xbf16> {bufferization.writable = false}, %qw: tensor<1536xbf16>, %kw: tensor<512xbf16>,
    %q8_out: tensor<?x1536xf8E4M3FN>, %qs_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %q_tmp: tensor<?x1536xbf16>)
    -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%q_tmp : tensor<?x1536xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x1536xbf16>) outs(%q8_out, %qs_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %q8, %qs, %kv : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

// -----

// The same, fused.
// CHECK-LABEL: func.func @fused(
// CHECK-SAME: %[[P:.*]]: memref<?x2112xbf16>, {{.*}}, %[[Q8:[a-z0-9]*]]: memref<?x1536xf8E4M3FN>, %[[QS:[a-z0-9]*]]: memref<?x1xf32>, %[[KV:[a-z0-9]*]]: memref<?x512xbf16>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: mlafuse.dual_rms_norm_quantize ins({{.*}} : memref<?x1536xbf16, strided<[2112, 1]>>, {{.*}}, memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, {{.*}}) outs(%[[Q8]], %[[QS]], %[[KV]] :
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @fused(%p: tensor<?x2112xbf16>, %qw: tensor<1536xbf16>, %kw: tensor<512xbf16>,
    %q8_out: tensor<?x1536xf8E4M3FN>, %qs_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>)
    -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %q8, %qs, %kv = mlafuse.dual_rms_norm_quantize ins(%q_c, %qw, %kv_c, %kw : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q8_out, %qs_out, %kv_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
      {q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32}
      -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  return %q8, %qs, %kv : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

// -----

// A norm onto its own input: each row is read before it is written.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:.*]]: memref<?x512xbf16>, %[[W:.*]]: memref<512xbf16>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: mlafuse.rms_norm ins(%[[X]], %[[W]] : {{.*}}) outs(%[[X]] :
func.func @in_place(%x: tensor<?x512xbf16>, %w: tensor<512xbf16>) -> tensor<?x512xbf16> {
  %0 = mlafuse.rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) outs(%x : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %0 : tensor<?x512xbf16>
}

// -----

// Not where the input is read later on: that value needs memory of its own. The
// destination is overwritten whole, so nothing is copied into it.
// CHECK-LABEL: func.func @input_used_later(
// CHECK-SAME: %[[X:.*]]: memref<?x512xbf16>, %[[Y:.*]]: memref<?x512xbf16>
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: mlafuse.rms_norm ins(%[[X]] : {{.*}}) outs(%[[NEW]] :
// CHECK: mlafuse.add_rms_norm ins(%[[X]] : {{.*}}) residual(%[[NEW]] :
func.func @input_used_later(%x: tensor<?x512xbf16>, %y: tensor<?x512xbf16>) -> (tensor<?x512xbf16>, tensor<?x512xbf16>) {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%x : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %1:2 = mlafuse.add_rms_norm ins(%x : tensor<?x512xbf16>) residual(%0 : tensor<?x512xbf16>)
      outs(%y, %0 : tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>, tensor<?x512xbf16>
  return %1#0, %1#1 : tensor<?x512xbf16>, tensor<?x512xbf16>
}

// -----

// With a count the rows past it keep what they held: where the destination's old
// value is used again, its contents are copied.
// CHECK-LABEL: func.func @count_keeps_contents(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<4x512xbf16>, %[[N:[a-z0-9]*]]: memref<1xi32>, %[[Y:[a-z0-9]*]]: memref<4x512xbf16>
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[Y]], %[[NEW]]
// CHECK: mlafuse.rms_norm ins(%[[X]] : {{.*}}) num_actual_tokens(%[[N]] : {{.*}}) outs(%[[NEW]] :
func.func @count_keeps_contents(%x: tensor<4x512xbf16>, %n: tensor<1xi32>, %y: tensor<4x512xbf16>) -> (tensor<4x512xbf16>, tensor<4x512xbf16>) {
  %0 = mlafuse.rms_norm ins(%x : tensor<4x512xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%y : tensor<4x512xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<4x512xbf16>
  return %0, %y : tensor<4x512xbf16>, tensor<4x512xbf16>
}

// -----

// Decode and prefill rows go to one buffer, in place.
// CHECK-LABEL: func.func @row_ranges(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @row_ranges(%a: tensor<?x512xbf16>, %b: tensor<?x512xbf16>, %n: index, %q: tensor<?x512xf8E4M3FN>, %s: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<4x?xf32>) {
  %c0 = arith.constant 0 : index
  %0:2 = mlafuse.quantize ins(%a : tensor<?x512xbf16>) row_offset(%c0 : index) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  %1:2 = mlafuse.quantize ins(%b : tensor<?x512xbf16>) row_offset(%n : index) outs(%0#0, %0#1 : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %1#0, %1#1 : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

// -----

// A cache is updated in place and read by its new value.
// CHECK-LABEL: func.func @cache(
// CHECK-SAME: %[[C:[a-z0-9]*]]: memref<8x64x576xbf16>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: mlafuse.mla_cache_update {{.*}} outs(%[[C]] :
// CHECK: mlafuse.latent_attention ins({{.*}}, %[[C]] :
func.func @cache(%c: tensor<8x64x576xbf16>, %kv: tensor<4x512xbf16>, %pe: tensor<4x64xbf16>, %slots: tensor<4xi64>, %q: tensor<4x1x16x576xbf16>,
    %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x16x512xbf16>) -> (tensor<8x64x576xbf16>, tensor<4x1x16x512xbf16>) {
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<4x512xbf16>, tensor<4x64xbf16>, tensor<4xi64>) outs(%c : tensor<8x64x576xbf16>)
      {cache_format = #mlafuse.cache_format<bf16>} -> tensor<8x64x576xbf16>
  %1 = mlafuse.latent_attention ins(%q, %0 : tensor<4x1x16x576xbf16>, tensor<8x64x576xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
      outs(%o : tensor<4x1x16x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x16x512xbf16>
  return %0, %1 : tensor<8x64x576xbf16>, tensor<4x1x16x512xbf16>
}

// -----

// The position part of a query is read where it is, next to the part that
// q absorb takes; what absorb writes is all that is allocated for queries.
// CHECK-LABEL: func.func @queries(
// CHECK-SAME: %[[Q:[a-z0-9]*]]: memref<4x1x16x192xbf16>
// CHECK: %[[NOPE:.*]] = memref.subview %[[Q]][0, 0, 0, 0]
// CHECK: %[[ROPE:.*]] = memref.subview %[[Q]][0, 0, 0, 128]
// CHECK-NOT: memref.copy
// CHECK: %[[LATENT:.*]] = memref.alloc() {{.*}} memref<4x1x16x512xbf16>
// CHECK-NOT: memref.alloc
// CHECK: mlafuse.head_projection ins(%[[NOPE]], {{.*}}) outs(%[[LATENT]] :
// CHECK-NEXT: mlafuse.latent_attention ins(%[[LATENT]], {{.*}}) q_pe(%[[ROPE]] : memref<4x1x16x64xbf16, strided<[3072, 3072, 192, 1], offset: 128>>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func @queries(%q: tensor<4x1x16x192xbf16> {bufferization.writable = false}, %wk: tensor<16x128x512xbf16>, %c: tensor<8x64x576xbf16>, %i: tensor<4x1x32xi32>, %o: tensor<4x1x16x512xbf16>) -> tensor<4x1x16x512xbf16> {
  %nope = tensor.extract_slice %q[0, 0, 0, 0] [4, 1, 16, 128] [1, 1, 1, 1] : tensor<4x1x16x192xbf16> to tensor<4x1x16x128xbf16>
  %rope = tensor.extract_slice %q[0, 0, 0, 128] [4, 1, 16, 64] [1, 1, 1, 1] : tensor<4x1x16x192xbf16> to tensor<4x1x16x64xbf16>
  %empty = tensor.empty() : tensor<4x1x16x512xbf16>
  %latent = mlafuse.head_projection ins(%nope, %wk : tensor<4x1x16x128xbf16>, tensor<16x128x512xbf16>) outs(%empty : tensor<4x1x16x512xbf16>) -> tensor<4x1x16x512xbf16>
  %0 = mlafuse.latent_attention ins(%latent, %c : tensor<4x1x16x512xbf16>, tensor<8x64x576xbf16>) q_pe(%rope : tensor<4x1x16x64xbf16>) indices(%i : tensor<4x1x32xi32>)
      outs(%o : tensor<4x1x16x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x16x512xbf16>
  return %0 : tensor<4x1x16x512xbf16>
}
