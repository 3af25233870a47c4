// RUN: mlafuse-opt %s --mlafuse-fuse | FileCheck %s
// Fusing again changes nothing.
// RUN: mlafuse-opt %s --mlafuse-fuse > %t.once
// RUN: mlafuse-opt %t.once --mlafuse-fuse | diff %t.once -

// CHECK-LABEL: func.func @decode_groups_of_128(
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.mla_decode ins(%arg0, %arg1, %arg2, %arg3, %arg4 : {{.*}}) block_table(%arg5 : tensor<?x?xi32>) seq_lens(%arg6 : tensor<?xi32>) outs(%arg8, %arg9 : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>) {{{.*}}key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @decode_groups_of_128(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<4x?xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<4x?xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q8, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

// CHECK-LABEL: func.func @decode_groups_of_64(
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.mla_decode ins(%arg0, %arg1, %arg2, %arg3, %arg4 : {{.*}}) block_table(%arg5 : tensor<?x?xi32>) seq_lens(%arg6 : tensor<?xi32>) outs(%arg8, %arg9 : tensor<?x512xf8E4M3FN>, tensor<?x8xf32>) {{{.*}}key = #mlafuse.quant_key<fp8_dynamic_64_sym>
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @decode_groups_of_64(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x8xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x8xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x8xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x8xf32>
  return %q8, %s : tensor<?x512xf8E4M3FN>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @decode_per_token(
// CHECK-NEXT: %[[R:.*]]:2 = mlafuse.mla_decode ins(%arg0, %arg1, %arg2, %arg3, %arg4 : {{.*}}) block_table(%arg5 : tensor<?x?xi32>) seq_lens(%arg6 : tensor<?xi32>) outs(%arg8, %arg9 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {{{.*}}key = #mlafuse.quant_key<fp8_dynamic_token_sym>
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @decode_per_token(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @decode_static(
// CHECK-NEXT: %[[R:.*]] = mlafuse.mla_decode {{.*}} scale(%arg9 : tensor<1xf32>) outs(%arg8 : tensor<?x512xf8E4M3FN>) {{{.*}}key = #mlafuse.quant_key<fp8_static_tensor_sym>
// CHECK-NEXT: return %[[R]] :
func.func @decode_static(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<1xf32>) -> (tensor<?x512xf8E4M3FN>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  %q8 = mlafuse.quantize ins(%o : tensor<?x512xbf16>) scale(%so : tensor<1xf32>) outs(%q8o : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %q8 : tensor<?x512xf8E4M3FN>
}

// The other results move behind codes and scale.
// CHECK-LABEL: func.func @decode_with_lse(
// CHECK-NEXT: %[[R:.*]]:3 = mlafuse.mla_decode {{.*}} outs(%arg8, %arg9, %arg10 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1x4xf32>)
// CHECK-NEXT: return %[[R]]#2, %[[R]]#0, %[[R]]#1
func.func @decode_with_lse(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x1xf32>, %lo: tensor<?x1x4xf32>) -> (tensor<?x1x4xf32>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %o, %lse = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo, %lo : tensor<?x512xbf16>, tensor<?x1x4xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>, tensor<?x1x4xf32>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %lse, %q8, %s : tensor<?x1x4xf32>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}

// An f32 value between is what `contracted` means.
// CHECK-LABEL: func.func @decode_contracted(
// CHECK-NEXT: mlafuse.mla_decode {{.*}}numerics = #mlafuse.numerics<contracted>
func.func @decode_contracted(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xf32>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xf32>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xf32>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}

// Decode writes the first rows of a buffer, prefill the others.
// CHECK-LABEL: func.func @decode_into_a_row_range(
// CHECK-NEXT: mlafuse.mla_decode {{.*}} num_actual_tokens(%arg11 : tensor<1xi32>) row_offset(%arg10 : index) outs(%arg8, %arg9 :
func.func @decode_into_a_row_range(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x1xf32>, %row: index, %n: tensor<1xi32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) num_actual_tokens(%n : tensor<1xi32>) row_offset(%row : index) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}

// The destinations may be made after the attention.
// CHECK-LABEL: func.func @prefill(
// CHECK-DAG: %[[Q:.*]] = tensor.empty(%{{.*}}) : tensor<?x2048xf8E4M3FN>
// CHECK-DAG: %[[S:.*]] = tensor.empty(%{{.*}}) : tensor<?x16xf32>
// CHECK: %[[R:.*]]:3 = mlafuse.mla_prefill ins({{.*}}) outs(%[[Q]], %[[S]], %arg6 :
// CHECK-NEXT: %[[L:.*]] = arith.negf %[[R]]#2
// CHECK-NEXT: return %[[L]], %[[R]]#0, %[[R]]#1
func.func @prefill(%q: tensor<?x16x192xbf16>, %k: tensor<?x16x192xbf16>, %v: tensor<?x16x128xbf16>, %cq: tensor<?xi32>, %ck: tensor<?xi32>, %oo: tensor<?x2048xbf16>, %lo: tensor<?x16xf32>, %t: index) -> (tensor<?x16xf32>, tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x16x192xbf16>, tensor<?x16x192xbf16>, tensor<?x16x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%oo, %lo : tensor<?x2048xbf16>, tensor<?x16xf32>) {softmax_scale = 0.1352 : f32, causal} -> tensor<?x2048xbf16>, tensor<?x16xf32>
  %n = arith.negf %lse : tensor<?x16xf32>
  %q8o = tensor.empty(%t) : tensor<?x2048xf8E4M3FN>
  %so = tensor.empty(%t) : tensor<?x16xf32>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x2048xbf16>) outs(%q8o, %so : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
  return %n, %q8, %s : tensor<?x16xf32>, tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
}

// CHECK-LABEL: func.func @merge(
// CHECK-NEXT: mlafuse.merge_attn_states ins({{.*}}) outs(%arg5, %arg6 : tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
// CHECK-NEXT: return
func.func @merge(%a: tensor<?x16x128xbf16>, %la: tensor<?x16xf32>, %b: tensor<?x16x128xbf16>, %lb: tensor<?x16xf32>, %oo: tensor<?x2048xbf16>, %q8o: tensor<?x2048xf8E4M3FN>, %so: tensor<?x1xf32>) -> (tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x16x128xbf16>, tensor<?x16xf32>, tensor<?x16x128xbf16>, tensor<?x16xf32>) outs(%oo : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x2048xbf16>) outs(%q8o, %so : tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @head_projection(
// CHECK-NEXT: mlafuse.head_projection ins({{.*}}) scale(%arg4 : tensor<1xf32>) outs(%arg3 : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>}
// CHECK-NEXT: return
func.func @head_projection(%x: tensor<?x1x4x512xbf16>, %w: tensor<4x512x128xbf16>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<1xf32>) -> tensor<?x512xf8E4M3FN> {
  %o = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x512xbf16>, tensor<4x512x128xbf16>) outs(%oo : tensor<?x512xbf16>) -> tensor<?x512xbf16>
  %q8 = mlafuse.quantize ins(%o : tensor<?x512xbf16>) scale(%so : tensor<1xf32>) outs(%q8o : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %q8 : tensor<?x512xf8E4M3FN>
}
