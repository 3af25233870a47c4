// What call.c runs: a norm of rows of 512 and its quantization to FP8 with one scale
// per row.
func.func @norm_quantize(%x: tensor<?x512xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]},
    %w: tensor<512xbf16> {mlafuse.name = "w"},
    %q_out: tensor<?x512xf8E4M3FN> {mlafuse.name = "q_out"}, %s_out: tensor<?x1xf32> {mlafuse.name = "s_out"})
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "q"}, tensor<?x1xf32> {mlafuse.name = "s"}) {
  %q, %s = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
