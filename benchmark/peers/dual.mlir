// The q and kv norms of DeepSeek-V3's 2112-wide projection, q as FP8 per token.

func.func @dual(%a0: tensor<?x2112xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<1536xbf16> {mlafuse.name = "q_weight"}, %a2: tensor<?x1536xf8E4M3FN> {mlafuse.name = "q_codes", mlafuse.dims = ["T", ""]}, %a3: tensor<?x1xf32> {mlafuse.name = "q_scales"}, %a4: tensor<512xbf16> {mlafuse.name = "kv_weight"}, %a5: tensor<?x512xbf16> {mlafuse.name = "kv_y", mlafuse.dims = ["T", ""]}) -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
  %v1 = arith.constant 0 : index
  %v2 = tensor.dim %a0, %v1 : tensor<?x2112xbf16>
  %v3 = tensor.extract_slice %a0[0, 0] [%v2, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %v4 = arith.constant 0 : index
  %v5 = tensor.dim %a0, %v4 : tensor<?x2112xbf16>
  %v6 = tensor.extract_slice %a0[0, 1536] [%v5, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %v7, %v8, %v9 = mlafuse.dual_rms_norm_quantize ins(%v3, %a1, %v6, %a4 : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>) outs(%a2, %a3, %a5 : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-5 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  return %v7, %v8, %v9 : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}
