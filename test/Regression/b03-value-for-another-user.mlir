// The normalized latent is quantized and also feeds an op that wants it unquantized:
// one op writes both, with the bits that the two ops give.

// CASE both: in_x BF16 [3, 64] = 2.0 if i % 2 else -2.0
// CASE both: in_weight BF16 [64] = 1.0 + i
// CASE both: out_y BF16 [3, 64] = (1.0 + i) if i % 2 else -(1.0 + i)
// CASE both: out_q F8_E4M3 [3, 64] = e4m3(f32(((1.0 + i) if i % 2 else -(1.0 + i)) / f32(64.0 / 448)))
// CASE both: out_scale F32 [3, 1] = f32(64.0 / 448)

// RUN: %compile_both
// RUN: %case_both indexer both
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s
// CHECK: mlafuse.rms_norm_quantize {{.*}} -> tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<?x64xbf16>
// CHECK-NOT: mlafuse.

func.func @indexer(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"}, %w: tensor<64xbf16> {mlafuse.name = "in_weight"},
    %y_out: tensor<?x64xbf16>, %q_out: tensor<?x64xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x64xbf16> {mlafuse.name = "out_y"}, tensor<?x64xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x64xbf16>, tensor<64xbf16>) outs(%y_out : tensor<?x64xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x64xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x64xbf16>) outs(%q_out, %s_out : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x64xbf16>, tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}
