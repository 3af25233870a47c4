// C labels of the norms, and Q10.
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// rms_norm C1
func.func @input_of_f64(%x: tensor<4x8xf64>) {
  // expected-error @below {{input must be bf16, f16 or f32, got 'tensor<4x8xf64>' (C1)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xf64>) outs(%x : tensor<4x8xf64>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xf64>
  return
}

// -----

// rms_norm C1
func.func @result_of_f16(%x: tensor<4x8xbf16>, %y: tensor<4x8xf16>) {
  // expected-error @below {{result must have the input's type or f32, got 'tensor<4x8xf16>' (C1)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%y : tensor<4x8xf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xf16>
  return
}

// -----

// rms_norm C2
func.func @short_weight(%x: tensor<4x8xbf16>, %w: tensor<7xbf16>) {
  // expected-error @below {{weight must be [8] of bf16, f16 or f32, got 'tensor<7xbf16>' (C2)}}
  %0 = mlafuse.rms_norm ins(%x, %w : tensor<4x8xbf16>, tensor<7xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// rms_norm C2
func.func @weight_of_rank_2(%x: tensor<4x8xbf16>, %w: tensor<1x8xbf16>) {
  // expected-error @below {{weight must be [8] of bf16, f16 or f32, got 'tensor<1x8xbf16>' (C2)}}
  %0 = mlafuse.rms_norm ins(%x, %w : tensor<4x8xbf16>, tensor<1x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// rms_norm C2
func.func @integer_weight(%x: tensor<4x8xbf16>, %w: tensor<8xi8>) {
  // expected-error @below {{weight must be [8] of bf16, f16 or f32, got 'tensor<8xi8>' (C2)}}
  %0 = mlafuse.rms_norm ins(%x, %w : tensor<4x8xbf16>, tensor<8xi8>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// rms_norm C3
func.func @negative_epsilon(%x: tensor<4x8xbf16>) {
  // expected-error @below {{epsilon must be finite and not negative (C3)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = -1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// rms_norm C3
func.func @epsilon_is_nan(%x: tensor<4x8xbf16>) {
  // expected-error @below {{epsilon must be finite and not negative (C3)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 0x7FC00000 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// rms_norm C4
func.func @offset_of_no_weight(%x: tensor<4x8xbf16>) {
  // expected-error @below {{weight_offset needs a weight (C4)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32, weight_offset} -> tensor<4x8xbf16>
  return
}

// -----

// add_rms_norm C5
func.func @residual_of_other_type(%x: tensor<4x8xbf16>, %r: tensor<4x8xf32>) {
  // expected-error @below {{residual and its destination must have the shape and type of the input, got 'tensor<4x8xf32>' (C5)}}
  %0:2 = mlafuse.add_rms_norm ins(%x : tensor<4x8xbf16>) residual(%r : tensor<4x8xf32>) outs(%x, %x : tensor<4x8xbf16>, tensor<4x8xbf16>)
    {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>, tensor<4x8xbf16>
  return
}

// -----

// add_rms_norm C5
func.func @residual_destination_of_other_shape(%x: tensor<4x8xbf16>, %r: tensor<5x8xbf16>) {
  // expected-error @below {{residual and its destination must have the shape and type of the input, got 'tensor<5x8xbf16>' (C5)}}
  %0:2 = mlafuse.add_rms_norm ins(%x : tensor<4x8xbf16>) residual(%x : tensor<4x8xbf16>) outs(%x, %r : tensor<4x8xbf16>, tensor<5x8xbf16>)
    {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>, tensor<5x8xbf16>
  return
}

// -----

// add_rms_norm C3
func.func @add_norm_epsilon(%x: tensor<4x8xbf16>) {
  // expected-error @below {{epsilon must be finite and not negative (C3)}}
  %0:2 = mlafuse.add_rms_norm ins(%x : tensor<4x8xbf16>) residual(%x : tensor<4x8xbf16>) outs(%x, %x : tensor<4x8xbf16>, tensor<4x8xbf16>)
    {epsilon = -1.0 : f32} -> tensor<4x8xbf16>, tensor<4x8xbf16>
  return
}

// -----

// rms_norm_quantize: the residual's destination, C5
func.func @fused_residual(%x: tensor<4x8xbf16>, %q: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>, %h: tensor<4x8xf32>) {
  // expected-error @below {{residual and its destination must have the shape and type of the input, got 'tensor<4x8xf32>' (C5)}}
  %0:3 = mlafuse.rms_norm_quantize ins(%x : tensor<4x8xbf16>) residual(%x : tensor<4x8xbf16>)
    outs(%q, %s, %h : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>, tensor<4x8xf32>)
    {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>, tensor<4x8xf32>
  return
}

// -----

// rms_norm_quantize: the unquantized value, C1
func.func @unquantized_of_f16(%x: tensor<4x8xbf16>, %q: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>, %y: tensor<4x8xf16>) {
  // expected-error @below {{result must have the input's type or f32, got 'tensor<4x8xf16>' (C1)}}
  %0:3 = mlafuse.rms_norm_quantize ins(%x : tensor<4x8xbf16>) outs(%q, %s, %y : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>, tensor<4x8xf16>)
    {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>, tensor<4x8xf16>
  return
}

// -----

// rms_norm_quantize makes quantize's checks
func.func @fused_scales(%x: tensor<4x8xbf16>, %q: tensor<4x8xf8E4M3FN>, %s: tensor<8x1xf32>) {
  // expected-error @below {{scale destination must be [4, 1] of 'f32', got 'tensor<8x1xf32>' (Q5)}}
  %0:2 = mlafuse.rms_norm_quantize ins(%x : tensor<4x8xbf16>) outs(%q, %s : tensor<4x8xf8E4M3FN>, tensor<8x1xf32>)
    {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x8xf8E4M3FN>, tensor<8x1xf32>
  return
}

// -----

// Q10
func.func @contracted_rounds_twice(%x: tensor<4x8xbf16>, %q: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{contracted numerics round once: they go with rounding = result (Q10)}}
  %0:2 = mlafuse.rms_norm_quantize ins(%x : tensor<4x8xbf16>) outs(%q, %s : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>)
    {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, numerics = #mlafuse.numerics<contracted>}
    -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// dual_rms_norm C2
func.func @dual_weight(%q: tensor<4x8xbf16>, %kv: tensor<4x6xbf16>, %w: tensor<8xbf16>) {
  // expected-error @below {{kv weight must be [6] of bf16, f16 or f32, got 'tensor<8xbf16>' (C2)}}
  %0:2 = mlafuse.dual_rms_norm ins(%q, %w, %kv, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<4x6xbf16>, tensor<8xbf16>)
    outs(%q, %kv : tensor<4x8xbf16>, tensor<4x6xbf16>) {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>, tensor<4x6xbf16>
  return
}

// -----

// dual_rms_norm C3
func.func @dual_epsilon(%q: tensor<4x8xbf16>, %w: tensor<8xbf16>) {
  // expected-error @below {{q epsilon must be finite and not negative (C3)}}
  %0:2 = mlafuse.dual_rms_norm ins(%q, %w, %q, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<8xbf16>)
    outs(%q, %q : tensor<4x8xbf16>, tensor<4x8xbf16>) {q_epsilon = -1.0 : f32, kv_epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>, tensor<4x8xbf16>
  return
}

// -----

// dual_rms_norm C4
func.func @dual_rows(%q: tensor<4x8xbf16>, %kv: tensor<5x8xbf16>, %w: tensor<8xbf16>) {
  // expected-error @below {{q and kv sides must have the same type and leading dimensions, got 'tensor<4x8xbf16>' and 'tensor<5x8xbf16>' (C4)}}
  %0:2 = mlafuse.dual_rms_norm ins(%q, %w, %kv, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<5x8xbf16>, tensor<8xbf16>)
    outs(%q, %kv : tensor<4x8xbf16>, tensor<5x8xbf16>) {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>, tensor<5x8xbf16>
  return
}

// -----

// dual_rms_norm_quantize C5
func.func @dual_without_key(%q: tensor<4x8xbf16>, %w: tensor<8xbf16>) {
  // expected-error @below {{needs q_key or kv_key; without a key it is 'mlafuse.dual_rms_norm' (C5)}}
  %0:2 = mlafuse.dual_rms_norm_quantize ins(%q, %w, %q, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<8xbf16>)
    outs(%q, %q : tensor<4x8xbf16>, tensor<4x8xbf16>) {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>, tensor<4x8xbf16>
  return
}

// -----

// dual_rms_norm_quantize C6
func.func @dual_layout_of_bare_side(%x: tensor<4x8xbf16>, %w: tensor<8xbf16>, %q: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{kv scale operands, layout and rule need a kv key (C6)}}
  %0:3 = mlafuse.dual_rms_norm_quantize ins(%x, %w, %x, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<8xbf16>)
    outs(%q, %s, %x : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>, tensor<4x8xbf16>)
    {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>,
     kv_scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>, tensor<4x8xbf16>
  return
}

// -----

// dual_rms_norm_quantize C6
func.func @dual_scale_of_bare_side(%x: tensor<4x8xbf16>, %w: tensor<8xbf16>, %one: tensor<1xf32>, %q: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{q scale operands, layout and rule need a q key (C6)}}
  %0:3 = mlafuse.dual_rms_norm_quantize ins(%x, %w, %x, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<8xbf16>)
    q_scale(%one : tensor<1xf32>) outs(%x, %q, %s : tensor<4x8xbf16>, tensor<4x8xf8E4M3FN>, tensor<4x1xf32>)
    {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32, kv_key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
    -> tensor<4x8xbf16>, tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// dual_rms_norm_quantize: a side's quantization, with the side's name
func.func @dual_key_needs_scale(%x: tensor<4x8xbf16>, %w: tensor<8xbf16>, %q: tensor<4x8xf8E4M3FN>) {
  // expected-error @below {{kv key needs kv scale(...), as static keys do (Q6)}}
  %0:2 = mlafuse.dual_rms_norm_quantize ins(%x, %w, %x, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<8xbf16>)
    outs(%x, %q : tensor<4x8xbf16>, tensor<4x8xf8E4M3FN>)
    {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32, kv_key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<4x8xbf16>, tensor<4x8xf8E4M3FN>
  return
}
