module {
  func.func @rms_norm(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<1xi32>) -> (tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf32>) {
    %0 = mlafuse.rms_norm ins(%arg0 : tensor<?x512xbf16>) outs(%arg0 : tensor<?x512xbf16>) {epsilon = 9.99999997E-7 : f32} -> tensor<?x512xbf16>
    %1 = mlafuse.rms_norm ins(%0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>) num_actual_tokens(%arg2 : tensor<1xi32>) outs(%0 : tensor<?x512xbf16>) {epsilon = 0.000000e+00 : f32, rounding = #mlafuse.rounding<result>, weight_offset} -> tensor<?x512xbf16>
    %cst = arith.constant dense<0.000000e+00> : tensor<2x512xf32>
    %cast = tensor.cast %cst : tensor<2x512xf32> to tensor<?x512xf32>
    %2 = mlafuse.rms_norm ins(%1, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>) outs(%cast : tensor<?x512xf32>) {epsilon = 1.000000e+00 : f32} -> tensor<?x512xf32>
    return %0, %1, %2 : tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf32>
  }
  func.func @any_rank(%arg0: tensor<8xf16>, %arg1: tensor<2x?x3x8xf32>, %arg2: tensor<8xf32>) -> (tensor<8xf16>, tensor<2x?x3x8xf32>) {
    %0 = mlafuse.rms_norm ins(%arg0, %arg2 : tensor<8xf16>, tensor<8xf32>) outs(%arg0 : tensor<8xf16>) {epsilon = 9.99999997E-7 : f32} -> tensor<8xf16>
    %1 = mlafuse.rms_norm ins(%arg1, %arg2 : tensor<2x?x3x8xf32>, tensor<8xf32>) outs(%arg1 : tensor<2x?x3x8xf32>) {epsilon = 9.99999997E-7 : f32} -> tensor<2x?x3x8xf32>
    return %0, %1 : tensor<8xf16>, tensor<2x?x3x8xf32>
  }
  func.func @add_rms_norm(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<?x512xbf16>, %arg3: tensor<1xi32>) -> (tensor<?x512xbf16>, tensor<?x512xbf16>) {
    %0:2 = mlafuse.add_rms_norm ins(%arg0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>) residual(%arg2 : tensor<?x512xbf16>) num_actual_tokens(%arg3 : tensor<1xi32>) outs(%arg0, %arg2 : tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 9.99999997E-7 : f32} -> tensor<?x512xbf16>, tensor<?x512xbf16>
    return %0#0, %0#1 : tensor<?x512xbf16>, tensor<?x512xbf16>
  }
  func.func @rms_norm_quantize(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<?x512xbf16>, %arg3: tensor<1xf32>, %arg4: tensor<1xi32>, %arg5: index, %arg6: tensor<?x512xf8E4M3FN>, %arg7: tensor<?x1xf32>, %arg8: tensor<?x512xbf16>, %arg9: tensor<?x512xbf16>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>) {
    %0:4 = mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>) residual(%arg2 : tensor<?x512xbf16>) scale_ub(%arg3 : tensor<1xf32>) num_actual_tokens(%arg4 : tensor<1xi32>) row_offset(%arg5 : index) outs(%arg6, %arg7, %arg8, %arg9 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, numerics = #mlafuse.numerics<contracted>, rounding = #mlafuse.rounding<result>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>
    %1 = mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>) scale(%arg3 : tensor<1xf32>) outs(%arg6 : tensor<?x512xf8E4M3FN>) {epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
    return %0#0, %0#1, %0#2, %0#3, %1 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>
  }
  func.func @rms_norm_nvfp4(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<1xf32>, %arg3: tensor<?x256xi8>, %arg4: tensor<?x32xf8E4M3FN>) -> (tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) {
    %0:2 = mlafuse.rms_norm_quantize ins(%arg0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>) global_scale(%arg2 : tensor<1xf32>) outs(%arg3, %arg4 : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) {epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
    return %0#0, %0#1 : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
  }
  func.func @dual_rms_norm(%arg0: tensor<?x1536xbf16>, %arg1: tensor<1536xbf16>, %arg2: tensor<?x512xbf16>, %arg3: tensor<512xbf16>, %arg4: tensor<1xi32>) -> (tensor<?x1536xbf16>, tensor<?x512xbf16>) {
    %0:2 = mlafuse.dual_rms_norm ins(%arg0, %arg1, %arg2, %arg3 : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>) num_actual_tokens(%arg4 : tensor<1xi32>) outs(%arg0, %arg2 : tensor<?x1536xbf16>, tensor<?x512xbf16>) {kv_epsilon = 9.99999974E-6 : f32, q_epsilon = 9.99999997E-7 : f32} -> tensor<?x1536xbf16>, tensor<?x512xbf16>
    return %0#0, %0#1 : tensor<?x1536xbf16>, tensor<?x512xbf16>
  }
  func.func @dual_both(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<1xf32>, %arg3: tensor<1xf32>, %arg4: tensor<1xi32>, %arg5: tensor<?x512xf8E4M3FN>, %arg6: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
    %0:5 = mlafuse.dual_rms_norm_quantize ins(%arg0, %arg1, %arg0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<512xbf16>) q_scale(%arg2 : tensor<1xf32>) kv_scale_ub(%arg3 : tensor<1xf32>) num_actual_tokens(%arg4 : tensor<1xi32>) outs(%arg5, %arg0, %arg5, %arg6, %arg0 : tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {kv_epsilon = 9.99999997E-7 : f32, kv_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, q_epsilon = 9.99999997E-7 : f32, q_key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
    return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  }
  func.func @dual_kv(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>, %arg2: tensor<1xf32>, %arg3: tensor<?x256xi8>, %arg4: tensor<?x32xf8E4M3FN>) -> (tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) {
    %0:3 = mlafuse.dual_rms_norm_quantize ins(%arg0, %arg1, %arg0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<512xbf16>) kv_global_scale(%arg2 : tensor<1xf32>) outs(%arg0, %arg3, %arg4 : tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) {kv_epsilon = 9.99999997E-7 : f32, kv_key = #mlafuse.quant_key<nvfp4_dynamic>, kv_scale_layout = #mlafuse.scale_layout<swizzled_128x4>, q_epsilon = 9.99999997E-7 : f32} -> tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
    return %0#0, %0#1, %0#2 : tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
  }
  func.func @on_memrefs(%arg0: memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, %arg1: memref<512xbf16>, %arg2: memref<?x512xbf16>, %arg3: memref<?x512xf8E4M3FN>, %arg4: memref<4x?xf32>, %arg5: memref<?x512xbf16, strided<[?, ?], offset: ?>>) {
    mlafuse.rms_norm ins(%arg0, %arg1 : memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, memref<512xbf16>) outs(%arg2 : memref<?x512xbf16>) {epsilon = 9.99999997E-7 : f32}
    mlafuse.rms_norm ins(%arg5, %arg1 : memref<?x512xbf16, strided<[?, ?], offset: ?>>, memref<512xbf16>) outs(%arg5 : memref<?x512xbf16, strided<[?, ?], offset: ?>>) {epsilon = 9.99999997E-7 : f32}
    mlafuse.add_rms_norm ins(%arg2, %arg1 : memref<?x512xbf16>, memref<512xbf16>) residual(%arg2 : memref<?x512xbf16>) outs(%arg2, %arg2 : memref<?x512xbf16>, memref<?x512xbf16>) {epsilon = 9.99999997E-7 : f32}
    mlafuse.rms_norm_quantize ins(%arg2, %arg1 : memref<?x512xbf16>, memref<512xbf16>) outs(%arg3, %arg4 : memref<?x512xf8E4M3FN>, memref<4x?xf32>) {epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>}
    mlafuse.dual_rms_norm ins(%arg2, %arg1, %arg2, %arg1 : memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<512xbf16>) outs(%arg2, %arg2 : memref<?x512xbf16>, memref<?x512xbf16>) {kv_epsilon = 9.99999997E-7 : f32, q_epsilon = 9.99999997E-7 : f32}
    mlafuse.dual_rms_norm_quantize ins(%arg2, %arg1, %arg2, %arg1 : memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<512xbf16>) outs(%arg3, %arg4, %arg2 : memref<?x512xf8E4M3FN>, memref<4x?xf32>, memref<?x512xbf16>) {kv_epsilon = 9.99999997E-7 : f32, q_epsilon = 9.99999997E-7 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_128_sym>, q_scale_layout = #mlafuse.scale_layout<tma_aligned>}
    return
  }
  func.func @pair(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>) -> (tensor<?x512xbf16>, tensor<512xbf16>) {
    %q_out, %kv_out = mlafuse.pair %arg0, %arg1 : tensor<?x512xbf16>, tensor<512xbf16>
    return %q_out, %kv_out : tensor<?x512xbf16>, tensor<512xbf16>
  }
}

