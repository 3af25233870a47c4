// A norm of rows of 7168 with quantization, without and with a residual.

func.func @norm_token(%a0: tensor<?x7168xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<7168xbf16> {mlafuse.name = "weight"}, %a2: tensor<?x7168xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a3: tensor<?x1xf32> {mlafuse.name = "scales"}) -> (tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>) {
  %v1, %v2 = mlafuse.rms_norm_quantize ins(%a0, %a1 : tensor<?x7168xbf16>, tensor<7168xbf16>) outs(%a2, %a3 : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>
  return %v1, %v2 : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>
}

func.func @norm_g128(%a0: tensor<?x7168xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<7168xbf16> {mlafuse.name = "weight"}, %a2: tensor<?x7168xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a3: tensor<?x56xf32> {mlafuse.name = "scales"}) -> (tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>) {
  %v1, %v2 = mlafuse.rms_norm_quantize ins(%a0, %a1 : tensor<?x7168xbf16>, tensor<7168xbf16>) outs(%a2, %a3 : tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>
  return %v1, %v2 : tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>
}

func.func @add_norm_token(%a0: tensor<?x7168xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<7168xbf16> {mlafuse.name = "weight"}, %a2: tensor<?x7168xbf16> {mlafuse.name = "residual", mlafuse.dims = ["T", ""]}, %a3: tensor<?x7168xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a4: tensor<?x1xf32> {mlafuse.name = "scales"}, %a5: tensor<?x7168xbf16> {mlafuse.name = "h", mlafuse.dims = ["T", ""]}) -> (tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x7168xbf16>) {
  %v1, %v2, %v3 = mlafuse.rms_norm_quantize ins(%a0, %a1 : tensor<?x7168xbf16>, tensor<7168xbf16>) residual(%a2 : tensor<?x7168xbf16>) outs(%a3, %a4, %a5 : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x7168xbf16>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x7168xbf16>
  return %v1, %v2, %v3 : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x7168xbf16>
}

func.func @add_norm_g128(%a0: tensor<?x7168xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<7168xbf16> {mlafuse.name = "weight"}, %a2: tensor<?x7168xbf16> {mlafuse.name = "residual", mlafuse.dims = ["T", ""]}, %a3: tensor<?x7168xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a4: tensor<?x56xf32> {mlafuse.name = "scales"}, %a5: tensor<?x7168xbf16> {mlafuse.name = "h", mlafuse.dims = ["T", ""]}) -> (tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>, tensor<?x7168xbf16>) {
  %v1, %v2, %v3 = mlafuse.rms_norm_quantize ins(%a0, %a1 : tensor<?x7168xbf16>, tensor<7168xbf16>) residual(%a2 : tensor<?x7168xbf16>) outs(%a3, %a4, %a5 : tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>, tensor<?x7168xbf16>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>, tensor<?x7168xbf16>
  return %v1, %v2, %v3 : tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>, tensor<?x7168xbf16>
}
