// A NaN stays where it is: it enters no maximum, and no other row, nor another group,
// changes. An infinity makes the scale of its row or group infinite: finite elements
// become zero, the infinity NaN.

// CASE group: in_x BF16 [4, 256] = nan if (t, i) == (1, 5) else -inf if (t, i) == (2, 130) else 448.0
// CASE group: out_q F8_E4M3 [4, 256] = nan if (t, i) in ((1, 5), (2, 130)) else 0.0 if t == 2 and i >= 128 else 448.0
// CASE group: out_scale F32 [4, 2] = inf if (t, i) == (2, 1) else 1.0

// CASE tensor: in_x BF16 [3, 16] = nan if (t, i) == (1, 5) else 448.0
// CASE tensor: out_q F8_E4M3 [3, 16] = nan if (t, i) == (1, 5) else 448.0
// CASE tensor: out_scale F32 [1] = 1.0

// CASE mxfp8: in_x BF16 [2, 64] = nan if (t, i) == (0, 33) else inf if (t, i) == (1, 2) else 256.0
// CASE mxfp8: out_q F8_E4M3 [2, 64] = nan if (t, i) == (0, 33) else 448.0 if (t, i) == (1, 2) else 256.0 if (t, i // 32) != (1, 0) else 0.0
// CASE mxfp8: out_scale F8_E8M0 [2, 2] = 2.0**120 if (t, i) == (1, 0) else 1.0

// A norm spreads a NaN over its row, and over no other.
// CASE norm: in_x BF16 [3, 16] = nan if (t, i) == (1, 5) else 2.0
// CASE norm: in_weight BF16 [16] = 1.0
// CASE norm: out_y BF16 [3, 16] = nan if t == 1 else 1.0
// CASE norm: out_q F8_E4M3 [3, 16] = nan if t == 1 else 448.0
// CASE norm: out_scale F32 [3, 1] = f32(1 / f32(448.0 * 512)) if t == 1 else f32(1.0 / 448)

// RUN: %compile_both
// RUN: %case group group
// RUN: %case tensor tensor
// RUN: %case mxfp8 mxfp8
// RUN: %case_both norm norm

func.func @group(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @tensor(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x16xf8E4M3FN>,
    %s_out: tensor<1xf32>)
    -> (tensor<?x16xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x16xbf16>) outs(%q_out, %s_out : tensor<?x16xf8E4M3FN>, tensor<1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x16xf8E4M3FN>, tensor<1xf32>
  return %q, %s : tensor<?x16xf8E4M3FN>, tensor<1xf32>
}

func.func @mxfp8(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x64xf8E4M3FN>,
    %s_out: tensor<?x2xf8E8M0FNU>)
    -> (tensor<?x64xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf8E8M0FNU> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x64xbf16>) outs(%q_out, %s_out : tensor<?x64xf8E4M3FN>, tensor<?x2xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp8_dynamic>} -> tensor<?x64xf8E4M3FN>, tensor<?x2xf8E8M0FNU>
  return %q, %s : tensor<?x64xf8E4M3FN>, tensor<?x2xf8E8M0FNU>
}

func.func @norm(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"},
    %w: tensor<16xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x16xbf16>,
    %q_out: tensor<?x16xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x16xbf16> {mlafuse.name = "out_y"}, tensor<?x16xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x16xbf16>, tensor<16xbf16>) outs(%y_out : tensor<?x16xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x16xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x16xbf16>) outs(%q_out, %s_out : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x16xbf16>, tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
}
