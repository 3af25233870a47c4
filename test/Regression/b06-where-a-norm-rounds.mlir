// A norm that rounds the normalized value before it takes the weight (Llama) and one
// that rounds once, at its end (GPT-OSS), differ in the last bit.

// CASE normalized: in_x BF16 [1, 2] = (1.0, 3.0)[i]
// CASE normalized: in_weight BF16 [2] = 1.3984375
// CASE normalized: out_y BF16 [1, 2] = bf16(f32(bf16(f32((1.0, 3.0)[i] * f32(1 / f32(sqrt(5.0))))) * 1.3984375))
// CASE result: in_x BF16 [1, 2] = (1.0, 3.0)[i]
// CASE result: in_weight BF16 [2] = 1.3984375
// CASE result: out_y BF16 [1, 2] = bf16(f32(f32((1.0, 3.0)[i] * f32(1 / f32(sqrt(5.0)))) * 1.3984375))

// RUN: %compile
// RUN: %case normalized normalized
// RUN: %case result result
// RUN: %case_differs normalized result

func.func @normalized(%x: tensor<?x2xbf16> {mlafuse.name = "in_x"},
    %w: tensor<2xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x2xbf16>)
    -> (tensor<?x2xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x2xbf16>, tensor<2xbf16>) outs(%out : tensor<?x2xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x2xbf16>
  return %y : tensor<?x2xbf16>
}

func.func @result(%x: tensor<?x2xbf16> {mlafuse.name = "in_x"},
    %w: tensor<2xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x2xbf16>)
    -> (tensor<?x2xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x2xbf16>, tensor<2xbf16>) outs(%out : tensor<?x2xbf16>)
      {epsilon = 0.0 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x2xbf16>
  return %y : tensor<?x2xbf16>
}
