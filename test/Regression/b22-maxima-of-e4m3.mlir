// f8E4M3FN holds up to 448, f8E4M3FNUZ up to 240, of which vLLM uses 224; fnuz has no
// negative zero.

// CASE fn: in_x F32 [1, 8] = (223.0, 225.0, 239.0, 241.0, 449.0, -449.0, -0.0, -2.0**-12)[i]
// CASE fn: in_scale F32 [1] = 1.0
// CASE fn: out_q F8_E4M3 [1, 8] = (224.0, 224.0, 240.0, 240.0, 448.0, -448.0, -0.0, -0.0)[i]

// CASE fnuz: in_x F32 [1, 8] = (223.0, 225.0, 239.0, 241.0, 449.0, -449.0, -0.0, -2.0**-12)[i]
// CASE fnuz: in_scale F32 [1] = 1.0
// CASE fnuz: out_q E4M3FNUZ [1, 8] = (224.0, 224.0, 240.0, 240.0, 240.0, -240.0, 0.0, 0.0)[i]

// CASE vllm: in_x F32 [1, 8] = (223.0, 225.0, 239.0, 241.0, 449.0, -449.0, -0.0, -2.0**-12)[i]
// CASE vllm: in_scale F32 [1] = 1.0
// CASE vllm: out_q E4M3FNUZ [1, 8] = (224.0, 224.0, 224.0, 224.0, 224.0, -224.0, 0.0, 0.0)[i]

// RUN: %compile
// RUN: %case fn fn
// RUN: %case fnuz fnuz
// RUN: %case vllm vllm

func.func @fn(%x: tensor<?x8xf32> {mlafuse.name = "in_x"}, %scale: tensor<1xf32> {mlafuse.name = "in_scale"},
    %q_out: tensor<?x8xf8E4M3FN>)
    -> (tensor<?x8xf8E4M3FN> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x8xf32>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x8xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x8xf8E4M3FN>
  return %q : tensor<?x8xf8E4M3FN>
}

func.func @fnuz(%x: tensor<?x8xf32> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x8xf8E4M3FNUZ>)
    -> (tensor<?x8xf8E4M3FNUZ> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x8xf32>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x8xf8E4M3FNUZ>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, static, group = [-1, -1], sym>} -> tensor<?x8xf8E4M3FNUZ>
  return %q : tensor<?x8xf8E4M3FNUZ>
}

func.func @vllm(%x: tensor<?x8xf32> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x8xf8E4M3FNUZ>)
    -> (tensor<?x8xf8E4M3FNUZ> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x8xf32>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x8xf8E4M3FNUZ>)
      {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, static, group = [-1, -1], sym>, scale_rule = #mlafuse.scale_rule<vllm>} -> tensor<?x8xf8E4M3FNUZ>
  return %q : tensor<?x8xf8E4M3FNUZ>
}
