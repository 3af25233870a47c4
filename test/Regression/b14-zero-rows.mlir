// Rows and groups of zeros: codes are zero, scales what the rule's floor gives. The
// sign of a zero stays.

// CASE token: in_x BF16 [2, 128] = 0.0 if t == 0 else -0.0
// CASE token: out_q F8_E4M3 [2, 128] = 0.0 if t == 0 else -0.0
// CASE token: out_scale F32 [2, 1] = f32(1 / f32(448.0 * 512))

// CASE group: in_x BF16 [2, 256] = 0.0 if i < 128 else 448.0
// CASE group: out_q F8_E4M3 [2, 256] = 0.0 if i < 128 else 448.0
// CASE group: out_scale F32 [2, 2] = (f32(f32(1e-10) / 448), 1.0)[i]

// CASE ue8m0: in_x BF16 [2, 256] = 0.0 if i < 128 else 448.0
// CASE ue8m0: out_q F8_E4M3 [2, 256] = 0.0 if i < 128 else 448.0
// CASE ue8m0: out_scale F32 [2, 2] = (2**-42, 1.0)[i]

// CASE deepseek: in_x BF16 [2, 256] = 0.0 if i < 128 else 448.0
// CASE deepseek: out_q F8_E4M3 [2, 256] = 0.0 if i < 128 else 448.0
// CASE deepseek: out_scale F32 [2, 2] = (f32(f32(1e-4) / 448), 1.0)[i]

// CASE scale_floor: in_x BF16 [2, 256] = 0.0 if i < 128 else 448.0
// CASE scale_floor: out_q F8_E4M3 [2, 256] = 0.0 if i < 128 else 448.0
// CASE scale_floor: out_scale F32 [2, 2] = (2**-20, 1.0)[i]

// CASE tensor: in_x BF16 [2, 128] = 0.0
// CASE tensor: out_q F8_E4M3 [2, 128] = 0.0
// CASE tensor: out_scale F32 [1] = f32(1 / f32(448.0 * 512))

// CASE nvfp4: in_x BF16 [2, 32] = 0.0 if i < 16 else 6.0
// CASE nvfp4: in_global_scale F32 [1] = 1.0
// CASE nvfp4: out_q U8 [2, 16] = 0 if i < 8 else 0x77
// CASE nvfp4: out_scale F8_E4M3 [2, 2] = (0.0, 1.0)[i]

// CASE mxfp8: in_x BF16 [2, 64] = 0.0 if i < 32 else 256.0
// CASE mxfp8: out_q F8_E4M3 [2, 64] = 0.0 if i < 32 else 256.0
// CASE mxfp8: out_scale F8_E8M0 [2, 2] = (2**-127, 1.0)[i]

// CASE mxfp4: in_x BF16 [2, 64] = 0.0 if i < 32 else 4.0
// CASE mxfp4: out_q U8 [2, 32] = 0 if i < 16 else 0x66
// CASE mxfp4: out_scale F8_E8M0 [2, 2] = (2**-127, 1.0)[i]

// RUN: %compile
// RUN: %case token token
// RUN: %case group group
// RUN: %case ue8m0 ue8m0
// RUN: %case deepseek deepseek
// RUN: %case scale_floor scale_floor
// RUN: %case tensor tensor
// RUN: %case nvfp4 nvfp4
// RUN: %case mxfp8 mxfp8
// RUN: %case mxfp4 mxfp4

func.func @token(%x: tensor<?x128xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x128xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x128xbf16>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}

func.func @group(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @ue8m0(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @deepseek(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_rule = #mlafuse.scale_rule<deepseek>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @scale_floor(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_rule = #mlafuse.scale_rule<floor = 9.5367431640625e-7 on scale>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @tensor(%x: tensor<?x128xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x128xf8E4M3FN>,
    %s_out: tensor<1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x128xbf16>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x128xf8E4M3FN>, tensor<1xf32>
  return %q, %s : tensor<?x128xf8E4M3FN>, tensor<1xf32>
}

func.func @nvfp4(%x: tensor<?x32xbf16> {mlafuse.name = "in_x"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x16xi8>,
    %s_out: tensor<?x2xf8E4M3FN>)
    -> (tensor<?x16xi8> {mlafuse.name = "out_q"}, tensor<?x2xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x32xbf16>) global_scale(%global_scale : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x16xi8>, tensor<?x2xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x16xi8>, tensor<?x2xf8E4M3FN>
  return %q, %s : tensor<?x16xi8>, tensor<?x2xf8E4M3FN>
}

func.func @mxfp8(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x64xf8E4M3FN>,
    %s_out: tensor<?x2xf8E8M0FNU>)
    -> (tensor<?x64xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf8E8M0FNU> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x64xbf16>) outs(%q_out, %s_out : tensor<?x64xf8E4M3FN>, tensor<?x2xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp8_dynamic>} -> tensor<?x64xf8E4M3FN>, tensor<?x2xf8E8M0FNU>
  return %q, %s : tensor<?x64xf8E4M3FN>, tensor<?x2xf8E8M0FNU>
}

func.func @mxfp4(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x32xi8>,
    %s_out: tensor<?x2xf8E8M0FNU>)
    -> (tensor<?x32xi8> {mlafuse.name = "out_q"}, tensor<?x2xf8E8M0FNU> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x64xbf16>) outs(%q_out, %s_out : tensor<?x32xi8>, tensor<?x2xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp4_dynamic>} -> tensor<?x32xi8>, tensor<?x2xf8E8M0FNU>
  return %q, %s : tensor<?x32xi8>, tensor<?x2xf8E8M0FNU>
}
