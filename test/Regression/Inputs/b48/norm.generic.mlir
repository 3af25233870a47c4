"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xi32>) -> (tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf32>), sym_name = "rms_norm"}> ({
  ^bb0(%arg47: tensor<?x512xbf16>, %arg48: tensor<512xbf16>, %arg49: tensor<1xi32>):
    %10 = "mlafuse.rms_norm"(%arg47, %arg47) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1>, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x512xbf16>, tensor<?x512xbf16>) -> tensor<?x512xbf16>
    %11 = "mlafuse.rms_norm"(%10, %arg48, %arg49, %10) <{epsilon = 0.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, rounding = #mlafuse.rounding<result>, weight_offset}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xi32>, tensor<?x512xbf16>) -> tensor<?x512xbf16>
    %12 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<2x512xf32>}> : () -> tensor<2x512xf32>
    %13 = "tensor.cast"(%12) : (tensor<2x512xf32>) -> tensor<?x512xf32>
    %14 = "mlafuse.rms_norm"(%11, %arg48, %13) <{epsilon = 1.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xf32>) -> tensor<?x512xf32>
    "func.return"(%10, %11, %14) : (tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8xf16>, tensor<2x?x3x8xf32>, tensor<8xf32>) -> (tensor<8xf16>, tensor<2x?x3x8xf32>), sym_name = "any_rank"}> ({
  ^bb0(%arg44: tensor<8xf16>, %arg45: tensor<2x?x3x8xf32>, %arg46: tensor<8xf32>):
    %8 = "mlafuse.rms_norm"(%arg44, %arg46, %arg44) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>, rounding = #mlafuse.rounding<normalized>}> : (tensor<8xf16>, tensor<8xf32>, tensor<8xf16>) -> tensor<8xf16>
    %9 = "mlafuse.rms_norm"(%arg45, %arg46, %arg45) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>, rounding = #mlafuse.rounding<normalized>}> : (tensor<2x?x3x8xf32>, tensor<8xf32>, tensor<2x?x3x8xf32>) -> tensor<2x?x3x8xf32>
    "func.return"(%8, %9) : (tensor<8xf16>, tensor<2x?x3x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<1xi32>) -> (tensor<?x512xbf16>, tensor<?x512xbf16>), sym_name = "add_rms_norm"}> ({
  ^bb0(%arg40: tensor<?x512xbf16>, %arg41: tensor<512xbf16>, %arg42: tensor<?x512xbf16>, %arg43: tensor<1xi32>):
    %7:2 = "mlafuse.add_rms_norm"(%arg40, %arg41, %arg42, %arg43, %arg40, %arg42) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 2>, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<1xi32>, tensor<?x512xbf16>, tensor<?x512xbf16>) -> (tensor<?x512xbf16>, tensor<?x512xbf16>)
    "func.return"(%7#0, %7#1) : (tensor<?x512xbf16>, tensor<?x512xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<1xf32>, tensor<1xi32>, index, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>), sym_name = "rms_norm_quantize"}> ({
  ^bb0(%arg30: tensor<?x512xbf16>, %arg31: tensor<512xbf16>, %arg32: tensor<?x512xbf16>, %arg33: tensor<1xf32>, %arg34: tensor<1xi32>, %arg35: index, %arg36: tensor<?x512xf8E4M3FN>, %arg37: tensor<?x1xf32>, %arg38: tensor<?x512xbf16>, %arg39: tensor<?x512xbf16>):
    %5:4 = "mlafuse.rms_norm_quantize"(%arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %arg39) <{epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, numerics = #mlafuse.numerics<contracted>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 1, 1, 4>, rounding = #mlafuse.rounding<result>, scale_layout = #mlafuse.scale_layout<row_major>}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<1xf32>, tensor<1xi32>, index, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>)
    %6 = "mlafuse.rms_norm_quantize"(%arg30, %arg31, %arg33, %arg36) <{epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<fp8_static_tensor_sym>, numerics = #mlafuse.numerics<exact>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 0, 1>, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xf32>, tensor<?x512xf8E4M3FN>) -> tensor<?x512xf8E4M3FN>
    "func.return"(%5#0, %5#1, %5#2, %5#3, %6) : (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xf32>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) -> (tensor<?x256xi8>, tensor<?x32xf8E4M3FN>), sym_name = "rms_norm_nvfp4"}> ({
  ^bb0(%arg25: tensor<?x512xbf16>, %arg26: tensor<512xbf16>, %arg27: tensor<1xf32>, %arg28: tensor<?x256xi8>, %arg29: tensor<?x32xf8E4M3FN>):
    %4:2 = "mlafuse.rms_norm_quantize"(%arg25, %arg26, %arg27, %arg28, %arg29) <{epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<nvfp4_dynamic>, numerics = #mlafuse.numerics<exact>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 2>, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xf32>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) -> (tensor<?x256xi8>, tensor<?x32xf8E4M3FN>)
    "func.return"(%4#0, %4#1) : (tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xi32>) -> (tensor<?x1536xbf16>, tensor<?x512xbf16>), sym_name = "dual_rms_norm"}> ({
  ^bb0(%arg20: tensor<?x1536xbf16>, %arg21: tensor<1536xbf16>, %arg22: tensor<?x512xbf16>, %arg23: tensor<512xbf16>, %arg24: tensor<1xi32>):
    %3:2 = "mlafuse.dual_rms_norm"(%arg20, %arg21, %arg22, %arg23, %arg24, %arg20, %arg22) <{kv_epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 2>, q_epsilon = 9.99999997E-7 : f32, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xi32>, tensor<?x1536xbf16>, tensor<?x512xbf16>) -> (tensor<?x1536xbf16>, tensor<?x512xbf16>)
    "func.return"(%3#0, %3#1) : (tensor<?x1536xbf16>, tensor<?x512xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xf32>, tensor<1xf32>, tensor<1xi32>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>), sym_name = "dual_both"}> ({
  ^bb0(%arg13: tensor<?x512xbf16>, %arg14: tensor<512xbf16>, %arg15: tensor<1xf32>, %arg16: tensor<1xf32>, %arg17: tensor<1xi32>, %arg18: tensor<?x512xf8E4M3FN>, %arg19: tensor<?x1xf32>):
    %2:5 = "mlafuse.dual_rms_norm_quantize"(%arg13, %arg14, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg13, %arg18, %arg19, %arg13) <{kv_epsilon = 9.99999997E-7 : f32, kv_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, numerics = #mlafuse.numerics<exact>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 5>, q_epsilon = 9.99999997E-7 : f32, q_key = #mlafuse.quant_key<fp8_static_tensor_sym>, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xf32>, tensor<1xf32>, tensor<1xi32>, tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) -> (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
    "func.return"(%2#0, %2#1, %2#2, %2#3, %2#4) : (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>, tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xf32>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) -> (tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>), sym_name = "dual_kv"}> ({
  ^bb0(%arg8: tensor<?x512xbf16>, %arg9: tensor<512xbf16>, %arg10: tensor<1xf32>, %arg11: tensor<?x256xi8>, %arg12: tensor<?x32xf8E4M3FN>):
    %1:3 = "mlafuse.dual_rms_norm_quantize"(%arg8, %arg9, %arg8, %arg9, %arg10, %arg8, %arg11, %arg12) <{kv_epsilon = 9.99999997E-7 : f32, kv_key = #mlafuse.quant_key<nvfp4_dynamic>, kv_scale_layout = #mlafuse.scale_layout<swizzled_128x4>, numerics = #mlafuse.numerics<exact>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 3>, q_epsilon = 9.99999997E-7 : f32, rounding = #mlafuse.rounding<normalized>}> : (tensor<?x512xbf16>, tensor<512xbf16>, tensor<?x512xbf16>, tensor<512xbf16>, tensor<1xf32>, tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) -> (tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>)
    "func.return"(%1#0, %1#1, %1#2) : (tensor<?x512xbf16>, tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, memref<512xbf16>, memref<?x512xbf16>, memref<?x512xf8E4M3FN>, memref<4x?xf32>, memref<?x512xbf16, strided<[?, ?], offset: ?>>) -> (), sym_name = "on_memrefs"}> ({
  ^bb0(%arg2: memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, %arg3: memref<512xbf16>, %arg4: memref<?x512xbf16>, %arg5: memref<?x512xf8E4M3FN>, %arg6: memref<4x?xf32>, %arg7: memref<?x512xbf16, strided<[?, ?], offset: ?>>):
    "mlafuse.rms_norm"(%arg2, %arg3, %arg4) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>, rounding = #mlafuse.rounding<normalized>}> : (memref<?x512xbf16, strided<[2112, 1], offset: 1536>>, memref<512xbf16>, memref<?x512xbf16>) -> ()
    "mlafuse.rms_norm"(%arg7, %arg3, %arg7) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>, rounding = #mlafuse.rounding<normalized>}> : (memref<?x512xbf16, strided<[?, ?], offset: ?>>, memref<512xbf16>, memref<?x512xbf16, strided<[?, ?], offset: ?>>) -> ()
    "mlafuse.add_rms_norm"(%arg4, %arg3, %arg4, %arg4, %arg4) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 2>, rounding = #mlafuse.rounding<normalized>}> : (memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<?x512xbf16>, memref<?x512xbf16>) -> ()
    "mlafuse.rms_norm_quantize"(%arg4, %arg3, %arg5, %arg6) <{epsilon = 9.99999997E-7 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<exact>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 2>, rounding = #mlafuse.rounding<normalized>, scale_layout = #mlafuse.scale_layout<tma_aligned>}> : (memref<?x512xbf16>, memref<512xbf16>, memref<?x512xf8E4M3FN>, memref<4x?xf32>) -> ()
    "mlafuse.dual_rms_norm"(%arg4, %arg3, %arg4, %arg3, %arg4, %arg4) <{kv_epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 2>, q_epsilon = 9.99999997E-7 : f32, rounding = #mlafuse.rounding<normalized>}> : (memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<?x512xbf16>) -> ()
    "mlafuse.dual_rms_norm_quantize"(%arg4, %arg3, %arg4, %arg3, %arg5, %arg6, %arg4) <{kv_epsilon = 9.99999997E-7 : f32, numerics = #mlafuse.numerics<exact>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3>, q_epsilon = 9.99999997E-7 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_128_sym>, q_scale_layout = #mlafuse.scale_layout<tma_aligned>, rounding = #mlafuse.rounding<normalized>}> : (memref<?x512xbf16>, memref<512xbf16>, memref<?x512xbf16>, memref<512xbf16>, memref<?x512xf8E4M3FN>, memref<4x?xf32>, memref<?x512xbf16>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<512xbf16>) -> (tensor<?x512xbf16>, tensor<512xbf16>), sym_name = "pair"}> ({
  ^bb0(%arg0: tensor<?x512xbf16>, %arg1: tensor<512xbf16>):
    %0:2 = "mlafuse.pair"(%arg0, %arg1) : (tensor<?x512xbf16>, tensor<512xbf16>) -> (tensor<?x512xbf16>, tensor<512xbf16>)
    "func.return"(%0#0, %0#1) : (tensor<?x512xbf16>, tensor<512xbf16>) -> ()
  }) : () -> ()
}) : () -> ()

