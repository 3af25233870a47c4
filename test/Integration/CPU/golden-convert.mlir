// Conversions to FP8 against the golden files of every bf16 code and of f32 values on
// and beside every rounding tie: a static quantization with a scale of one.

// RUN: %compile
// RUN: %golden bf16_fn convert-bf16_all --partial
// RUN: %golden bf16_fnuz convert-bf16_all --partial
// RUN: %golden f32_fn convert-f32_ties --partial
// RUN: %golden f32_fnuz convert-f32_ties --partial

func.func @bf16_fn(%x: tensor<65536xbf16> {mlafuse.name = "in_x"}, %out: tensor<65536xf8E4M3FN>)
    -> (tensor<65536xf8E4M3FN> {mlafuse.name = "out_e4m3fn"}) {
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %q = mlafuse.quantize ins(%x : tensor<65536xbf16>) scale(%one : tensor<1xf32>) outs(%out : tensor<65536xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<65536xf8E4M3FN>
  return %q : tensor<65536xf8E4M3FN>
}

func.func @bf16_fnuz(%x: tensor<65536xbf16> {mlafuse.name = "in_x"}, %out: tensor<65536xf8E4M3FNUZ>)
    -> (tensor<65536xf8E4M3FNUZ> {mlafuse.name = "out_e4m3fnuz"}) {
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %q = mlafuse.quantize ins(%x : tensor<65536xbf16>) scale(%one : tensor<1xf32>) outs(%out : tensor<65536xf8E4M3FNUZ>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, static, group = [-1, -1], sym>} -> tensor<65536xf8E4M3FNUZ>
  return %q : tensor<65536xf8E4M3FNUZ>
}

func.func @f32_fn(%x: tensor<1634xf32> {mlafuse.name = "in_x"}, %out: tensor<1634xf8E4M3FN>)
    -> (tensor<1634xf8E4M3FN> {mlafuse.name = "out_e4m3fn"}) {
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %q = mlafuse.quantize ins(%x : tensor<1634xf32>) scale(%one : tensor<1xf32>) outs(%out : tensor<1634xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<1634xf8E4M3FN>
  return %q : tensor<1634xf8E4M3FN>
}

func.func @f32_fnuz(%x: tensor<1634xf32> {mlafuse.name = "in_x"}, %out: tensor<1634xf8E4M3FNUZ>)
    -> (tensor<1634xf8E4M3FNUZ> {mlafuse.name = "out_e4m3fnuz"}) {
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %q = mlafuse.quantize ins(%x : tensor<1634xf32>) scale(%one : tensor<1xf32>) outs(%out : tensor<1634xf8E4M3FNUZ>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, static, group = [-1, -1], sym>} -> tensor<1634xf8E4M3FNUZ>
  return %q : tensor<1634xf8E4M3FNUZ>
}
