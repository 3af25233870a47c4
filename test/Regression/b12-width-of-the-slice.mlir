// The norm of the first 512 of 576 columns is over 512 of them: what the other 64
// hold shows nowhere.

// CASE loud_rest: in_p BF16 [4, 576] = 2.0 * (1 + t) if i < 512 else inf
// CASE loud_rest: in_weight BF16 [512] = 1.0 + i % 7
// CASE loud_rest: out_y BF16 [4, 512] = 1.0 + i % 7

// RUN: %compile
// RUN: %case sliced loud_rest

func.func @sliced(%p: tensor<?x576xbf16> {mlafuse.name = "in_p"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x512xbf16>)
    -> (tensor<?x512xbf16> {mlafuse.name = "out_y"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x576xbf16>
  %x = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x576xbf16> to tensor<?x512xbf16>
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) outs(%out : tensor<?x512xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x512xbf16>
  return %y : tensor<?x512xbf16>
}
