// A norm with its quantization against golden files: as a chain that is compiled
// unfused and fused, and written as one op (the functions that end in _op).

// RUN: %compile_both
// RUN: %golden_both token rms_norm_quantize-token_t7_n512
// RUN: %golden_both token_op rms_norm_quantize-token_t7_n512
// RUN: %golden_both static rms_norm_quantize-static_t3_n256
// RUN: %golden_both static_op rms_norm_quantize-static_t3_n256
// RUN: %golden_both g128_tma rms_norm_quantize-g128_tma_t7_n512
// RUN: %golden_both g128_tma_op rms_norm_quantize-g128_tma_t7_n512
// RUN: %golden_both nvfp4 rms_norm_quantize-nvfp4_t5_n256
// RUN: %golden_both nvfp4_op rms_norm_quantize-nvfp4_t5_n256
// RUN: %golden_both residual add_rms_norm_quantize-token_t5_n512
// RUN: %golden_both residual_op add_rms_norm_quantize-token_t5_n512

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize --implicit-check-not=rms_norm
// CHECK-COUNT-10: mlafuse.rms_norm_quantize

func.func @token(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %y_out: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%y_out : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s, %y : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

func.func @token_op(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %y_out: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_y"}) {
  %q, %s, %y = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q_out, %s_out, %y_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  return %q, %s, %y : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

func.func @static(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %w: tensor<256xbf16> {mlafuse.name = "in_weight"}, %scale: tensor<1xf32> {mlafuse.name = "in_scale"},
    %q_out: tensor<?x256xf8E4M3FN>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %y_tmp = tensor.empty(%t) : tensor<?x256xbf16>
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>)
      outs(%y_tmp : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %q = mlafuse.quantize ins(%y : tensor<?x256xbf16>) scale(%scale : tensor<1xf32>) outs(%q_out : tensor<?x256xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %q : tensor<?x256xf8E4M3FN>
}

func.func @static_op(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %w: tensor<256xbf16> {mlafuse.name = "in_weight"}, %scale: tensor<1xf32> {mlafuse.name = "in_scale"},
    %q_out: tensor<?x256xf8E4M3FN>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}) {
  %q = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) scale(%scale : tensor<1xf32>)
      outs(%q_out : tensor<?x256xf8E4M3FN>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %q : tensor<?x256xf8E4M3FN>
}

func.func @g128_tma(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %y_tmp = tensor.empty(%t) : tensor<?x512xbf16>
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%y_tmp : tensor<?x512xbf16>) {epsilon = 1.0e-5 : f32} -> tensor<?x512xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @g128_tma_op(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {epsilon = 1.0e-5 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @nvfp4(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %w: tensor<256xbf16> {mlafuse.name = "in_weight"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x128xi8>,
    %s_out: tensor<?x16xf8E4M3FN>)
    -> (tensor<?x128xi8> {mlafuse.name = "out_q"}, tensor<?x16xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %y_tmp = tensor.empty(%t) : tensor<?x256xbf16>
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>)
      outs(%y_tmp : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x256xbf16>) global_scale(%global_scale : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
  return %q, %s : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
}

func.func @nvfp4_op(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"},
    %w: tensor<256xbf16> {mlafuse.name = "in_weight"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x128xi8>,
    %s_out: tensor<?x16xf8E4M3FN>)
    -> (tensor<?x128xi8> {mlafuse.name = "out_q"}, tensor<?x16xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) global_scale(%global_scale : tensor<1xf32>)
      outs(%q_out, %s_out : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
  return %q, %s : tensor<?x128xi8>, tensor<?x16xf8E4M3FN>
}

func.func @residual(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %r: tensor<?x512xbf16> {mlafuse.name = "in_residual"},
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x1xf32>, %h_out: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_residual"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %y_tmp = tensor.empty(%t) : tensor<?x512xbf16>
  %y, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) residual(%r : tensor<?x512xbf16>)
      outs(%y_tmp, %h_out : tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>, tensor<?x512xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s, %h : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

func.func @residual_op(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %w: tensor<512xbf16> {mlafuse.name = "in_weight"}, %r: tensor<?x512xbf16> {mlafuse.name = "in_residual"},
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x1xf32>, %h_out: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_residual"}) {
  %q, %s, %h = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) residual(%r : tensor<?x512xbf16>)
      outs(%q_out, %s_out, %h_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  return %q, %s, %h : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}
