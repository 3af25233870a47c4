// Every remark, and no other. (fuse-report.mlir counts them.)
// RUN: mlafuse-opt %s --mlafuse-fuse --remarks-filter=mlafuse-fuse --verify-diagnostics --split-input-file

func.func @other_block(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %if: i1)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %r:2 = scf.if %if -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
    // expected-remark@+1 {{[Missed] MLAFUSE-F010 | Category:mlafuse-fuse | Function=other_block | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: they are in different blocks ('mlafuse.rms_norm' at}}
    %c:2 = mlafuse.quantize ins(%n : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
    scf.yield %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  } else {
    scf.yield %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  }
  return %r#0, %r#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// -----

func.func @count_on_the_norm_only(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %n: tensor<1xi32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  // expected-remark@+1 {{MLAFUSE-F011 | Category:mlafuse-fuse | Function=count_on_the_norm_only | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: the quantization also covers rows past the producer's num_actual_tokens}}
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// -----

func.func @two_counts(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %n: tensor<1xi32>, %m: tensor<1xi32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  // expected-remark@+1 {{MLAFUSE-F011 | Category:mlafuse-fuse | Function=two_counts | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: they have different num_actual_tokens}}
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) num_actual_tokens(%m : tensor<1xi32>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// -----

// With the count, the fused norm would leave rows of %v that the caller sees.
func.func @count_on_the_quantization_and_another_user(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %n: tensor<1xi32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  // expected-remark@+1 {{MLAFUSE-F011 | Category:mlafuse-fuse | Function=count_on_the_quantization_and_another_user | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: the producer has no num_actual_tokens and another op reads all of its rows ('func.return' at}}
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1, %v : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>
}

// -----

func.func @whole_tensor_scale(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<1xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  // expected-remark@+1 {{MLAFUSE-F012 | Category:mlafuse-fuse | Function=whole_tensor_scale | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a dynamic per-tensor scale needs all rows before the first code}}
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x256xf8E4M3FN>, tensor<1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<1xf32>
}

// -----

func.func @scale_of_the_norm_itself(%x: tensor<?x256xf32>, %w: tensor<256xbf16>, %y: tensor<?x256xf32>, %q: tensor<?x256xf8E4M3FN>)
    -> tensor<?x256xf8E4M3FN> {
  %c0 = arith.constant 0 : index
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xf32>, tensor<256xbf16>) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xf32>
  %e = tensor.extract %v[%c0, %c0] : tensor<?x256xf32>
  %s = tensor.from_elements %e : tensor<1xf32>
  // expected-remark@+1 {{MLAFUSE-F013 | Category:mlafuse-fuse | Function=scale_of_the_norm_itself | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: one needs a value that is computed from the other's result ('tensor.extract' at}}
  %c = mlafuse.quantize ins(%v : tensor<?x256xf32>) scale(%s : tensor<1xf32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %c : tensor<?x256xf8E4M3FN>
}

// -----

func.func private @look(tensor<?x256xbf16>)
func.func private @scale() -> tensor<1xf32>

// The first call needs the norm, the quantization needs the second call.
func.func @effects_in_between(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>)
    -> tensor<?x256xf8E4M3FN> {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  call @look(%v) : (tensor<?x256xbf16>) -> ()
  %s = call @scale() : () -> tensor<1xf32>
  // expected-remark@+1 {{MLAFUSE-F014 | Category:mlafuse-fuse | Function=effects_in_between | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: an op with side effects uses the first before another makes what the second needs ('func.call' at}}
  %c = mlafuse.quantize ins(%v : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%q : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %c : tensor<?x256xf8E4M3FN>
}

// -----

func.func @f32_between_with_rounding_normalized(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xf32>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xf32>
  // expected-remark@+1 {{MLAFUSE-F016 | Category:mlafuse-fuse | Function=f32_between_with_rounding_normalized | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: an f32 value between goes with rounding = result only}}
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xf32>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// -----

func.func @converted_in_between(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xf32>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x256xf32>
  %h = arith.truncf %v : tensor<?x256xf32> to tensor<?x256xf16>
  // expected-remark@+1 {{MLAFUSE-F016 | Category:mlafuse-fuse | Function=converted_in_between | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: the value between is converted to another type ('arith.truncf' at}}
  %c:2 = mlafuse.quantize ins(%h : tensor<?x256xf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

// -----

// One quantization is fused; which one does not depend on their order.
func.func @consumer_of_another_key(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %q2: tensor<?x256xf8E4M3FN>, %s2: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  // expected-remark@+1 {{MLAFUSE-F017 | Category:mlafuse-fuse | Function=consumer_of_another_key | Remark="'mlafuse.rms_norm_quantize' and 'mlafuse.quantize' not fused: the norm is fused with another quantization ('mlafuse.rms_norm_quantize' at}}
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  // expected-remark@+1 {{[Passed] MLAFUSE-F001}}
  %d:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q2, %s2 : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %c#0, %c#1, %d#0, %d#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

// -----

func.func @sliced_in_between(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x128xf8E4M3FN>, %s: tensor<?x1xf32>, %t: index)
    -> (tensor<?x128xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %h = tensor.extract_slice %v[0, 0] [%t, 128] [1, 1] : tensor<?x256xbf16> to tensor<?x128xbf16>
  // expected-remark@+1 {{MLAFUSE-F018 | Category:mlafuse-fuse | Function=sliced_in_between | Remark="'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: only a slice of the result is quantized ('tensor.extract_slice' at}}
  %c:2 = mlafuse.quantize ins(%h : tensor<?x128xbf16>) outs(%q, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}

// -----

// Two functions: the caller's norm is out of reach.
func.func private @quantizes(%v: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %c:2 = mlafuse.quantize ins(%v : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
func.func @calls_it(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %v = mlafuse.rms_norm ins(%x, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = call @quantizes(%v, %q, %s) : (tensor<?x256xbf16>, tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
