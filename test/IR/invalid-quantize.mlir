// Q1 to Q9 and Q11, on quantize (every op that quantizes makes the same checks).
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// Q1
func.func @weight_key(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>) {
  // expected-error @below {{key #mlafuse.quant_key<fp8_static_channel_sym> is for weights: only 'mlafuse.dequantize' takes it (Q1)}}
  %0 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q : tensor<4x128xf8E4M3FN>)
    {key = #mlafuse.quant_key<fp8_static_channel_sym>} -> tensor<4x128xf8E4M3FN>
  return
}

// -----

// Q2
func.func @other_codes(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E5M2>, %s: tensor<4x1xf32>) {
  // expected-error @below {{codes of #mlafuse.quant_key<fp8_dynamic_token_sym> are of 'f8E4M3FN', got 'f8E5M2' (Q2)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E5M2>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xf8E5M2>, tensor<4x1xf32>
  return
}

// -----

// Q2
func.func @unpacked_fp4(%x: tensor<4x128xbf16>, %q: tensor<4x128xi8>, %s: tensor<4x8xf8E4M3FN>, %g: tensor<1xf32>) {
  // expected-error @below {{codes must have shape [4, 64], got 'tensor<4x128xi8>' (Q2)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) global_scale(%g : tensor<1xf32>) outs(%q, %s : tensor<4x128xi8>, tensor<4x8xf8E4M3FN>)
    {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<4x128xi8>, tensor<4x8xf8E4M3FN>
  return
}

// -----

// Q2
func.func @codes_of_other_rank(%x: tensor<4x128xbf16>, %q: tensor<2x2x128xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{codes must have shape [4, 128], got 'tensor<2x2x128xf8E4M3FN>' (Q2)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<2x2x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<2x2x128xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// Q3
func.func @cut_group(%x: tensor<4x192xbf16>, %q: tensor<4x192xf8E4M3FN>, %s: tensor<4x2xf32>) {
  // expected-error @below {{rows of 192 do not divide into groups of 128 (Q3)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x192xbf16>) outs(%q, %s : tensor<4x192xf8E4M3FN>, tensor<4x2xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<4x192xf8E4M3FN>, tensor<4x2xf32>
  return
}

// -----

// Q4
func.func @layout_of_one_scale(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<1xf32>) {
  // expected-error @below {{scale_layout does not go with #mlafuse.quant_key<fp8_static_tensor_sym>, which has one scale (Q4)}}
  %0 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<4x128xf8E4M3FN>)
    {key = #mlafuse.quant_key<fp8_static_tensor_sym>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<4x128xf8E4M3FN>
  return
}

// -----

// Q4
func.func @token_layout(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<1x4xf32>) {
  // expected-error @below {{scale_layout 'column_major' does not go with #mlafuse.quant_key<fp8_dynamic_token_sym> (Q4)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<1x4xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<4x128xf8E4M3FN>, tensor<1x4xf32>
  return
}

// -----

// Q4
func.func @group_layout(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<128x4xf32>) {
  // expected-error @below {{scale_layout 'swizzled_128x4' does not go with #mlafuse.quant_key<fp8_dynamic_128_sym> (Q4)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<128x4xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<4x128xf8E4M3FN>, tensor<128x4xf32>
  return
}

// -----

// Q4
func.func @mx_layout(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x4xf8E8M0FNU>) {
  // expected-error @below {{scale_layout 'tma_aligned' does not go with #mlafuse.quant_key<mxfp8_dynamic> (Q4)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x4xf8E8M0FNU>)
    {key = #mlafuse.quant_key<mxfp8_dynamic>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<4x128xf8E4M3FN>, tensor<4x4xf8E8M0FNU>
  return
}

// -----

// Q4
func.func @packed_without_rounding(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<1x4xi32>) {
  // expected-error @below {{scale_layout 'packed_ue8m0' stores exponents: it needs a scale_rule with rounding = ue8m0 (Q4)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<1x4xi32>)
    {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>} -> tensor<4x128xf8E4M3FN>, tensor<1x4xi32>
  return
}

// -----

// Q5: the storage shape, padding included.
func.func @unpadded_scales(%x: tensor<6x256xbf16>, %q: tensor<6x256xf8E4M3FN>, %s: tensor<2x6xf32>) {
  // expected-error @below {{scale destination must be [2, 8] of 'f32', got 'tensor<2x6xf32>' (Q5)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<6x256xbf16>) outs(%q, %s : tensor<6x256xf8E4M3FN>, tensor<2x6xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<6x256xf8E4M3FN>, tensor<2x6xf32>
  return
}

// -----

// Q5: scales have rank 2 whatever the rank of the data.
func.func @scales_of_data_rank(%x: tensor<2x3x128xbf16>, %q: tensor<2x3x128xf8E4M3FN>, %s: tensor<2x3x1xf32>) {
  // expected-error @below {{scale destination must be [6, 1] of 'f32', got 'tensor<2x3x1xf32>' (Q5)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<2x3x128xbf16>) outs(%q, %s : tensor<2x3x128xf8E4M3FN>, tensor<2x3x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<2x3x128xf8E4M3FN>, tensor<2x3x1xf32>
  return
}

// -----

// Q5
func.func @scales_of_other_type(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xbf16>) {
  // expected-error @below {{scale destination must be [4, 1] of 'f32', got 'tensor<4x1xbf16>' (Q5)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x1xbf16>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xf8E4M3FN>, tensor<4x1xbf16>
  return
}

// -----

// Q5: with row_offset the scales are those of the whole buffer.
func.func @scales_of_the_range(%x: tensor<4x128xbf16>, %o: index, %q: tensor<9x128xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{scale destination must be [9, 1] of 'f32', got 'tensor<4x1xf32>' (Q5)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) row_offset(%o : index) outs(%q, %s : tensor<9x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<9x128xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// Q6
func.func @static_without_scale(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>) {
  // expected-error @below {{key needs scale(...), as static keys do (Q6)}}
  %0 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q : tensor<4x128xf8E4M3FN>)
    {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<4x128xf8E4M3FN>
  return
}

// -----

// Q6
func.func @dynamic_with_scale(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xf32>, %one: tensor<1xf32>) {
  // expected-error @below {{scale(...) is for static keys only (Q6)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) scale(%one : tensor<1xf32>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// Q6
func.func @static_scale_of_bf16(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<1xbf16>) {
  // expected-error @below {{scale must be 1 x f32, got 'tensor<1xbf16>' (Q6)}}
  %0 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) scale(%s : tensor<1xbf16>) outs(%q : tensor<4x128xf8E4M3FN>)
    {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<4x128xf8E4M3FN>
  return
}

// -----

// Q7
func.func @group_with_bound(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xf32>, %ub: tensor<1xf32>) {
  // expected-error @below {{scale_ub(...) is for dynamic token and tensor keys only (Q7)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) scale_ub(%ub : tensor<1xf32>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<4x128xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// Q7
func.func @two_bounds(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xf32>, %ub: tensor<2xf32>) {
  // expected-error @below {{scale_ub must be 1 x f32, got 'tensor<2xf32>' (Q7)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) scale_ub(%ub : tensor<2xf32>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// Q8
func.func @nvfp4_without_global(%x: tensor<4x128xbf16>, %q: tensor<4x64xi8>, %s: tensor<4x8xf8E4M3FN>) {
  // expected-error @below {{key needs global_scale(...), as NVFP4 keys do (Q8)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x64xi8>, tensor<4x8xf8E4M3FN>)
    {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<4x64xi8>, tensor<4x8xf8E4M3FN>
  return
}

// -----

// Q8
func.func @global_without_nvfp4(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xf32>, %g: tensor<1xf32>) {
  // expected-error @below {{global_scale(...) is for NVFP4 keys only (Q8)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) global_scale(%g : tensor<1xf32>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// Q9
func.func @rule_of_mx(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x4xf8E8M0FNU>) {
  // expected-error @below {{scale_rule does not apply to #mlafuse.quant_key<mxfp8_dynamic>, whose arithmetic has no options (Q9)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x4xf8E8M0FNU>)
    {key = #mlafuse.quant_key<mxfp8_dynamic>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<4x128xf8E4M3FN>, tensor<4x4xf8E8M0FNU>
  return
}

// -----

// Q9
func.func @floor_of_static(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<1xf32>) {
  // expected-error @below {{scale_rule of a static key has neither a floor nor a rounding: the scale is an input (Q9)}}
  %0 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<4x128xf8E4M3FN>)
    {key = #mlafuse.quant_key<fp8_static_tensor_sym>, scale_rule = #mlafuse.scale_rule<deepseek>} -> tensor<4x128xf8E4M3FN>
  return
}

// -----

// Q9
func.func @max_past_the_type(%x: tensor<4x128xbf16>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{scale_rule has max 4.490000e+02, but 'f8E4M3FN' holds no more than 4.480000e+02 (Q9)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>, scale_rule = #mlafuse.scale_rule<max = 449.0>} -> tensor<4x128xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// Q11
func.func @more_rows(%x: tensor<4x128xbf16>, %q: tensor<9x128xf8E4M3FN>, %s: tensor<9x1xf32>) {
  // expected-error @below {{codes must have shape [4, 128], got 'tensor<9x128xf8E4M3FN>'; without row_offset they have as many rows as the input (Q11)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xbf16>) outs(%q, %s : tensor<9x128xf8E4M3FN>, tensor<9x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<9x128xf8E4M3FN>, tensor<9x1xf32>
  return
}

// -----

// C1
func.func @integers(%x: tensor<4x128xi8>, %q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{input must be bf16, f16 or f32, got 'tensor<4x128xi8>' (C1)}}
  %0:2 = mlafuse.quantize ins(%x : tensor<4x128xi8>) outs(%q, %s : tensor<4x128xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xf8E4M3FN>, tensor<4x1xf32>
  return
}
