// mla_attention becomes its parts, which write one buffer: decode tokens first, then
// prefill tokens from there on. Each takes its share of the count of actual tokens.
// RUN: mlafuse-opt %s --mlafuse-decompose=aggregates-only | FileCheck %s

// CHECK-LABEL: func.func @batch(
// CHECK-SAME: %[[N:[a-z0-9]+]]: tensor<1xi32>, %[[OFFSET:[a-z0-9]+]]: index)
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?x1x2x16xbf16>
// CHECK: %[[PREFILL:.*]] = arith.addi %[[OFFSET]], %[[ROWS]] : index
// CHECK: %[[ROWS32:.*]] = arith.index_cast %[[ROWS]] : index to i32
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} ins(%[[N]] : tensor<1xi32>)
// CHECK: arith.minsi %{{.*}}, %[[ROWS32]] : i32
// CHECK: %[[REST:.*]] = linalg.generic {{.*}} ins(%[[N]] : tensor<1xi32>)
// CHECK: arith.subi %{{.*}}, %[[ROWS32]] : i32
// CHECK: arith.maxsi
// CHECK: mlafuse.head_projection {{.*}} num_actual_tokens(%[[FIRST]] : tensor<1xi32>)
// CHECK: mlafuse.latent_attention {{.*}} num_actual_tokens(%[[FIRST]] : tensor<1xi32>)
// CHECK: %[[D:.*]]:2 = mlafuse.head_projection {{.*}} num_actual_tokens(%[[FIRST]] : tensor<1xi32>) row_offset(%[[OFFSET]] : index)
// CHECK-SAME: outs(%arg12, %arg13 : {{.*}}) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>}
// CHECK: %[[P:.*]]:2 = mlafuse.mla_prefill {{.*}} num_actual_tokens(%[[REST]] : tensor<1xi32>) row_offset(%[[PREFILL]] : index)
// CHECK-SAME: outs(%[[D]]#0, %[[D]]#1 : {{.*}}) {causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>
// CHECK: return %[[P]]#0, %[[P]]#1
func.func @batch(%qn: tensor<?x1x2x16xbf16>, %qp: tensor<?x1x2x16xbf16>, %wk: tensor<2x16x64xbf16>, %wv: tensor<2x64x64xbf16>, %cache: tensor<?x16x80xbf16>,
    %q: tensor<?x2x24xbf16>, %k: tensor<?x2x24xbf16>, %v: tensor<?x2x64xbf16>, %cq: tensor<?xi32>, %ck: tensor<?xi32>,
    %table: tensor<?x?xi32>, %lens: tensor<?xi32>, %o: tensor<?x128xf8E4M3FN>, %s: tensor<1x?xf32>, %n: tensor<1xi32>, %offset: index)
    -> (tensor<?x128xf8E4M3FN>, tensor<1x?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %qn, %c0 : tensor<?x1x2x16xbf16>
  %0:2 = mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %cache, %q, %k, %v, %cq, %ck : tensor<?x1x2x16xbf16>, tensor<?x1x2x16xbf16>, tensor<2x16x64xbf16>, tensor<2x64x64xbf16>, tensor<?x16x80xbf16>, tensor<?x2x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x64xbf16>, tensor<?xi32>, tensor<?xi32>)
      decode_rows(%rows : index) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>) row_offset(%offset : index)
      outs(%o, %s : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>}
      -> tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
  return %0#0, %0#1 : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
}
