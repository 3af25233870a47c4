// Dynamic FP8 quantization of tokens against its golden files.

// RUN: %compile
// RUN: %golden fn_512 quantize-token_t7_n512
// RUN: %golden fn_512 quantize-token_t0_n512
// RUN: %golden fn_1536 quantize-token_t1_n1536
// RUN: %golden fn_256 quantize-token_ties
// RUN: %golden fn_128 quantize-token_special
// RUN: %golden upper_bound quantize-token_ub_t5_n256
// RUN: %golden f16 quantize-token_f16_t3_n256
// RUN: %golden f32 quantize-token_f32_t3_n256
// RUN: %golden fnuz_224 quantize-token_fnuz224_t5_n256
// RUN: %golden fnuz_vllm quantize-token_fnuz224_t5_n256
// RUN: %golden fnuz_240 quantize-token_fnuz240_t5_n256

// The quotient is a division: a product with the reciprocal gives other codes.
// RUN: %golden_differs fn_256_reciprocal quantize-token_ties

func.func @fn_512(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}

func.func @fn_1536(%x: tensor<?x1536xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x1536xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x1536xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x1536xbf16>) outs(%q_out, %s_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
}

func.func @fn_256(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

func.func @fn_256_reciprocal(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>, scale_rule = #mlafuse.scale_rule<quotient = reciprocal>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

func.func @fn_128(%x: tensor<?x128xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x128xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x128xbf16>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}

func.func @upper_bound(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %scale_ub: tensor<1xf32> {mlafuse.name = "in_scale_ub"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) scale_ub(%scale_ub : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

func.func @f16(%x: tensor<?x256xf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

func.func @f32(%x: tensor<?x256xf32> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xf32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

func.func @fnuz_224(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FNUZ>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FNUZ> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym>, scale_rule = #mlafuse.scale_rule<max = 224.0>} -> tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>
}

func.func @fnuz_vllm(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FNUZ>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FNUZ> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym>, scale_rule = #mlafuse.scale_rule<vllm>} -> tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>
}

func.func @fnuz_240(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FNUZ>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FNUZ> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym>} -> tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>
  return %q, %s : tensor<?x256xf8E4M3FNUZ>, tensor<?x1xf32>
}
