// Inputs near the bottom of bf16, subnormal ones too, are neither flushed nor made
// NaN.

// CASE mxfp8: in_x BF16 [2, 32] = (1e-35, 2.0**-133)[t]
// CASE mxfp8: out_q F8_E4M3 [2, 32] = e4m3(bf16(1e-35) * 2.0**125) if t == 0 else 2.0**-6
// CASE mxfp8: out_scale F8_E8M0 [2, 1] = (2.0**-125, 2.0**-127)[t]

// CASE mxfp4: in_x BF16 [2, 32] = (1e-35, 2.0**-128)[t]
// CASE mxfp4: out_q U8 [2, 16] = (0x77, 0x11)[t]
// CASE mxfp4: out_scale F8_E8M0 [2, 1] = (2.0**-119, 2.0**-127)[t]

// CASE group: in_x BF16 [1, 128] = -1e-35 if i % 2 else 1e-13
// CASE group: out_q F8_E4M3 [1, 128] = -0.0 if i % 2 else e4m3(f32(bf16(1e-13) / f32(f32(1e-10) / 448)))
// CASE group: out_scale F32 [1, 1] = f32(f32(1e-10) / 448)

// The squares are subnormal numbers of f32.
// CASE norm: in_x BF16 [1, 16] = 2.0**-66
// CASE norm: in_weight BF16 [16] = 1.0 + i
// CASE norm: out_y BF16 [1, 16] = 1.0 + i

// RUN: %compile
// RUN: %case mxfp8 mxfp8
// RUN: %case mxfp4 mxfp4
// RUN: %case group group
// RUN: %case norm norm

func.func @mxfp8(%x: tensor<?x32xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x32xf8E4M3FN>,
    %s_out: tensor<?x1xf8E8M0FNU>)
    -> (tensor<?x32xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf8E8M0FNU> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x32xbf16>) outs(%q_out, %s_out : tensor<?x32xf8E4M3FN>, tensor<?x1xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp8_dynamic>} -> tensor<?x32xf8E4M3FN>, tensor<?x1xf8E8M0FNU>
  return %q, %s : tensor<?x32xf8E4M3FN>, tensor<?x1xf8E8M0FNU>
}

func.func @mxfp4(%x: tensor<?x32xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x16xi8>,
    %s_out: tensor<?x1xf8E8M0FNU>)
    -> (tensor<?x16xi8> {mlafuse.name = "out_q"}, tensor<?x1xf8E8M0FNU> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x32xbf16>) outs(%q_out, %s_out : tensor<?x16xi8>, tensor<?x1xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp4_dynamic>} -> tensor<?x16xi8>, tensor<?x1xf8E8M0FNU>
  return %q, %s : tensor<?x16xi8>, tensor<?x1xf8E8M0FNU>
}

func.func @group(%x: tensor<?x128xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x128xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x128xbf16>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}

func.func @norm(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"},
    %w: tensor<16xbf16> {mlafuse.name = "in_weight"}, %out: tensor<?x16xbf16>)
    -> (tensor<?x16xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x16xbf16>, tensor<16xbf16>) outs(%out : tensor<?x16xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x16xbf16>
  return %y : tensor<?x16xbf16>
}
