// Constraints of head_projection and of merge_attn_states; each case names its own.
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// head_projection C1
func.func @projection_type(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xi8>, %o: tensor<4x32xbf16>) {
  // expected-error @below {{w must be bf16, f16 or f32, got 'tensor<2x8x16xi8>' (C1)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xi8>) outs(%o : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  return
}

// -----

// head_projection C1
func.func @destination_type(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<4x32xi8>) {
  // expected-error @below {{output must be bf16, f16 or f32, got 'tensor<4x32xi8>' (C1)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) outs(%o : tensor<4x32xi8>) -> tensor<4x32xi8>
  return
}

// -----

// head_projection C2
func.func @dynamic_heads(%x: tensor<4x1x2x8xbf16>, %w: tensor<?x8x16xbf16>, %o: tensor<4x32xbf16>) {
  // expected-error @below {{dimension 0 of w must be static, got 'tensor<?x8x16xbf16>' (C2)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<?x8x16xbf16>) outs(%o : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  return
}

// -----

// head_projection S5
func.func @other_heads(%x: tensor<4x1x3x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<4x32xbf16>) {
  // expected-error @below {{x must have shape [4, 1, 2, 8], got 'tensor<4x1x3x8xbf16>' (S5)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x3x8xbf16>, tensor<2x8x16xbf16>) outs(%o : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  return
}

// -----

// head_projection S5
func.func @offset_in_rank_4(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %r: index, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{row_offset goes with a destination of rank 2 (S5)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) row_offset(%r : index) outs(%o : tensor<4x1x2x16xbf16>) -> tensor<4x1x2x16xbf16>
  return
}

// -----

// head_projection S5
func.func @destination_shape(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{output must have shape [4, 32], got 'tensor<4x16xbf16>' (S5)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) outs(%o : tensor<4x16xbf16>) -> tensor<4x16xbf16>
  return
}

// -----

// head_projection Q1
func.func @layout_without_key(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<4x32xbf16>) {
  // expected-error @below {{scale operands, scale_layout and scale_rule need a key (Q1)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) outs(%o : tensor<4x32xbf16>) {scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<4x32xbf16>
  return
}

// -----

// head_projection Q10
func.func @contracted_without_key(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<4x32xbf16>) {
  // expected-error @below {{contracted numerics need a key (Q10)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) outs(%o : tensor<4x32xbf16>) {numerics = #mlafuse.numerics<contracted>} -> tensor<4x32xbf16>
  return
}

// -----

// head_projection Q2
func.func @codes_per_head(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<4x1x2x16xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{codes must have shape [4, 32], got 'tensor<4x1x2x16xf8E4M3FN>' (Q2)}}
  %0:2 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) outs(%o, %s : tensor<4x1x2x16xf8E4M3FN>, tensor<4x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x1x2x16xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// head_projection S5
func.func @rows_of_codes(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<5x32xf8E4M3FN>, %s: tensor<5x1xf32>) {
  // expected-error @below {{output must have shape [4, 32], got 'tensor<5x32xf8E4M3FN>' (S5)}}
  %0:2 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) outs(%o, %s : tensor<5x32xf8E4M3FN>, tensor<5x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<5x32xf8E4M3FN>, tensor<5x1xf32>
  return
}

// -----

// merge_attn_states C1
func.func @merge_part_type(%a: tensor<?x2x8xi8>, %la: tensor<?x2xf32>, %b: tensor<?x2x8xi8>, %lb: tensor<?x2xf32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{o_a must be bf16, f16 or f32, got 'tensor<?x2x8xi8>' (C1)}}
  %0 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x2x8xi8>, tensor<?x2xf32>, tensor<?x2x8xi8>, tensor<?x2xf32>) outs(%o : tensor<?x16xbf16>) -> tensor<?x16xbf16>
  return
}

// -----

// merge_attn_states C1
func.func @partial_types(%a: tensor<?x2x8xbf16>, %la: tensor<?x2xf32>, %b: tensor<?x2x8xf32>, %lb: tensor<?x2xf32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{o_b must have the type and shape of o_a, got 'tensor<?x2x8xf32>' (C1)}}
  %0 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x2x8xbf16>, tensor<?x2xf32>, tensor<?x2x8xf32>, tensor<?x2xf32>) outs(%o : tensor<?x16xbf16>) -> tensor<?x16xbf16>
  return
}

// -----

// merge_attn_states C1
func.func @partial_shapes(%a: tensor<?x2x8xbf16>, %la: tensor<?x2xf32>, %b: tensor<?x4x8xbf16>, %lb: tensor<?x2xf32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{o_b must have the type and shape of o_a, got 'tensor<?x4x8xbf16>' (C1)}}
  %0 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x2x8xbf16>, tensor<?x2xf32>, tensor<?x4x8xbf16>, tensor<?x2xf32>) outs(%o : tensor<?x16xbf16>) -> tensor<?x16xbf16>
  return
}

// -----

// merge_attn_states C2
func.func @lse_of_bf16(%a: tensor<?x2x8xbf16>, %la: tensor<?x2xf32>, %b: tensor<?x2x8xbf16>, %lb: tensor<?x2xbf16>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{lse_b must be f32, got 'tensor<?x2xbf16>' (C2)}}
  %0 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x2x8xbf16>, tensor<?x2xf32>, tensor<?x2x8xbf16>, tensor<?x2xbf16>) outs(%o : tensor<?x16xbf16>) -> tensor<?x16xbf16>
  return
}

// -----

// merge_attn_states C3
func.func @dynamic_partial_heads(%a: tensor<?x?x8xbf16>, %la: tensor<?x2xf32>, %b: tensor<?x2x8xbf16>, %lb: tensor<?x2xf32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{dimension 1 of o_a must be static, got 'tensor<?x?x8xbf16>' (C3)}}
  %0 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x?x8xbf16>, tensor<?x2xf32>, tensor<?x2x8xbf16>, tensor<?x2xf32>) outs(%o : tensor<?x16xbf16>) -> tensor<?x16xbf16>
  return
}

// -----

// merge_attn_states S3
func.func @no_value_columns(%a: tensor<?x2x0xbf16>, %la: tensor<?x2xf32>, %b: tensor<?x2x0xbf16>, %lb: tensor<?x2xf32>, %o: tensor<?x0xbf16>) {
  // expected-error @below {{output needs rows that are not empty (S3)}}
  %0 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x2x0xbf16>, tensor<?x2xf32>, tensor<?x2x0xbf16>, tensor<?x2xf32>) outs(%o : tensor<?x0xbf16>) -> tensor<?x0xbf16>
  return
}

// -----

// head_projection S6
func.func @projection_schedule(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x16xbf16>, %o: tensor<4x32xbf16>) {
  // expected-error @below {{takes no 'block_keys' in its schedule, but tile_rows, stages, tile_columns, tile_depth (S6)}}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>) outs(%o : tensor<4x32xbf16>) {schedule = #mlafuse.schedule<block_keys = 64>} -> tensor<4x32xbf16>
  return
}
