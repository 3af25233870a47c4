// Rows beyond num_actual_tokens enter no maximum, and their destination stays as it
// was; padding is written all the same.

// CASE tensor: in_x BF16 [144, 16] = (3584.0 if t == 0 and i == 3 else 1.0) if t < 130 else 1e30
// CASE tensor: in_num_actual_tokens I32 [1] = 130
// CASE tensor: in_q F8_E4M3 [144, 16] = code(0x55)
// CASE tensor: in_s F32 [1] = nan
// CASE tensor: out_q F8_E4M3 [144, 16] = (448.0 if t == 0 and i == 3 else 0.125) if t < 130 else code(0x55)
// CASE tensor: out_scale F32 [1] = 8.0

// CASE token: in_x BF16 [6, 16] = 448.0 * 2**t if t < 3 else nan
// CASE token: in_num_actual_tokens I32 [1] = 3
// CASE token: in_q F8_E4M3 [6, 16] = code(0x55)
// CASE token: in_s F32 [6, 1] = -7.0
// CASE token: out_q F8_E4M3 [6, 16] = 448.0 if t < 3 else code(0x55)
// CASE token: out_scale F32 [6, 1] = 2.0**t if t < 3 else -7.0

// CASE tma: in_x BF16 [6, 256] = 448.0 * 2**t if t < 3 else nan
// CASE tma: in_num_actual_tokens I32 [1] = 3
// CASE tma: in_q F8_E4M3 [6, 256] = code(0x55)
// CASE tma: in_s F32 [2, 8] = -7.0
// CASE tma: out_q F8_E4M3 [6, 256] = 448.0 if t < 3 else code(0x55)
// CASE tma: out_scale F32 [2, 8] = 2.0**i if i < 3 else -7.0 if i < 6 else 0.0

// CASE packed: in_x BF16 [6, 256] = 448.0 * 2**t if t < 3 else nan
// CASE packed: in_num_actual_tokens I32 [1] = 3
// CASE packed: in_q F8_E4M3 [6, 256] = code(0x55)
// CASE packed: in_s I32 [1, 8] = 0x55555555
// CASE packed: out_q F8_E4M3 [6, 256] = 448.0 if t < 3 else code(0x55)
// CASE packed: out_scale I32 [1, 8] = (127 + i) * 0x0101 if i < 3 else 0x55555555 if i < 6 else 0

// CASE swizzled: in_x BF16 [6, 64] = 6.0 if t < 3 else nan
// CASE swizzled: in_num_actual_tokens I32 [1] = 3
// CASE swizzled: in_global_scale F32 [1] = 1.0
// CASE swizzled: in_q U8 [6, 32] = 0x55
// CASE swizzled: in_s F8_E4M3 [128, 4] = code(0x55)
// CASE swizzled: out_q U8 [6, 32] = 0x77 if t < 3 else 0x55
// CASE swizzled: out_scale F8_E4M3 [128, 4] = 0.0 if t % 4 or t // 4 >= 6 else 1.0 if t // 4 < 3 else code(0x55)

// CASE norm: in_x BF16 [6, 16] = 2.0 if t < 3 else nan
// CASE norm: in_weight BF16 [16] = 1.0 + i
// CASE norm: in_n I32 [1] = 3
// CASE norm: in_y BF16 [6, 16] = -7.0
// CASE norm: in_q F8_E4M3 [6, 16] = code(0x55)
// CASE norm: in_s F32 [6, 1] = -7.0
// CASE norm: out_y BF16 [6, 16] = 1.0 + i if t < 3 else -7.0
// CASE norm: out_q F8_E4M3 [6, 16] = e4m3(f32((1.0 + i) / f32(16.0 / 448))) if t < 3 else code(0x55)
// CASE norm: out_scale F32 [6, 1] = f32(16.0 / 448) if t < 3 else -7.0

// RUN: %compile_both
// RUN: %case_both tensor tensor
// RUN: %case_both token token
// RUN: %case_both tma tma
// RUN: %case_both packed packed
// RUN: %case_both swizzled swizzled
// RUN: %case_both norm norm

func.func @tensor(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"},
    %num_actual_tokens: tensor<1xi32> {mlafuse.name = "in_num_actual_tokens"},
    %q_out: tensor<?x16xf8E4M3FN> {mlafuse.name = "in_q"}, %s_out: tensor<1xf32> {mlafuse.name = "in_s"})
    -> (tensor<?x16xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x16xbf16>) num_actual_tokens(%num_actual_tokens : tensor<1xi32>) outs(%q_out, %s_out : tensor<?x16xf8E4M3FN>, tensor<1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x16xf8E4M3FN>, tensor<1xf32>
  return %q, %s : tensor<?x16xf8E4M3FN>, tensor<1xf32>
}

func.func @token(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"},
    %num_actual_tokens: tensor<1xi32> {mlafuse.name = "in_num_actual_tokens"},
    %q_out: tensor<?x16xf8E4M3FN> {mlafuse.name = "in_q"}, %s_out: tensor<?x1xf32> {mlafuse.name = "in_s"})
    -> (tensor<?x16xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x16xbf16>) num_actual_tokens(%num_actual_tokens : tensor<1xi32>) outs(%q_out, %s_out : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
}

func.func @tma(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %num_actual_tokens: tensor<1xi32> {mlafuse.name = "in_num_actual_tokens"},
    %q_out: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"}, %s_out: tensor<2x?xf32> {mlafuse.name = "in_s"})
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<2x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) num_actual_tokens(%num_actual_tokens : tensor<1xi32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x256xf8E4M3FN>, tensor<2x?xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>
}

func.func @packed(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %num_actual_tokens: tensor<1xi32> {mlafuse.name = "in_num_actual_tokens"},
    %q_out: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"}, %s_out: tensor<1x?xi32> {mlafuse.name = "in_s"})
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<1x?xi32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) num_actual_tokens(%num_actual_tokens : tensor<1xi32>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<1x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x256xf8E4M3FN>, tensor<1x?xi32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<1x?xi32>
}

func.func @swizzled(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"},
    %num_actual_tokens: tensor<1xi32> {mlafuse.name = "in_num_actual_tokens"},
    %q_out: tensor<?x32xi8> {mlafuse.name = "in_q"}, %s_out: tensor<?x4xf8E4M3FN> {mlafuse.name = "in_s"})
    -> (tensor<?x32xi8> {mlafuse.name = "out_q"}, tensor<?x4xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x64xbf16>) global_scale(%global_scale : tensor<1xf32>) num_actual_tokens(%num_actual_tokens : tensor<1xi32>) outs(%q_out, %s_out : tensor<?x32xi8>, tensor<?x4xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x32xi8>, tensor<?x4xf8E4M3FN>
  return %q, %s : tensor<?x32xi8>, tensor<?x4xf8E4M3FN>
}

func.func @norm(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"},
    %w: tensor<16xbf16> {mlafuse.name = "in_weight"}, %n: tensor<1xi32> {mlafuse.name = "in_n"},
    %y_out: tensor<?x16xbf16> {mlafuse.name = "in_y"}, %q_out: tensor<?x16xf8E4M3FN> {mlafuse.name = "in_q"},
    %s_out: tensor<?x1xf32> {mlafuse.name = "in_s"})
    -> (tensor<?x16xbf16> {mlafuse.name = "out_y"}, tensor<?x16xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x16xbf16>, tensor<16xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%y_out : tensor<?x16xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x16xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x16xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%q_out, %s_out : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x16xbf16>, tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
}
