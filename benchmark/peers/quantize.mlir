// Quantizations of rows of 16384: groups in every layout and rounding of the scale,
// and the other keys.

func.func @quantize_g128_row(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<?x128xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
}

func.func @quantize_g128_row_ue8m0(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<?x128xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<row_major>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
}

func.func @quantize_g128_col(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<128x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
}

func.func @quantize_g128_col_ue8m0(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<128x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
}

func.func @quantize_g128_tma(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<128x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
}

func.func @quantize_g128_tma_ue8m0(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<128x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<128x?xf32>
}

func.func @quantize_g128_packed(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<32x?xi32> {mlafuse.name = "scales_e8m0x4"}) -> (tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>
}

func.func @quantize_g64_row(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<?x256xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>
}

func.func @quantize_g64_row_ue8m0(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<?x256xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<row_major>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<?x256xf32>
}

func.func @quantize_g64_col(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<256x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
}

func.func @quantize_g64_col_ue8m0(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<256x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<column_major>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
}

func.func @quantize_g64_tma(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<256x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
}

func.func @quantize_g64_tma_ue8m0(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<256x?xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<256x?xf32>
}

func.func @quantize_g64_packed(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<64x?xi32> {mlafuse.name = "scales_e8m0x4"}) -> (tensor<?x16384xf8E4M3FN>, tensor<64x?xi32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<64x?xi32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<64x?xi32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<64x?xi32>
}

func.func @quantize_token(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<?x1xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x1xf32>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x16384xf8E4M3FN>, tensor<?x1xf32>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<?x1xf32>
}

func.func @quantize_static(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<1xf32> {mlafuse.name = "scale"}, %a2: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}) -> (tensor<?x16384xf8E4M3FN>) {
  %v1 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) scale(%a1 : tensor<1xf32>) outs(%a2 : tensor<?x16384xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x16384xf8E4M3FN>
  return %v1 : tensor<?x16384xf8E4M3FN>
}

func.func @quantize_mxfp8(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes", mlafuse.dims = ["T", ""]}, %a2: tensor<?x512xf8E8M0FNU> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x512xf8E8M0FNU>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x16384xf8E4M3FN>, tensor<?x512xf8E8M0FNU>) {key = #mlafuse.quant_key<mxfp8_dynamic>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x16384xf8E4M3FN>, tensor<?x512xf8E8M0FNU>
  return %v1, %v2 : tensor<?x16384xf8E4M3FN>, tensor<?x512xf8E8M0FNU>
}

func.func @quantize_nvfp4(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<1xf32> {mlafuse.name = "global_scale"}, %a2: tensor<?x8192xi8> {mlafuse.name = "codes_e2m1x2", mlafuse.dims = ["T", ""]}, %a3: tensor<?x1024xf8E4M3FN> {mlafuse.name = "scales"}) -> (tensor<?x8192xi8>, tensor<?x1024xf8E4M3FN>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) global_scale(%a1 : tensor<1xf32>) outs(%a2, %a3 : tensor<?x8192xi8>, tensor<?x1024xf8E4M3FN>) {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x8192xi8>, tensor<?x1024xf8E4M3FN>
  return %v1, %v2 : tensor<?x8192xi8>, tensor<?x1024xf8E4M3FN>
}

func.func @quantize_mxfp4(%a0: tensor<?x16384xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %a1: tensor<?x8192xi8> {mlafuse.name = "codes_e2m1x2", mlafuse.dims = ["T", ""]}, %a2: tensor<?x512xf8E8M0FNU> {mlafuse.name = "scales"}) -> (tensor<?x8192xi8>, tensor<?x512xf8E8M0FNU>) {
  %v1, %v2 = mlafuse.quantize ins(%a0 : tensor<?x16384xbf16>) outs(%a1, %a2 : tensor<?x8192xi8>, tensor<?x512xf8E8M0FNU>) {key = #mlafuse.quant_key<mxfp4_dynamic>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x8192xi8>, tensor<?x512xf8E8M0FNU>
  return %v1, %v2 : tensor<?x8192xi8>, tensor<?x512xf8E8M0FNU>
}
