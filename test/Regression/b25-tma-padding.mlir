// Scales for TMA lie in rows of a multiple of four tokens; what lies beyond the last
// token is zero, whatever was there.

// CASE t1: in_x BF16 [1, 256] = 448.0 * (1 + i // 128)
// CASE t1: in_q F8_E4M3 [1, 256] = nan
// CASE t1: in_s F32 [2, 4] = nan
// CASE t1: out_q F8_E4M3 [1, 256] = 448.0
// CASE t1: out_scale F32 [2, 4] = 1.0 + t if i < 1 else 0.0

// CASE t3: in_x BF16 [3, 256] = 448.0 * (1 + i // 128)
// CASE t3: in_q F8_E4M3 [3, 256] = nan
// CASE t3: in_s F32 [2, 4] = nan
// CASE t3: out_q F8_E4M3 [3, 256] = 448.0
// CASE t3: out_scale F32 [2, 4] = 1.0 + t if i < 3 else 0.0

// CASE t5: in_x BF16 [5, 256] = 448.0 * (1 + i // 128)
// CASE t5: in_q F8_E4M3 [5, 256] = nan
// CASE t5: in_s F32 [2, 8] = nan
// CASE t5: out_q F8_E4M3 [5, 256] = 448.0
// CASE t5: out_scale F32 [2, 8] = 1.0 + t if i < 5 else 0.0

// CASE t127: in_x BF16 [127, 256] = 448.0 * (1 + i // 128)
// CASE t127: in_q F8_E4M3 [127, 256] = nan
// CASE t127: in_s F32 [2, 128] = nan
// CASE t127: out_q F8_E4M3 [127, 256] = 448.0
// CASE t127: out_scale F32 [2, 128] = 1.0 + t if i < 127 else 0.0

// RUN: %compile
// RUN: %case tma t1
// RUN: %case tma t3
// RUN: %case tma t5
// RUN: %case tma t127

func.func @tma(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %q_out: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"}, %s_out: tensor<2x?xf32> {mlafuse.name = "in_s"})
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<2x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x256xf8E4M3FN>, tensor<2x?xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>
}
