// dequantize by every kind of key: codes times scales, rounded once. Padding of scales
// is never read: it holds NaN here.

// CASE static: in_q F8_E4M3 [5, 256] = i % 15 - 7.0
// CASE static: in_s F32 [1] = 0.3
// CASE static: out_x BF16 [5, 256] = bf16(f32((i % 15 - 7.0) * f32(0.3)))

// CASE token: in_q F8_E4M3 [5, 256] = i % 15 - 7.0
// CASE token: in_s F32 [5, 1] = 0.3 * (1 + t)
// CASE token: out_x BF16 [5, 256] = bf16(f32((i % 15 - 7.0) * f32(0.3 * (1 + t))))

// CASE row_major: in_q F8_E4M3 [5, 256] = i % 15 - 7.0
// CASE row_major: in_s F32 [5, 2] = 0.1 * (1 + t + 10 * i)
// CASE row_major: out_x BF16 [5, 256] = bf16(f32((i % 15 - 7.0) * f32(0.1 * (1 + t + 10 * (i // 128)))))

// CASE column_major: in_q F8_E4M3 [5, 256] = i % 15 - 7.0
// CASE column_major: in_s F32 [2, 5] = 0.1 * (1 + i + 10 * t)
// CASE column_major: out_x BF16 [5, 256] = bf16(f32((i % 15 - 7.0) * f32(0.1 * (1 + t + 10 * (i // 128)))))

// CASE tma_aligned: in_q F8_E4M3 [5, 256] = i % 15 - 7.0
// CASE tma_aligned: in_s F32 [2, 8] = 0.1 * (1 + i + 10 * t) if i < 5 else nan
// CASE tma_aligned: out_x BF16 [5, 256] = bf16(f32((i % 15 - 7.0) * f32(0.1 * (1 + t + 10 * (i // 128)))))

// CASE packed: in_q F8_E4M3 [5, 256] = i % 15 - 7.0
// CASE packed: in_s I32 [1, 8] = 126 + i + (130 - i << 8) if i < 5 else -1
// CASE packed: out_x BF16 [5, 256] = (i % 15 - 7.0) * 2.0**(t - 1, 3 - t)[i // 128]

// CASE f32_result: in_q F8_E4M3 [5, 256] = i % 15 - 7.0
// CASE f32_result: in_s F32 [5, 1] = 0.3 * (1 + t)
// CASE f32_result: out_x F32 [5, 256] = f32((i % 15 - 7.0) * f32(0.3 * (1 + t)))

// CASE nvfp4: in_q U8 [2, 32] = 0xF1
// CASE nvfp4: in_s F8_E4M3 [2, 4] = (1.0 + i) * (1 + t)
// CASE nvfp4: in_g F32 [1] = 3.0
// CASE nvfp4: out_x BF16 [2, 64] = bf16(f32((0.5, -6.0)[i % 2] * f32((1.0 + i // 16) * (1 + t) * f32(1 / 3.0))))

// CASE nvfp4_swizzled: in_q U8 [2, 32] = 0xF1
// CASE nvfp4_swizzled: in_s F8_E4M3 [128, 4] = (1.0 + i) * (1 + t // 4) if t in (0, 4) else nan
// CASE nvfp4_swizzled: in_g F32 [1] = 3.0
// CASE nvfp4_swizzled: out_x BF16 [2, 64] = bf16(f32((0.5, -6.0)[i % 2] * f32((1.0 + i // 16) * (1 + t) * f32(1 / 3.0))))

// CASE mxfp8: in_q F8_E4M3 [2, 64] = i % 15 - 7.0
// CASE mxfp8: in_s F8_E8M0 [2, 2] = 2.0**(t - 3 * i)
// CASE mxfp8: out_x BF16 [2, 64] = (i % 15 - 7.0) * 2.0**(t - 3 * (i // 32))

// CASE mxfp4: in_q U8 [2, 32] = 0xF1
// CASE mxfp4: in_s F8_E8M0 [2, 2] = 2.0**(t - 3 * i)
// CASE mxfp4: out_x BF16 [2, 64] = (0.5, -6.0)[i % 2] * 2.0**(t - 3 * (i // 32))

// CASE channel: in_q F8_E4M3 [5, 200] = i % 15 - 7.0
// CASE channel: in_s F32 [1, 200] = 0.3 * (1 + i)
// CASE channel: out_x BF16 [5, 200] = bf16(f32((i % 15 - 7.0) * f32(0.3 * (1 + i))))

// CASE block: in_q F8_E4M3 [130, 200] = i % 15 - 7.0
// CASE block: in_s F32 [2, 2] = 0.3 * (1 + i + 10 * t)
// CASE block: out_x BF16 [130, 200] = bf16(f32((i % 15 - 7.0) * f32(0.3 * (1 + i // 128 + 10 * (t // 128)))))

