// Zero tokens: empty results of the right shape, and no crash.

// CASE token: in_x BF16 [0, 1536] = 0.0
// CASE token: in_weight BF16 [1536] = nan
// CASE token: out_y BF16 [0, 1536] = 0.0
// CASE token: out_q F8_E4M3 [0, 1536] = 0.0
// CASE token: out_scale F32 [0, 1] = 0.0

// CASE group: in_x BF16 [0, 512] = 0.0
// CASE group: out_q F8_E4M3 [0, 512] = 0.0
// CASE group: out_scale F32 [4, 0] = 0.0

// CASE swizzled: in_x BF16 [0, 64] = 0.0
// CASE swizzled: in_global_scale F32 [1] = nan
// CASE swizzled: out_q U8 [0, 32] = 0
// CASE swizzled: out_scale F8_E4M3 [0, 4] = 0.0

// CASE static: in_x BF16 [0, 64] = 0.0
// CASE static: in_scale F32 [1] = nan
// CASE static: out_q F8_E4M3 [0, 64] = 0.0

// RUN: %compile_both
// RUN: %case_both norm_token token
// RUN: %case group_tma group
// RUN: %case group_column group
// RUN: %case swizzled swizzled
// RUN: %case static static

func.func @norm_token(%x: tensor<?x1536xbf16> {mlafuse.name = "in_x"},
    %w: tensor<1536xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x1536xbf16>,
    %q_out: tensor<?x1536xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x1536xbf16> {mlafuse.name = "out_y"}, tensor<?x1536xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%y_out : tensor<?x1536xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x1536xbf16>) outs(%q_out, %s_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x1536xbf16>, tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
}

func.func @group_tma(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @group_column(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @swizzled(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x32xi8>,
    %s_out: tensor<?x4xf8E4M3FN>)
    -> (tensor<?x32xi8> {mlafuse.name = "out_q"}, tensor<?x4xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x64xbf16>) global_scale(%global_scale : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x32xi8>, tensor<?x4xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x32xi8>, tensor<?x4xf8E4M3FN>
  return %q, %s : tensor<?x32xi8>, tensor<?x4xf8E4M3FN>
}

func.func @static(%x: tensor<?x64xbf16> {mlafuse.name = "in_x"},
    %scale: tensor<1xf32> {mlafuse.name = "in_scale"}, %q_out: tensor<?x64xf8E4M3FN>)
    -> (tensor<?x64xf8E4M3FN> {mlafuse.name = "out_q"}) {
  %q = mlafuse.quantize ins(%x : tensor<?x64xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x64xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x64xf8E4M3FN>
  return %q : tensor<?x64xf8E4M3FN>
}
