// No fusion assumes the width of a model's heads: rows of 1, 64, 72 and 128 fuse, and
// run with the bits of the unfused chain.

// CASE w1: in_x BF16 [2, 1] = -3.0
// CASE w1: out_q F8_E4M3 [2, 1] = -448.0
// CASE w1: out_scale F32 [2, 1] = f32(1.0 / 448)
// CASE w64: in_x BF16 [2, 64] = 2.0 if i % 2 else -2.0
// CASE w64: out_q F8_E4M3 [2, 64] = 448.0 if i % 2 else -448.0
// CASE w64: out_scale F32 [2, 1] = f32(1.0 / 448)
// CASE w72: in_x BF16 [2, 72] = 2.0 if i % 2 else -2.0
// CASE w72: out_q F8_E4M3 [2, 72] = 448.0 if i % 2 else -448.0
// CASE w72: out_scale F32 [2, 1] = f32(1.0 / 448)
// CASE w128: in_x BF16 [2, 128] = 2.0 if i % 2 else -2.0
// CASE w128: out_q F8_E4M3 [2, 128] = 448.0 if i % 2 else -448.0
// CASE w128: out_scale F32 [2, 1] = f32(1.0 / 448)

// RUN: %compile_both
// RUN: %case_both w1 w1
// RUN: %case_both w64 w64
// RUN: %case_both w72 w72
// RUN: %case_both w128 w128
// RUN: mlafuse-opt %s --mlafuse-fuse | FileCheck %s
// CHECK-COUNT-4: mlafuse.rms_norm_quantize

func.func @w1(%x: tensor<?x1xbf16> {mlafuse.name = "in_x"}, %y: tensor<?x1xbf16>, %q_out: tensor<?x1xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x1xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x1xbf16>) outs(%y : tensor<?x1xbf16>) {epsilon = 0.0 : f32} -> tensor<?x1xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x1xbf16>) outs(%q_out, %s_out : tensor<?x1xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x1xf8E4M3FN>, tensor<?x1xf32>
}
func.func @w64(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"}, %y: tensor<?x64xbf16>, %q_out: tensor<?x64xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x64xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%y : tensor<?x64xbf16>) {epsilon = 0.0 : f32} -> tensor<?x64xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x64xbf16>) outs(%q_out, %s_out : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}
func.func @w72(%x: tensor<?x72xbf16> {mlafuse.name = "in_x"}, %y: tensor<?x72xbf16>, %q_out: tensor<?x72xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x72xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x72xbf16>) outs(%y : tensor<?x72xbf16>) {epsilon = 0.0 : f32} -> tensor<?x72xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x72xbf16>) outs(%q_out, %s_out : tensor<?x72xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x72xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x72xf8E4M3FN>, tensor<?x1xf32>
}
func.func @w128(%x: tensor<?x128xbf16> {mlafuse.name = "in_x"}, %y: tensor<?x128xbf16>, %q_out: tensor<?x128xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x128xbf16>) outs(%y : tensor<?x128xbf16>) {epsilon = 0.0 : f32} -> tensor<?x128xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x128xbf16>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}
