// Every remark, and no other. (fuse-report.mlir counts them.)
// RUN: mlafuse-opt %s --mlafuse-fuse --remarks-filter=mlafuse-fuse --verify-diagnostics --split-input-file

func.func @siblings_in_different_blocks(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %if: i1)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %kv = scf.if %if -> tensor<?x256xbf16> {
    // expected-remark@+1 {{[Missed] MLAFUSE-F010 | Category:mlafuse-fuse | Function=siblings_in_different_blocks | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: they are in different blocks ('mlafuse.rms_norm' at}}
    %n = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
    scf.yield %n : tensor<?x256xbf16>
  } else {
    scf.yield %ko : tensor<?x256xbf16>
  }
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// -----

func.func @count_on_one_side_only(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %n: tensor<1xi32>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F011 | Category:mlafuse-fuse | Function=count_on_one_side_only | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: the siblings do not have the same num_actual_tokens ('mlafuse.rms_norm' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// -----

func.func @static_scale_depends_on_the_kv_norm(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F013 | Category:mlafuse-fuse | Function=static_scale_depends_on_the_kv_norm | Remark="'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' not fused: one needs a value that is computed from the other's result ('tensor.extract' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %e = tensor.extract %kv[%c0, %c0] : tensor<?x256xbf16>
  %f = arith.extf %e : bf16 to f32
  %s = tensor.from_elements %f : tensor<1xf32>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Passed] MLAFUSE-F001}}
  %q8 = mlafuse.quantize ins(%q : tensor<?x512xbf16>) scale(%s : tensor<1xf32>) outs(%q8o : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %q8, %kv : tensor<?x512xf8E4M3FN>, tensor<?x256xbf16>
}

// -----

func.func private @look(tensor<?x512xbf16>)
func.func private @weight() -> tensor<256xbf16>

func.func @effects_between_siblings(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  call @look(%q) : (tensor<?x512xbf16>) -> ()
  %w = call @weight() : () -> tensor<256xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F014 | Category:mlafuse-fuse | Function=effects_between_siblings | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: an op with side effects uses the first before another makes what the second needs ('func.call' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %w : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// -----

func.func @quantized_into_a_row_range(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x1xf32>, %row: index)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Passed] MLAFUSE-F001}}
  %q8, %s = mlafuse.quantize ins(%q : tensor<?x512xbf16>) row_offset(%row : index) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  // expected-remark@+1 {{[Missed] MLAFUSE-F020 | Category:mlafuse-fuse | Function=quantized_into_a_row_range | Remark="'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' not fused: a sibling quantizes into a row range of a whole buffer ('mlafuse.rms_norm_quantize' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q8, %s, %kv : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xbf16>
}

// -----

func.func @no_weight(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c : tensor<?x512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F030 | Category:mlafuse-fuse | Function=no_weight | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a sibling has no weight ('mlafuse.rms_norm' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// -----

func.func @residual(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %r: tensor<?x512xbf16>, %ro: tensor<?x512xbf16>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q, %h = mlafuse.add_rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) residual(%r : tensor<?x512xbf16>) outs(%qo, %ro : tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>, tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F031 | Category:mlafuse-fuse | Function=residual | Remark="'mlafuse.add_rms_norm' and 'mlafuse.rms_norm' not fused: a sibling adds a residual ('mlafuse.add_rms_norm' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv, %h : tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x512xbf16>
}

// -----

func.func @other_rounding(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F032 | Category:mlafuse-fuse | Function=other_rounding | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: the siblings differ in rounding ('mlafuse.rms_norm' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// -----

func.func @other_weight_offset(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32, weight_offset} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F032 | Category:mlafuse-fuse | Function=other_weight_offset | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: one sibling adds 1 to its weight, the other does not ('mlafuse.rms_norm' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// -----

func.func @exact_and_contracted(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xf32>, %ko: tensor<?x256xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %k8o: tensor<?x256xf8E4M3FN>, %s: tensor<1xf32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x256xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x512xf32>
  // expected-remark@+1 {{[Passed] MLAFUSE-F001}}
  %q8 = mlafuse.quantize ins(%q : tensor<?x512xf32>) scale(%s : tensor<1xf32>) outs(%q8o : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  // expected-remark@+2 {{[Missed] MLAFUSE-F033 | Category:mlafuse-fuse | Function=exact_and_contracted | Remark="'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm_quantize' not fused: one sibling is exact, the other contracted ('mlafuse.rms_norm_quantize' at}}
  // expected-remark@+2 {{[Passed] MLAFUSE-F001}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x256xbf16>
  %k8 = mlafuse.quantize ins(%kv : tensor<?x256xbf16>) scale(%s : tensor<1xf32>) outs(%k8o : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  return %q8, %k8 : tensor<?x512xf8E4M3FN>, tensor<?x256xf8E4M3FN>
}

// -----

// By column, not by text: the first two are the pair.
func.func @third_sibling(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %iw: tensor<64xbf16>, %io: tensor<?x64xbf16>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x64xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %i_c = tensor.extract_slice %p[0, 768] [%t, 64] [1, 1] : tensor<?x832xbf16> to tensor<?x64xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F035 | Category:mlafuse-fuse | Function=third_sibling | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a sibling is paired with another norm ('mlafuse.dual_rms_norm' at}}
  %i = mlafuse.rms_norm ins(%i_c, %iw : tensor<?x64xbf16>, tensor<64xbf16>) outs(%io : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Passed] MLAFUSE-F002}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv, %i : tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x64xbf16>
}

// -----

// Either could be the q side.
func.func @same_columns_twice(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %qo2: tensor<?x512xbf16>)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q2 = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo2 : tensor<?x512xbf16>) {epsilon = 1.0e-5 : f32} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F034 | Category:mlafuse-fuse | Function=same_columns_twice | Remark="'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: several norms read the same columns ('mlafuse.rms_norm' at}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv, %q2 : tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x512xbf16>
}

// -----

// Other rows of the projection: not siblings, so no candidate and no remark.
func.func @other_rows(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %h: index)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>) {
  %q_c = tensor.extract_slice %p[0, 0] [%h, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[%h, 512] [%h, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  return %q, %kv : tensor<?x512xbf16>, tensor<?x256xbf16>
}

// -----

// A norm of the same columns in another block does not compete.
func.func @same_columns_in_a_region(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %ko2: tensor<?x256xbf16>, %if: i1)
    -> (tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Passed] MLAFUSE-F002}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %r = scf.if %if -> tensor<?x256xbf16> {
    // expected-remark@+1 {{[Missed] MLAFUSE-F035}}
    %kv2 = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko2 : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
    scf.yield %kv2 : tensor<?x256xbf16>
  } else {
    scf.yield %ko2 : tensor<?x256xbf16>
  }
  return %q, %kv, %r : tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>
}