// A scale for each element, or one for a row of one element: found by row and group all
// the same. Only a weight's channels have a vector of them beside the codes.
// CASE elements: in_q F8_E4M3 [5, 6] = i % 15 - 7.0
// CASE elements: in_s F32 [5, 6] = 0.3 * (1 + i + 10 * t)
// CASE elements: out_x BF16 [5, 6] = bf16(f32((i % 15 - 7.0) * f32(0.3 * (1 + i + 10 * t))))

// CASE packed_elements: in_q F8_E4M3 [5, 6] = i % 15 - 7.0
// CASE packed_elements: in_s I32 [2, 8] = sum(110 + i + 4 * t + b << 8 * b for b in range(4)) if i < 5 else -1
// CASE packed_elements: out_x BF16 [5, 6] = (i % 15 - 7.0) * 2.0**(t + i - 17)

// CASE one_column: in_q F8_E4M3 [5, 1] = t - 7.0
// CASE one_column: in_s F32 [5, 1] = 0.3 * (1 + t)
// CASE one_column: out_x BF16 [5, 1] = bf16(f32((t - 7.0) * f32(0.3 * (1 + t))))

// CASE static_column: in_q F8_E4M3 [5, 1] = t - 7.0
// CASE static_column: in_s F32 [1] = 0.3
// CASE static_column: out_x BF16 [5, 1] = bf16(f32((t - 7.0) * f32(0.3)))

// CASE weight_columns: in_q F8_E4M3 [5, 6] = i % 15 - 7.0
// CASE weight_columns: in_s F32 [3, 6] = 0.3 * (1 + i + 10 * t)
// CASE weight_columns: out_x BF16 [5, 6] = bf16(f32((i % 15 - 7.0) * f32(0.3 * (1 + i + 10 * (t // 2)))))

// RUN: %compile
// RUN: %case static static
// RUN: %case token token
// RUN: %case f32_result f32_result
// RUN: %case row_major row_major
// RUN: %case column_major column_major
// RUN: %case tma_aligned tma_aligned
// RUN: %case packed packed
// RUN: %case nvfp4 nvfp4
// RUN: %case nvfp4_swizzled nvfp4_swizzled
// RUN: %case mxfp8 mxfp8
// RUN: %case mxfp4 mxfp4
// RUN: %case channel channel
// RUN: %case block block
// RUN: %case elements elements
// RUN: %case packed_elements packed_elements
// RUN: %case one_column one_column
// RUN: %case static_column static_column
// RUN: %case weight_columns weight_columns

func.func @static(%q: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<1xf32> {mlafuse.name = "in_s"}, %out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x256xf8E4M3FN>) scale(%s : tensor<1xf32>) outs(%out : tensor<?x256xbf16>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xbf16>
  return %x : tensor<?x256xbf16>
}

func.func @token(%q: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x1xf32> {mlafuse.name = "in_s"}, %out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x256xf8E4M3FN>) scale(%s : tensor<?x1xf32>) outs(%out : tensor<?x256xbf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xbf16>
  return %x : tensor<?x256xbf16>
}

func.func @f32_result(%q: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x1xf32> {mlafuse.name = "in_s"}, %out: tensor<?x256xf32>)
    -> (tensor<?x256xf32> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x256xf8E4M3FN>) scale(%s : tensor<?x1xf32>) outs(%out : tensor<?x256xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf32>
  return %x : tensor<?x256xf32>
}

func.func @row_major(%q: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x2xf32> {mlafuse.name = "in_s"}, %out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x256xf8E4M3FN>) scale(%s : tensor<?x2xf32>) outs(%out : tensor<?x256xbf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xbf16>
  return %x : tensor<?x256xbf16>
}

func.func @column_major(%q: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<2x?xf32> {mlafuse.name = "in_s"}, %out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x256xf8E4M3FN>) scale(%s : tensor<2x?xf32>) outs(%out : tensor<?x256xbf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x256xbf16>
  return %x : tensor<?x256xbf16>
}

func.func @tma_aligned(%q: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<2x?xf32> {mlafuse.name = "in_s"}, %out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x256xf8E4M3FN>) scale(%s : tensor<2x?xf32>) outs(%out : tensor<?x256xbf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x256xbf16>
  return %x : tensor<?x256xbf16>
}

func.func @packed(%q: tensor<?x256xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<1x?xi32> {mlafuse.name = "in_s"}, %out: tensor<?x256xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x256xf8E4M3FN>) scale(%s : tensor<1x?xi32>) outs(%out : tensor<?x256xbf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>} -> tensor<?x256xbf16>
  return %x : tensor<?x256xbf16>
}

func.func @nvfp4(%q: tensor<?x32xi8> {mlafuse.name = "in_q"},
    %s: tensor<?x4xf8E4M3FN> {mlafuse.name = "in_s"}, %g: tensor<1xf32> {mlafuse.name = "in_g"},
    %out: tensor<?x64xbf16>)
    -> (tensor<?x64xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x32xi8>) scale(%s : tensor<?x4xf8E4M3FN>) global_scale(%g : tensor<1xf32>) outs(%out : tensor<?x64xbf16>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x64xbf16>
  return %x : tensor<?x64xbf16>
}

