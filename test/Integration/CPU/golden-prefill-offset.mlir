// Causal mla_prefill of more keys than queries against its golden file: bf16 with
// lse, and quantized from the rounded and from the f32 result, as one op and as the
// chain that becomes one.

// RUN: %compile_both
// RUN: %golden_both offset_bf16 prefill-causal_offset_h1 --partial
// RUN: %golden_both offset_op prefill-causal_offset_h1 --partial
// RUN: %golden_both offset_op_contracted prefill-causal_offset_h1 --partial --against-contracted
// RUN: %golden_both offset_chain prefill-causal_offset_h1 --partial
// RUN: %golden_both offset_chain_contracted prefill-causal_offset_h1 --partial --against-contracted

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize
// CHECK-COUNT-5: mlafuse.mla_prefill

func.func @offset_bf16(%q: tensor<?x1x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x1x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x1x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %o_out: tensor<?x128xbf16>, %lse_out: tensor<?x1xf32>)
    -> (tensor<?x128xbf16> {mlafuse.name = "out_o"}, tensor<?x1xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x1x192xbf16>, tensor<?x1x192xbf16>, tensor<?x1x128xbf16>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x128xbf16>, tensor<?x1xf32>) {softmax_scale = 0.07216878364870322 : f32, causal} -> tensor<?x128xbf16>, tensor<?x1xf32>
  return %o, %lse : tensor<?x128xbf16>, tensor<?x1xf32>
}

func.func @offset_op(%q: tensor<?x1x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x1x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x1x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x128xf8E4M3FN>, %s_out: tensor<?x1xf32>, %lse_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x1xf32> {mlafuse.name = "out_fp8_g128_scale"}, tensor<?x1xf32> {mlafuse.name = "out_lse"}) {
  %q8, %s, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x1x192xbf16>, tensor<?x1x192xbf16>, tensor<?x1x128xbf16>, tensor<?xi32>, tensor<?xi32>)
      outs(%q_out, %s_out, %lse_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1xf32>)
      {softmax_scale = 0.07216878364870322 : f32, causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1xf32>
  return %q8, %s, %lse : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1xf32>
}

func.func @offset_op_contracted(%q: tensor<?x1x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x1x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x1x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x128xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x1xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %q8, %s = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x1x192xbf16>, tensor<?x1x192xbf16>, tensor<?x1x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {softmax_scale = 0.07216878364870322 : f32, causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}

func.func @offset_chain(%q: tensor<?x1x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x1x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x1x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x128xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x1xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %q, %c0 : tensor<?x1x192xbf16>
  %tmp = tensor.empty(%t) : tensor<?x128xbf16>
  %o = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x1x192xbf16>, tensor<?x1x192xbf16>, tensor<?x1x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%tmp : tensor<?x128xbf16>) {softmax_scale = 0.07216878364870322 : f32, causal} -> tensor<?x128xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x128xbf16>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}

func.func @offset_chain_contracted(%q: tensor<?x1x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x1x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x1x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x128xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x1xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %q, %c0 : tensor<?x1x192xbf16>
  %tmp = tensor.empty(%t) : tensor<?x128xf32>
  %o = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x1x192xbf16>, tensor<?x1x192xbf16>, tensor<?x1x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%tmp : tensor<?x128xf32>) {softmax_scale = 0.07216878364870322 : f32, causal} -> tensor<?x128xf32>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x128xf32>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}
