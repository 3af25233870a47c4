// add_rms_norm against its golden files.

// RUN: %compile
// RUN: %golden bf16_512 add_rms_norm-bf16_t7_n512
// RUN: %golden f32_weight add_rms_norm-bf16_wf32_t3_n256

func.func @bf16_512(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %r: tensor<?x512xbf16> {mlafuse.name = "in_residual"},
    %out: tensor<?x512xbf16>, %h_out: tensor<?x512xbf16>)
    -> (tensor<?x512xbf16> {mlafuse.name = "out_y"}, tensor<?x512xbf16> {mlafuse.name = "out_residual"}) {
  %y, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) residual(%r : tensor<?x512xbf16>)
      outs(%out, %h_out : tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>, tensor<?x512xbf16>
  return %y, %h : tensor<?x512xbf16>, tensor<?x512xbf16>
}

func.func @f32_weight(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %w: tensor<256xf32> {mlafuse.name = "in_weight"}, %r: tensor<?x256xbf16> {mlafuse.name = "in_residual"},
    %out: tensor<?x256xbf16>, %h_out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_y"}, tensor<?x256xbf16> {mlafuse.name = "out_residual"}) {
  %y, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xf32>) residual(%r : tensor<?x256xbf16>)
      outs(%out, %h_out : tensor<?x256xbf16>, tensor<?x256xbf16>) {epsilon = 1.0e-5 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x256xbf16>, tensor<?x256xbf16>
  return %y, %h : tensor<?x256xbf16>, tensor<?x256xbf16>
}
