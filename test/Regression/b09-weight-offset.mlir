// Gemma's weight is 1 + w: with w = -1 the result is zero, with 0 it is that of a
// norm without a weight.

// CASE offset: in_x BF16 [3, 17] = 4.0 if i % 2 else -4.0
// CASE offset: in_weight BF16 [17] = (-1.0, 0.0, 1.0)[i % 3]
// CASE offset: out_y BF16 [3, 17] = (0.0, 1.0, 2.0)[i % 3] * (1.0 if i % 2 else -1.0)

// RUN: %compile
// RUN: %case gemma offset

func.func @gemma(%x: tensor<?x17xbf16> {mlafuse.name = "in_x"},
    %w: tensor<17xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x17xbf16>)
    -> (tensor<?x17xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x17xbf16>, tensor<17xbf16>) outs(%out : tensor<?x17xbf16>)
      {epsilon = 0.0 : f32, rounding = #mlafuse.rounding<result>, weight_offset} -> tensor<?x17xbf16>
  return %y : tensor<?x17xbf16>
}
