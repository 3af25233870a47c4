// Of two ops that are not fused, the first one's result lies in the workspace.
func.func @norm_quantize(%x: tensor<?x512xbf16>, %w: tensor<512xbf16>,
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %T = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %empty = tensor.empty(%T) : tensor<?x512xbf16>
  %n = mlafuse.rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%empty : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q, %s = mlafuse.quantize ins(%n : tensor<?x512xbf16>)
      outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
