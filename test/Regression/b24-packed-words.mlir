// Exponents packed four to a word: with one word, with two, and with a second one that
// is not full.

// CASE k512: in_x BF16 [3, 512] = 448.0 * 2.0**(i // 128 - t)
// CASE k512: out_q F8_E4M3 [3, 512] = 448.0
// CASE k512: out_scale I32 [1, 4] = code(sum((127 + g - i) << 8 * (g % 4) for g in range(4 * t, min(4 * t + 4, 4)))) if i < 3 else 0

// CASE k640: in_x BF16 [3, 640] = 448.0 * 2.0**(i // 128 - t)
// CASE k640: out_q F8_E4M3 [3, 640] = 448.0
// CASE k640: out_scale I32 [2, 4] = code(sum((127 + g - i) << 8 * (g % 4) for g in range(4 * t, min(4 * t + 4, 5)))) if i < 3 else 0

// CASE k1024: in_x BF16 [3, 1024] = 448.0 * 2.0**(i // 128 - t)
// CASE k1024: out_q F8_E4M3 [3, 1024] = 448.0
// CASE k1024: out_scale I32 [2, 4] = code(sum((127 + g - i) << 8 * (g % 4) for g in range(4 * t, min(4 * t + 4, 8)))) if i < 3 else 0

// RUN: %compile
// RUN: %case packed_512 k512
// RUN: %case packed_640 k640
// RUN: %case packed_1024 k1024

func.func @packed_512(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<1x?xi32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<1x?xi32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<1x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x512xf8E4M3FN>, tensor<1x?xi32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<1x?xi32>
}

func.func @packed_640(%x: tensor<?x640xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x640xf8E4M3FN>,
    %s_out: tensor<2x?xi32>)
    -> (tensor<?x640xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<2x?xi32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x640xbf16>) outs(%q_out, %s_out : tensor<?x640xf8E4M3FN>, tensor<2x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x640xf8E4M3FN>, tensor<2x?xi32>
  return %q, %s : tensor<?x640xf8E4M3FN>, tensor<2x?xi32>
}

func.func @packed_1024(%x: tensor<?x1024xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x1024xf8E4M3FN>,
    %s_out: tensor<2x?xi32>)
    -> (tensor<?x1024xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<2x?xi32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x1024xbf16>) outs(%q_out, %s_out : tensor<?x1024xf8E4M3FN>, tensor<2x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x1024xf8E4M3FN>, tensor<2x?xi32>
  return %q, %s : tensor<?x1024xf8E4M3FN>, tensor<2x?xi32>
}
