// mla_prefill against its golden files: bf16 with lse, and quantized from the rounded
// and from the f32 result, as one op and as the chain that becomes one.

// RUN: %compile_both
// RUN: %golden_both causal_bf16 prefill-causal_h2 --partial
// RUN: %golden_both causal_op prefill-causal_h2 --partial
// RUN: %golden_both causal_op_contracted prefill-causal_h2 --partial --against-contracted
// RUN: %golden_both causal_chain prefill-causal_h2 --partial
// RUN: %golden_both causal_chain_contracted prefill-causal_h2 --partial --against-contracted
// RUN: %golden_both context_bf16 prefill-context_h2 --partial
// RUN: %golden_both context_op prefill-context_h2 --partial
// RUN: %golden_both context_op_contracted prefill-context_h2 --partial --against-contracted
// RUN: %golden_both context_chain prefill-context_h2 --partial
// RUN: %golden_both context_chain_contracted prefill-context_h2 --partial --against-contracted

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize
// CHECK-COUNT-10: mlafuse.mla_prefill

func.func @causal_bf16(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %o_out: tensor<?x256xbf16>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x256xbf16>, tensor<?x2xf32>) {softmax_scale = 0.07216878364870322 : f32, causal} -> tensor<?x256xbf16>, tensor<?x2xf32>
  return %o, %lse : tensor<?x256xbf16>, tensor<?x2xf32>
}

func.func @causal_op(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %q8, %s, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>)
      outs(%q_out, %s_out, %lse_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x2xf32>)
      {softmax_scale = 0.07216878364870322 : f32, causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x2xf32>
  return %q8, %s, %lse : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x2xf32>
}

func.func @causal_op_contracted(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %q8, %s = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {softmax_scale = 0.07216878364870322 : f32, causal, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q8, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @causal_chain(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %q, %c0 : tensor<?x2x192xbf16>
  %tmp = tensor.empty(%t) : tensor<?x256xbf16>
  %o = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%tmp : tensor<?x256xbf16>) {softmax_scale = 0.07216878364870322 : f32, causal} -> tensor<?x256xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q8, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @causal_chain_contracted(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %q, %c0 : tensor<?x2x192xbf16>
  %tmp = tensor.empty(%t) : tensor<?x256xf32>
  %o = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%tmp : tensor<?x256xf32>) {softmax_scale = 0.07216878364870322 : f32, causal} -> tensor<?x256xf32>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x256xf32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q8, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @context_bf16(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %o_out: tensor<?x256xbf16>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x256xbf16>, tensor<?x2xf32>) {softmax_scale = 0.07216878364870322 : f32} -> tensor<?x256xbf16>, tensor<?x2xf32>
  return %o, %lse : tensor<?x256xbf16>, tensor<?x2xf32>
}

func.func @context_op(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %q8, %s, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>)
      outs(%q_out, %s_out, %lse_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x2xf32>)
      {softmax_scale = 0.07216878364870322 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x2xf32>
  return %q8, %s, %lse : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>, tensor<?x2xf32>
}

func.func @context_op_contracted(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %q8, %s = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {softmax_scale = 0.07216878364870322 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q8, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @context_chain(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %q, %c0 : tensor<?x2x192xbf16>
  %tmp = tensor.empty(%t) : tensor<?x256xbf16>
  %o = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%tmp : tensor<?x256xbf16>) {softmax_scale = 0.07216878364870322 : f32} -> tensor<?x256xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q8, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @context_chain_contracted(%q: tensor<?x2x192xbf16> {mlafuse.name = "in_q"},
    %k: tensor<?x2x192xbf16> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xbf16> {mlafuse.name = "in_v"},
    %cq: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_q"},
    %ck: tensor<?xi32> {mlafuse.name = "in_cu_seqlens_k"}, %q_out: tensor<?x256xf8E4M3FN>, %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_fp8_g128"}, tensor<?x2xf32> {mlafuse.name = "out_fp8_g128_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %q, %c0 : tensor<?x2x192xbf16>
  %tmp = tensor.empty(%t) : tensor<?x256xf32>
  %o = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%tmp : tensor<?x256xf32>) {softmax_scale = 0.07216878364870322 : f32} -> tensor<?x256xf32>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x256xf32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q8, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}
