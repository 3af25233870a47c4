// Activations whose squares overflow f16 leave a norm finite.

// CASE large: in_x BF16 [2, 128] = 60000.0 * (1.0, -1.0)[i % 2]
// CASE large: in_weight BF16 [128] = 1.0
// CASE large: out_y BF16 [2, 128] = (1.0, -1.0)[i % 2]
// CASE large: out_q F8_E4M3 [2, 128] = (448.0, -448.0)[i % 2]
// CASE large: out_scale F32 [2, 1] = f32(1.0 / 448)

// RUN: %compile_both
// RUN: %case_both norm_quantize large

func.func @norm_quantize(%x: tensor<?x128xbf16> {mlafuse.name = "in_x"},
    %w: tensor<128xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x128xbf16>,
    %q_out: tensor<?x128xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xbf16> {mlafuse.name = "out_y"}, tensor<?x128xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x128xbf16>, tensor<128xbf16>) outs(%y_out : tensor<?x128xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x128xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x128xbf16>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x128xbf16>, tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}
