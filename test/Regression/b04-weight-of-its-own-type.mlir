// An f32 weight of bf16 rows is multiplied in f32, with and without a residual: it is
// neither rounded to bf16 first, which would give the other product of the second
// case, nor read as bf16.

// CASE plain: in_x BF16 [1, 2] = (1.0, 3.0)[i]
// CASE plain: in_weight F32 [2] = 1.2529296875
// CASE plain: out_y BF16 [1, 2] = bf16(f32(bf16(f32((1.0, 3.0)[i] * f32(1 / f32(sqrt(5.0))))) * 1.2529296875))
// CASE narrow: in_x BF16 [1, 2] = (1.0, 3.0)[i]
// CASE narrow: in_weight F32 [2] = 1.2529296875
// CASE narrow: out_y BF16 [1, 2] = bf16(f32(bf16(f32((1.0, 3.0)[i] * f32(1 / f32(sqrt(5.0))))) * bf16(1.2529296875)))
// CASE residual: in_x BF16 [1, 2] = (0.5, 1.0)[i]
// CASE residual: in_residual BF16 [1, 2] = (0.5, 2.0)[i]
// CASE residual: in_weight F32 [2] = 1.2529296875
// CASE residual: out_y BF16 [1, 2] = bf16(f32(bf16(f32((1.0, 3.0)[i] * f32(1 / f32(sqrt(5.0))))) * 1.2529296875))
// CASE residual: out_residual BF16 [1, 2] = (1.0, 3.0)[i]

// RUN: %compile
// RUN: %case plain plain
// RUN: %case_differs plain narrow
// RUN: %case residual residual

func.func @plain(%x: tensor<?x2xbf16> {mlafuse.name = "in_x"},
    %w: tensor<2xf32> {mlafuse.name = "in_weight"}, %out: tensor<?x2xbf16>)
    -> (tensor<?x2xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x2xbf16>, tensor<2xf32>) outs(%out : tensor<?x2xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x2xbf16>
  return %y : tensor<?x2xbf16>
}

func.func @residual(%x: tensor<?x2xbf16> {mlafuse.name = "in_x"}, %r: tensor<?x2xbf16> {mlafuse.name = "in_residual"},
    %w: tensor<2xf32> {mlafuse.name = "in_weight"}, %out: tensor<?x2xbf16>, %r_out: tensor<?x2xbf16>)
    -> (tensor<?x2xbf16> {mlafuse.name = "out_y"}, tensor<?x2xbf16> {mlafuse.name = "out_residual"}) {
  %y, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x2xbf16>, tensor<2xf32>) residual(%r : tensor<?x2xbf16>)
      outs(%out, %r_out : tensor<?x2xbf16>, tensor<?x2xbf16>) {epsilon = 0.0 : f32} -> tensor<?x2xbf16>, tensor<?x2xbf16>
  return %y, %h : tensor<?x2xbf16>, tensor<?x2xbf16>
}
