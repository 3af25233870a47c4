// RUN: mlafuse-opt %s --mlafuse-decompose | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: mlafuse-opt %s --mlafuse-decompose=aggregates-only | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: mlafuse-opt %s --mlafuse-decompose=aggregates-only --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// The attention takes q_latent and q_pe as they are. With a key, the last product
// keeps it unless everything is to be opened.
// CHECK-LABEL: func.func @groups(
// CHECK-DAG: %[[B:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?x1x4x128xbf16>
// CHECK-DAG: %[[Q:.*]] = tensor.empty(%{{.*}}) : tensor<?x1x4x512xbf16>
// CHECK: %[[L:.*]] = mlafuse.head_projection ins(%arg0, %arg2 : tensor<?x1x4x128xbf16>, tensor<4x128x512xbf16>) outs(%[[Q]] : tensor<?x1x4x512xbf16>)
// CHECK-NEXT: %[[O:.*]] = tensor.empty(%{{.*}}) : tensor<?x1x4x512xbf16>
// CHECK-NEXT: %[[A:.*]]:2 = mlafuse.latent_attention ins(%[[L]], %arg4 : {{.*}}) q_pe(%arg1 : tensor<?x1x4x64xbf16>) block_table(%arg5 : tensor<?x?xi32>) seq_lens(%arg6 : tensor<?xi32>) k_scale(%arg7 : tensor<1xf32>) outs(%[[O]], %arg10 : tensor<?x1x4x512xbf16>, tensor<?x1x4xf32>) {cache_format = #mlafuse.cache_format<fp8>, softmax_scale = 1.352000e-01 : f32}
// KEPT-NEXT: %[[R:.*]]:2 = mlafuse.head_projection ins(%[[A]]#0, %arg3 : {{.*}}) row_offset(%arg11 : index) outs(%arg8, %arg9 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>}
// WHOLE-NEXT: %[[P:.*]] = mlafuse.head_projection ins(%[[A]]#0, %arg3 : {{.*}}) outs(%{{.*}} : tensor<?x512xf32>)
// WHOLE-NEXT: %[[R:.*]]:2 = mlafuse.quantize ins(%[[P]] : tensor<?x512xf32>) row_offset(%arg11 : index) outs(%arg8, %arg9 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>}
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[A]]#1
// LOC: tensor.empty{{.*}} loc(#[[LOC:loc[0-9]*]])
// LOC: mlafuse.head_projection{{.*}} loc(#[[LOC]])
// LOC: mlafuse.latent_attention{{.*}} loc(#[[LOC]])
// LOC: #[[DECODE:.*]] = loc("decode")
// LOC: #[[LOC]] = loc("mlafuse.mla_decode"(#[[DECODE]]))
func.func @groups(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xf8E4M3FN>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %ks: tensor<1xf32>, %q8: tensor<?x512xf8E4M3FN>, %s: tensor<?x4xf32>, %l: tensor<?x1x4xf32>, %row: index) -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x1x4xf32>) {
  %o:3 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xf8E4M3FN>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) k_scale(%ks : tensor<1xf32>) row_offset(%row : index) outs(%q8, %s, %l : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x1x4xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<fp8>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x1x4xf32> loc("decode")
  return %o#0, %o#1, %o#2 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x1x4xf32>
}

// CHECK-LABEL: func.func @bf16_with_indices(
// CHECK: mlafuse.latent_attention ins({{.*}}) indices(%arg5 : tensor<2x3x?xi32>)
// CHECK-NEXT: mlafuse.head_projection ins({{.*}}) num_actual_tokens(%arg7 : tensor<1xi32>) outs(%arg6 : tensor<6x512xbf16>)
// CHECK-NEXT: return
func.func @bf16_with_indices(%qn: tensor<2x3x4x128xbf16>, %qp: tensor<2x3x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %i: tensor<2x3x?xi32>, %o: tensor<6x512xbf16>, %n: tensor<1xi32>) -> tensor<6x512xbf16> {
  %r = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<2x3x4x128xbf16>, tensor<2x3x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) indices(%i : tensor<2x3x?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o : tensor<6x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<6x512xbf16>
  return %r : tensor<6x512xbf16>
}

// Every part takes the count: tables and lengths of padded requests are not
// read, and their rows of lse stay.
// CHECK-LABEL: func.func @count_and_lse(
// CHECK-SAME: %[[LSE:[^ ]*]]: tensor<2x3x4xf32>, %[[N:[^ ]*]]: tensor<1xi32>
// CHECK: mlafuse.head_projection {{.*}} num_actual_tokens(%[[N]] : tensor<1xi32>)
// CHECK: mlafuse.latent_attention {{.*}} num_actual_tokens(%[[N]] : tensor<1xi32>) outs(%{{.*}}, %[[LSE]] :
// CHECK: mlafuse.head_projection {{.*}} num_actual_tokens(%[[N]] : tensor<1xi32>)
func.func @count_and_lse(%qn: tensor<2x3x4x128xbf16>, %qp: tensor<2x3x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %i: tensor<2x3x?xi32>, %o: tensor<6x512xbf16>, %l: tensor<2x3x4xf32>, %n: tensor<1xi32>) -> (tensor<6x512xbf16>, tensor<2x3x4xf32>) {
  %r:2 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<2x3x4x128xbf16>, tensor<2x3x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) indices(%i : tensor<2x3x?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o, %l : tensor<6x512xbf16>, tensor<2x3x4xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<6x512xbf16>, tensor<2x3x4xf32>
  return %r#0, %r#1 : tensor<6x512xbf16>, tensor<2x3x4xf32>
}

// A q_pe of no columns has nothing to add. The schedule is the attention's.
// CHECK-LABEL: func.func @no_rope(
// CHECK: mlafuse.head_projection {{.*}} outs(%{{[^{]*$}}
// CHECK: mlafuse.latent_attention ins({{[^)]*}}) indices({{.*}} schedule = #mlafuse.schedule<stages = 3, splits = 1>, softmax_scale
// CHECK: mlafuse.head_projection {{.*}} outs(%{{[^{]*$}}
func.func @no_rope(%qn: tensor<2x3x4x128xbf16>, %qp: tensor<2x3x4x0xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x512xbf16>, %i: tensor<2x3x?xi32>, %o: tensor<6x512xbf16>) -> tensor<6x512xbf16> {
  %r = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<2x3x4x128xbf16>, tensor<2x3x4x0xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x512xbf16>) indices(%i : tensor<2x3x?xi32>) outs(%o : tensor<6x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<splits = 1, stages = 3>} -> tensor<6x512xbf16>
  return %r : tensor<6x512xbf16>
}
