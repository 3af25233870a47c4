// f8E5M2 holds up to 57344: nothing is clamped at the 448 of e4m3, and infinity
// saturates.

// CASE static: in_x F32 [1, 8] = (447.0, 500.0, 57344.0, 1e6, inf, -57344.0, -1e6, 2.0**-16)[i]
// CASE static: in_scale F32 [1] = 1.0
// CASE static: out_q F8_E5M2 [1, 8] = (448.0, 512.0, 57344.0, 57344.0, 57344.0, -57344.0, -57344.0, 2.0**-16)[i]

// CASE token: in_x F32 [2, 8] = 114688.0 * (1.0, -0.5)[i % 2] * (1 + t)
// CASE token: out_q F8_E5M2 [2, 8] = (57344.0, -28672.0)[i % 2]
// CASE token: out_scale F32 [2, 1] = 2.0 * (1 + t)

// RUN: %compile
// RUN: %case static static
// RUN: %case token token

func.func @static(%x: tensor<?x8xf32> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x8xf8E5M2>)
    -> (tensor<?x8xf8E5M2> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x8xf32>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x8xf8E5M2>)
      {key = #mlafuse.quant_key<f8E5M2, scale = f32, static, group = [-1, -1], sym>} -> tensor<?x8xf8E5M2>
  return %q : tensor<?x8xf8E5M2>
}

func.func @token(%x: tensor<?x8xf32> {mlafuse.name = "in_x"}, %q_out: tensor<?x8xf8E5M2>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x8xf8E5M2> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x8xf32>) outs(%q_out, %s_out : tensor<?x8xf8E5M2>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<f8E5M2, scale = f32, dynamic, group = [1, -1], sym>} -> tensor<?x8xf8E5M2>, tensor<?x1xf32>
  return %q, %s : tensor<?x8xf8E5M2>, tensor<?x1xf32>
}