func.func @nvfp4_swizzled(%q: tensor<?x32xi8> {mlafuse.name = "in_q"},
    %s: tensor<?x4xf8E4M3FN> {mlafuse.name = "in_s"}, %g: tensor<1xf32> {mlafuse.name = "in_g"},
    %out: tensor<?x64xbf16>)
    -> (tensor<?x64xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x32xi8>) scale(%s : tensor<?x4xf8E4M3FN>) global_scale(%g : tensor<1xf32>) outs(%out : tensor<?x64xbf16>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x64xbf16>
  return %x : tensor<?x64xbf16>
}

func.func @mxfp8(%q: tensor<?x64xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x2xf8E8M0FNU> {mlafuse.name = "in_s"}, %out: tensor<?x64xbf16>)
    -> (tensor<?x64xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x64xf8E4M3FN>) scale(%s : tensor<?x2xf8E8M0FNU>) outs(%out : tensor<?x64xbf16>)
      {key = #mlafuse.quant_key<mxfp8_dynamic>} -> tensor<?x64xbf16>
  return %x : tensor<?x64xbf16>
}

func.func @mxfp4(%q: tensor<?x32xi8> {mlafuse.name = "in_q"},
    %s: tensor<?x2xf8E8M0FNU> {mlafuse.name = "in_s"}, %out: tensor<?x64xbf16>)
    -> (tensor<?x64xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x32xi8>) scale(%s : tensor<?x2xf8E8M0FNU>) outs(%out : tensor<?x64xbf16>)
      {key = #mlafuse.quant_key<mxfp4_dynamic>} -> tensor<?x64xbf16>
  return %x : tensor<?x64xbf16>
}

func.func @channel(%q: tensor<5x200xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<1x200xf32> {mlafuse.name = "in_s"}, %out: tensor<5x200xbf16>)
    -> (tensor<5x200xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<5x200xf8E4M3FN>) scale(%s : tensor<1x200xf32>) outs(%out : tensor<5x200xbf16>)
      {key = #mlafuse.quant_key<fp8_static_channel_sym>} -> tensor<5x200xbf16>
  return %x : tensor<5x200xbf16>
}

func.func @block(%q: tensor<130x200xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<2x2xf32> {mlafuse.name = "in_s"}, %out: tensor<130x200xbf16>)
    -> (tensor<130x200xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<130x200xf8E4M3FN>) scale(%s : tensor<2x2xf32>) outs(%out : tensor<130x200xbf16>)
      {key = #mlafuse.quant_key<fp8_static_128_block_sym>} -> tensor<130x200xbf16>
  return %x : tensor<130x200xbf16>
}

func.func @elements(%q: tensor<?x6xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x6xf32> {mlafuse.name = "in_s"}, %out: tensor<?x6xbf16>)
    -> (tensor<?x6xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x6xf8E4M3FN>) scale(%s : tensor<?x6xf32>) outs(%out : tensor<?x6xbf16>)
      {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 1], sym>} -> tensor<?x6xbf16>
  return %x : tensor<?x6xbf16>
}

func.func @packed_elements(%q: tensor<?x6xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<2x?xi32> {mlafuse.name = "in_s"}, %out: tensor<?x6xbf16>)
    -> (tensor<?x6xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x6xf8E4M3FN>) scale(%s : tensor<2x?xi32>) outs(%out : tensor<?x6xbf16>)
      {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 1], sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>} -> tensor<?x6xbf16>
  return %x : tensor<?x6xbf16>
}

func.func @one_column(%q: tensor<?x1xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x1xf32> {mlafuse.name = "in_s"}, %out: tensor<?x1xbf16>)
    -> (tensor<?x1xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x1xf8E4M3FN>) scale(%s : tensor<?x1xf32>) outs(%out : tensor<?x1xbf16>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1xbf16>
  return %x : tensor<?x1xbf16>
}

func.func @static_column(%q: tensor<?x1xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<1xf32> {mlafuse.name = "in_s"}, %out: tensor<?x1xbf16>)
    -> (tensor<?x1xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<?x1xf8E4M3FN>) scale(%s : tensor<1xf32>) outs(%out : tensor<?x1xbf16>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x1xbf16>
  return %x : tensor<?x1xbf16>
}

func.func @weight_columns(%q: tensor<5x6xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<3x6xf32> {mlafuse.name = "in_s"}, %out: tensor<5x6xbf16>)
    -> (tensor<5x6xbf16> {mlafuse.name = "out_x"}) {
  %x = mlafuse.dequantize ins(%q : tensor<5x6xf8E4M3FN>) scale(%s : tensor<3x6xf32>) outs(%out : tensor<5x6xbf16>)
      {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, static, group = [2, 1], sym>} -> tensor<5x6xbf16>
  return %x : tensor<5x6xbf16>
}
