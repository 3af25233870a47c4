// Static FP8 quantization against its golden files.

// RUN: %compile
// RUN: %golden fn_512 quantize-static_t7_n512
// RUN: %golden fn_256 quantize-static_ties
// RUN: %golden fnuz_224 quantize-static_fnuz224_t3_n256

// The quotient is a product with the reciprocal: a division gives other codes.
// RUN: %golden_differs fn_256_divide quantize-static_ties

func.func @fn_512(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x512xf8E4M3FN>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x512xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x512xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %q : tensor<?x512xf8E4M3FN>
}

func.func @fn_256(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x256xf8E4M3FN>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x256xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x256xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %q : tensor<?x256xf8E4M3FN>
}

func.func @fn_256_divide(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x256xf8E4M3FN>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x256xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x256xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>, scale_rule = #mlafuse.scale_rule<quotient = divide>} -> tensor<?x256xf8E4M3FN>
  return %q : tensor<?x256xf8E4M3FN>
}

func.func @fnuz_224(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x256xf8E4M3FNUZ>)
    -> (tensor<?x256xf8E4M3FNUZ> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x256xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x256xf8E4M3FNUZ>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, static, group = [-1, -1], sym>, scale_rule = #mlafuse.scale_rule<max = 224.0>} -> tensor<?x256xf8E4M3FNUZ>
  return %q : tensor<?x256xf8E4M3FNUZ>
}
