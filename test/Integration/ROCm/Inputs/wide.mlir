// A row that takes a block of more threads than any model's.
func.func @norm_wide(%x: tensor<?x20000xbf16> {mlafuse.name = "x"}, %y: tensor<?x20000xbf16> {mlafuse.name = "y"}) -> tensor<?x20000xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x20000xbf16>) outs(%y : tensor<?x20000xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x20000xbf16>
  return %0 : tensor<?x20000xbf16>
}
