// rms_norm against its golden files: every weight, type and rounding.

// RUN: %compile
// RUN: %golden bf16_512 rms_norm-bf16_t7_n512
// RUN: %golden bf16_512 rms_norm-bf16_t0_n512
// RUN: %golden bf16_1536 rms_norm-bf16_t1_n1536
// RUN: %golden f16_256 rms_norm-f16_t4_n256
// RUN: %golden f32_weight rms_norm-bf16_wf32_t5_n768
// RUN: %golden gemma rms_norm-bf16_gemma_t3_n256
// RUN: %golden no_weight rms_norm-bf16_now_t3_n320

// Where a norm rounds shows: with the other rounding the results differ.
// RUN: %golden_differs f32_weight_normalized rms_norm-bf16_wf32_t5_n768

func.func @bf16_512(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x512xbf16>)
    -> (tensor<?x512xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) outs(%out : tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %y : tensor<?x512xbf16>
}

func.func @bf16_1536(%x: tensor<?x1536xbf16> {mlafuse.name = "in_x"},
    %w: tensor<1536xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x1536xbf16>)
    -> (tensor<?x1536xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%out : tensor<?x1536xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  return %y : tensor<?x1536xbf16>
}

func.func @f16_256(%x: tensor<?x256xf16> {mlafuse.name = "in_x"},
    %w: tensor<256xf16> {mlafuse.name = "in_weight"}, %out: tensor<?x256xf16>)
    -> (tensor<?x256xf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x256xf16>, tensor<256xf16>) outs(%out : tensor<?x256xf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x256xf16>
  return %y : tensor<?x256xf16>
}

func.func @f32_weight(%x: tensor<?x768xbf16> {mlafuse.name = "in_x"},
    %w: tensor<768xf32> {mlafuse.name = "in_weight"}, %out: tensor<?x768xbf16>)
    -> (tensor<?x768xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x768xbf16>, tensor<768xf32>) outs(%out : tensor<?x768xbf16>)
      {epsilon = 1.0e-5 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x768xbf16>
  return %y : tensor<?x768xbf16>
}

func.func @f32_weight_normalized(%x: tensor<?x768xbf16> {mlafuse.name = "in_x"},
    %w: tensor<768xf32> {mlafuse.name = "in_weight"}, %out: tensor<?x768xbf16>)
    -> (tensor<?x768xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x768xbf16>, tensor<768xf32>) outs(%out : tensor<?x768xbf16>)
      {epsilon = 1.0e-5 : f32} -> tensor<?x768xbf16>
  return %y : tensor<?x768xbf16>
}

func.func @gemma(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %w: tensor<256xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%out : tensor<?x256xbf16>)
      {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>, weight_offset} -> tensor<?x256xbf16>
  return %y : tensor<?x256xbf16>
}

func.func @no_weight(%x: tensor<?x320xbf16> {mlafuse.name = "in_x"}, %out: tensor<?x320xbf16>)
    -> (tensor<?x320xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x : tensor<?x320xbf16>) outs(%out : tensor<?x320xbf16>)
      {epsilon = 1.0e-5 : f32} -> tensor<?x320xbf16>
  return %y : tensor<?x320xbf16>
}
