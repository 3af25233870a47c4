// Constraints that all ops share: S1 to S5, and malformed generic forms.
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// S1
func.func @strided_columns(%x: memref<4x8xbf16, strided<[16, 2]>>, %y: memref<4x8xbf16>) {
  // expected-error @below {{the innermost stride of every memref must be 1, got 'memref<4x8xbf16, strided<[16, 2]>>' (S1)}}
  mlafuse.rms_norm ins(%x : memref<4x8xbf16, strided<[16, 2]>>) outs(%y : memref<4x8xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// S1
func.func @strided_destination(%x: memref<4x8xbf16>, %y: memref<4x8xbf16, strided<[1, 4]>>) {
  // expected-error @below {{the innermost stride of every memref must be 1, got 'memref<4x8xbf16, strided<[1, 4]>>' (S1)}}
  mlafuse.rms_norm ins(%x : memref<4x8xbf16>) outs(%y : memref<4x8xbf16, strided<[1, 4]>>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// S1
func.func @tensors_and_memrefs(%x: tensor<4x8xbf16>, %y: memref<4x8xbf16>) {
  // expected-error @below {{operands must be all tensors or all memrefs (S1)}}
  mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%y : memref<4x8xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// S1: not strided at all.
func.func @no_strides(%x: memref<4x8xbf16, affine_map<(i, j) -> (i mod 2, j)>>, %y: memref<4x8xbf16>) {
  // expected-error @below {{operand #0 must be ranked tensor or strided memref}}
  "mlafuse.rms_norm"(%x, %y) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1>}>
    : (memref<4x8xbf16, affine_map<(i, j) -> (i mod 2, j)>>, memref<4x8xbf16>) -> ()
  return
}

// -----

func.func @unranked_memref(%x: memref<*xbf16>, %y: memref<4x8xbf16>) {
  // expected-error @below {{operand #0 must be ranked tensor or strided memref}}
  "mlafuse.rms_norm"(%x, %y) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (memref<*xbf16>, memref<4x8xbf16>) -> ()
  return
}

// -----

func.func @unranked_tensor(%x: tensor<*xbf16>, %y: tensor<4x8xbf16>) {
  // expected-error @below {{operand #0 must be ranked tensor or strided memref}}
  %0 = "mlafuse.rms_norm"(%x, %y) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<*xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// -----

// S2
func.func @no_destination(%x: tensor<4x8xbf16>) {
  // expected-error @below {{takes destinations y, got 0 (S2)}}
  "mlafuse.rms_norm"(%x) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<4x8xbf16>) -> ()
  return
}

// -----

// S2
func.func @two_destinations(%x: tensor<4x8xbf16>) {
  // expected-error @below {{takes destinations y, got 2 (S2)}}
  %0:2 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x, %x : tensor<4x8xbf16>, tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>, tensor<4x8xbf16>
  return
}

// -----

// S2: a dynamic key needs a destination for its scales.
func.func @no_scale_destination(%x: tensor<4x8xbf16>, %q: tensor<4x8xf8E4M3FN>) {
  // expected-error @below {{takes destinations codes, scale, got 1 (S2)}}
  %0 = mlafuse.quantize ins(%x : tensor<4x8xbf16>) outs(%q : tensor<4x8xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x8xf8E4M3FN>
  return
}

// -----

// S2
func.func @dual_destinations(%x: tensor<4x8xbf16>, %w: tensor<8xbf16>, %q: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{takes destinations q codes, q scale, [q unquantized], kv, got 2 (S2)}}
  %0:2 = mlafuse.dual_rms_norm_quantize ins(%x, %w, %x, %w : tensor<4x8xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<8xbf16>)
    outs(%q, %s : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>) {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32,
    q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// S2
func.func @result_without_destination(%x: memref<4x8xbf16>) {
  // expected-error @below {{'mlafuse.rms_norm' op}}
  %0 = "mlafuse.rms_norm"(%x, %x) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (memref<4x8xbf16>, memref<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// -----

// S2
func.func @result_of_other_type(%x: tensor<4x8xbf16>) {
  // expected-error @below {{must have one result per tensor destination, of its type (S2)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xf32>
  return
}

// -----

// S3
func.func @dynamic_row(%x: tensor<4x?xbf16>) {
  // expected-error @below {{input needs a static innermost dimension that is not zero, got 'tensor<4x?xbf16>' (S3)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x?xbf16>) outs(%x : tensor<4x?xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x?xbf16>
  return
}

// -----

// S3
func.func @empty_row(%x: tensor<4x0xbf16>) {
  // expected-error @below {{input needs a static innermost dimension that is not zero, got 'tensor<4x0xbf16>' (S3)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x0xbf16>) outs(%x : tensor<4x0xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x0xbf16>
  return
}

// -----

// S3
func.func @no_row(%x: tensor<bf16>) {
  // expected-error @below {{input needs a static innermost dimension that is not zero, got 'tensor<bf16>' (S3)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<bf16>) outs(%x : tensor<bf16>) {epsilon = 1.0e-6 : f32} -> tensor<bf16>
  return
}

// -----

// S3
func.func @empty_output_row(%x: tensor<4x1x2x8xbf16>, %w: tensor<2x8x0xbf16>, %q: tensor<4x0xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{output needs rows that are not empty (S3)}}
  %0:2 = mlafuse.head_projection ins(%x, %w : tensor<4x1x2x8xbf16>, tensor<2x8x0xbf16>) outs(%q, %s : tensor<4x0xf8E4M3FN>, tensor<4x1xf32>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x0xf8E4M3FN>, tensor<4x1xf32>
  return
}

// -----

// S4
func.func @count_of_i64(%x: tensor<4x8xbf16>, %n: tensor<1xi64>) {
  // expected-error @below {{num_actual_tokens must be 1 x i32, got 'tensor<1xi64>' (S4)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) num_actual_tokens(%n : tensor<1xi64>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// S4
func.func @two_counts(%x: tensor<4x8xbf16>, %n: tensor<2xi32>) {
  // expected-error @below {{num_actual_tokens must be 1 x i32, got 'tensor<2xi32>' (S4)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) num_actual_tokens(%n : tensor<2xi32>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// S4
func.func @count_of_rank_0(%x: tensor<4x8xbf16>, %n: tensor<i32>) {
  // expected-error @below {{num_actual_tokens must be 1 x i32, got 'tensor<i32>' (S4)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) num_actual_tokens(%n : tensor<i32>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// S5
func.func @other_shape(%x: tensor<4x8xbf16>, %y: tensor<5x8xbf16>) {
  // expected-error @below {{result must have shape [4, 8], got 'tensor<5x8xbf16>' (S5)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%y : tensor<5x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<5x8xbf16>
  return
}

// -----

// S5
func.func @too_large(%x: tensor<4294967296x4294967296xbf16>) {
  // expected-error @below {{operands have at most 2^40 elements, got 'tensor<4294967296x4294967296xbf16>' (S5)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4294967296x4294967296xbf16>) outs(%x : tensor<4294967296x4294967296xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4294967296x4294967296xbf16>
  return
}

// -----

func.func @segments_too_few(%x: tensor<4x8xbf16>) {
  // expected-error @below {{size mismatch in attribute conversion: 3 vs 4}}
  %0 = "mlafuse.rms_norm"(%x, %x) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// -----

func.func @segments_past_the_operands(%x: tensor<4x8xbf16>) {
  // expected-error @below {{operand count (2) does not match with the total size (6) specified in attribute 'operandSegmentSizes'}}
  %0 = "mlafuse.rms_norm"(%x, %x) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 5>}> : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// -----

func.func @negative_segment(%x: tensor<4x8xbf16>) {
  // expected-error @below {{'operandSegmentSizes' attribute cannot have negative elements}}
  %0 = "mlafuse.rms_norm"(%x, %x) <{epsilon = 1.0e-6 : f32, operandSegmentSizes = array<i32: 1, -1, 0, 2>}> : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// -----

func.func @no_epsilon(%x: tensor<4x8xbf16>) {
  // expected-error @below {{requires attribute 'epsilon'}}
  %0 = "mlafuse.rms_norm"(%x, %x) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}
