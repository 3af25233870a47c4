"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<1xf32>, tensor<1xi32>, index, tensor<?x512xf8E4M3FN>) -> (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>), sym_name = "static_tensor"}> ({
  ^bb0(%arg47: tensor<?x512xbf16>, %arg48: tensor<1xf32>, %arg49: tensor<1xi32>, %arg50: index, %arg51: tensor<?x512xf8E4M3FN>):
    %21 = "mlafuse.quantize"(%arg47, %arg48, %arg49, %arg50, %arg51) <{key = #mlafuse.quant_key<fp8_static_tensor_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 1, 1>}> : (tensor<?x512xbf16>, tensor<1xf32>, tensor<1xi32>, index, tensor<?x512xf8E4M3FN>) -> tensor<?x512xf8E4M3FN>
    %22 = "mlafuse.dequantize"(%21, %arg48, %arg47) <{key = #mlafuse.quant_key<fp8_static_tensor_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<?x512xf8E4M3FN>, tensor<1xf32>, tensor<?x512xbf16>) -> tensor<?x512xbf16>
    "func.return"(%21, %22) : (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<1xf32>, tensor<?x512xf8E4M3FN>, tensor<1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>), sym_name = "dynamic_tensor"}> ({
  ^bb0(%arg43: tensor<?x512xbf16>, %arg44: tensor<1xf32>, %arg45: tensor<?x512xf8E4M3FN>, %arg46: tensor<1xf32>):
    %19:2 = "mlafuse.quantize"(%arg43, %arg44, %arg45, %arg46) <{key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0, 2>}> : (tensor<?x512xbf16>, tensor<1xf32>, tensor<?x512xf8E4M3FN>, tensor<1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<1xf32>)
    %20 = "mlafuse.dequantize"(%19#0, %19#1, %arg43) <{key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<?x512xf8E4M3FN>, tensor<1xf32>, tensor<?x512xbf16>) -> tensor<?x512xbf16>
    "func.return"(%19#0, %20) : (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x512xf16>, tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>) -> (tensor<2x3x512xf8E4M3FN>, tensor<2x3x512xf16>), sym_name = "dynamic_token"}> ({
  ^bb0(%arg40: tensor<2x3x512xf16>, %arg41: tensor<2x3x512xf8E4M3FN>, %arg42: tensor<6x1xf32>):
    %17:2 = "mlafuse.quantize"(%arg40, %arg41, %arg42) <{key = #mlafuse.quant_key<fp8_dynamic_token_sym>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>}> : (tensor<2x3x512xf16>, tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>) -> (tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>)
    %18 = "mlafuse.dequantize"(%17#0, %17#1, %arg40) <{key = #mlafuse.quant_key<fp8_dynamic_token_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>, tensor<2x3x512xf16>) -> tensor<2x3x512xf16>
    "func.return"(%17#0, %18) : (tensor<2x3x512xf8E4M3FN>, tensor<2x3x512xf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6x640xbf16>, tensor<6x640xf8E4M3FN>, tensor<6x5xf32>, tensor<5x6xf32>, tensor<5x8xf32>, tensor<2x8xi32>) -> tensor<6x640xbf16>, sym_name = "groups"}> ({
  ^bb0(%arg34: tensor<6x640xbf16>, %arg35: tensor<6x640xf8E4M3FN>, %arg36: tensor<6x5xf32>, %arg37: tensor<5x6xf32>, %arg38: tensor<5x8xf32>, %arg39: tensor<2x8xi32>):
    %12:2 = "mlafuse.quantize"(%arg34, %arg35, %arg36) <{key = #mlafuse.quant_key<fp8_dynamic_128_sym>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>}> : (tensor<6x640xbf16>, tensor<6x640xf8E4M3FN>, tensor<6x5xf32>) -> (tensor<6x640xf8E4M3FN>, tensor<6x5xf32>)
    %13:2 = "mlafuse.quantize"(%arg34, %12#0, %arg37) <{key = #mlafuse.quant_key<fp8_dynamic_128_sym>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>, scale_layout = #mlafuse.scale_layout<column_major>}> : (tensor<6x640xbf16>, tensor<6x640xf8E4M3FN>, tensor<5x6xf32>) -> (tensor<6x640xf8E4M3FN>, tensor<5x6xf32>)
    %14:2 = "mlafuse.quantize"(%arg34, %13#0, %arg38) <{key = #mlafuse.quant_key<fp8_dynamic_128_sym>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>, scale_layout = #mlafuse.scale_layout<tma_aligned>}> : (tensor<6x640xbf16>, tensor<6x640xf8E4M3FN>, tensor<5x8xf32>) -> (tensor<6x640xf8E4M3FN>, tensor<5x8xf32>)
    %15:2 = "mlafuse.quantize"(%arg34, %14#0, %arg39) <{key = #mlafuse.quant_key<fp8_dynamic_128_sym>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>}> : (tensor<6x640xbf16>, tensor<6x640xf8E4M3FN>, tensor<2x8xi32>) -> (tensor<6x640xf8E4M3FN>, tensor<2x8xi32>)
    %16 = "mlafuse.dequantize"(%15#0, %15#1, %arg34) <{key = #mlafuse.quant_key<fp8_dynamic_128_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 1>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>}> : (tensor<6x640xf8E4M3FN>, tensor<2x8xi32>, tensor<6x640xbf16>) -> tensor<6x640xbf16>
    "func.return"(%16) : (tensor<6x640xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x96xf32>, tensor<1xf32>, tensor<3x48xi8>, tensor<128x8xf8E4M3FN>) -> tensor<3x96xf32>, sym_name = "nvfp4"}> ({
  ^bb0(%arg30: tensor<3x96xf32>, %arg31: tensor<1xf32>, %arg32: tensor<3x48xi8>, %arg33: tensor<128x8xf8E4M3FN>):
    %10:2 = "mlafuse.quantize"(%arg30, %arg31, %arg32, %arg33) <{key = #mlafuse.quant_key<nvfp4_dynamic>, operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 2>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>}> : (tensor<3x96xf32>, tensor<1xf32>, tensor<3x48xi8>, tensor<128x8xf8E4M3FN>) -> (tensor<3x48xi8>, tensor<128x8xf8E4M3FN>)
    %11 = "mlafuse.dequantize"(%10#0, %10#1, %arg31, %arg30) <{key = #mlafuse.quant_key<nvfp4_dynamic>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>}> : (tensor<3x48xi8>, tensor<128x8xf8E4M3FN>, tensor<1xf32>, tensor<3x96xf32>) -> tensor<3x96xf32>
    "func.return"(%11) : (tensor<3x96xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x96xbf16>, tensor<3x96xf8E4M3FN>, tensor<3x48xi8>, tensor<3x3xf8E8M0FNU>) -> (tensor<3x96xf8E4M3FN>, tensor<3x48xi8>), sym_name = "mx"}> ({
  ^bb0(%arg26: tensor<3x96xbf16>, %arg27: tensor<3x96xf8E4M3FN>, %arg28: tensor<3x48xi8>, %arg29: tensor<3x3xf8E8M0FNU>):
    %8:2 = "mlafuse.quantize"(%arg26, %arg27, %arg29) <{key = #mlafuse.quant_key<mxfp8_dynamic>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>}> : (tensor<3x96xbf16>, tensor<3x96xf8E4M3FN>, tensor<3x3xf8E8M0FNU>) -> (tensor<3x96xf8E4M3FN>, tensor<3x3xf8E8M0FNU>)
    %9:2 = "mlafuse.quantize"(%arg26, %arg28, %8#1) <{key = #mlafuse.quant_key<mxfp4_dynamic>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>}> : (tensor<3x96xbf16>, tensor<3x48xi8>, tensor<3x3xf8E8M0FNU>) -> (tensor<3x48xi8>, tensor<3x3xf8E8M0FNU>)
    "func.return"(%8#0, %9#0) : (tensor<3x96xf8E4M3FN>, tensor<3x48xi8>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x200x300xf8E4M3FN>, tensor<1x300xf32>, tensor<2x3xf32>, tensor<2x200x300xbf16>) -> (tensor<2x200x300xbf16>, tensor<2x200x300xbf16>), sym_name = "weights"}> ({
  ^bb0(%arg22: tensor<2x200x300xf8E4M3FN>, %arg23: tensor<1x300xf32>, %arg24: tensor<2x3xf32>, %arg25: tensor<2x200x300xbf16>):
    %6 = "mlafuse.dequantize"(%arg22, %arg23, %arg25) <{key = #mlafuse.quant_key<fp8_static_channel_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<2x200x300xf8E4M3FN>, tensor<1x300xf32>, tensor<2x200x300xbf16>) -> tensor<2x200x300xbf16>
    %7 = "mlafuse.dequantize"(%arg22, %arg24, %6) <{key = #mlafuse.quant_key<fp8_static_128_block_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<2x200x300xf8E4M3FN>, tensor<2x3xf32>, tensor<2x200x300xbf16>) -> tensor<2x200x300xbf16>
    "func.return"(%6, %7) : (tensor<2x200x300xbf16>, tensor<2x200x300xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>, tensor<1xi32>) -> tensor<?x8x64xbf16>, sym_name = "rope"}> ({
  ^bb0(%arg18: tensor<?x8x64xbf16>, %arg19: tensor<?xi64>, %arg20: tensor<4096x64xf32>, %arg21: tensor<1xi32>):
    %4 = "mlafuse.rope"(%arg18, %arg19, %arg20, %arg21, %arg18) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, style = #mlafuse.rope_style<neox>}> : (tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>, tensor<1xi32>, tensor<?x8x64xbf16>) -> tensor<?x8x64xbf16>
    %5 = "mlafuse.rope"(%4, %arg19, %arg20, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, style = #mlafuse.rope_style<interleaved>}> : (tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>, tensor<?x8x64xbf16>) -> tensor<?x8x64xbf16>
    "func.return"(%5) : (tensor<?x8x64xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?x0xbf16>, tensor<?xi64>, tensor<1xf32>, tensor<1xi32>, tensor<?x64x576xbf16>, tensor<?x64x576xf8E4M3FN>, tensor<?x64x656xi8>, tensor<?x64x512xbf16>) -> (tensor<?x64x576xbf16>, tensor<?x64x576xf8E4M3FN>, tensor<?x64x656xi8>, tensor<?x64x512xbf16>), sym_name = "cache_update"}> ({
  ^bb0(%arg8: tensor<?x512xbf16>, %arg9: tensor<?x64xbf16>, %arg10: tensor<?x0xbf16>, %arg11: tensor<?xi64>, %arg12: tensor<1xf32>, %arg13: tensor<1xi32>, %arg14: tensor<?x64x576xbf16>, %arg15: tensor<?x64x576xf8E4M3FN>, %arg16: tensor<?x64x656xi8>, %arg17: tensor<?x64x512xbf16>):
    %0 = "mlafuse.mla_cache_update"(%arg8, %arg9, %arg11, %arg14) <{cache_format = #mlafuse.cache_format<bf16>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}> : (tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>, tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16>
    %1 = "mlafuse.mla_cache_update"(%arg8, %arg9, %arg11, %arg12, %arg13, %arg15) <{cache_format = #mlafuse.cache_format<fp8>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>}> : (tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>, tensor<1xf32>, tensor<1xi32>, tensor<?x64x576xf8E4M3FN>) -> tensor<?x64x576xf8E4M3FN>
    %2 = "mlafuse.mla_cache_update"(%arg8, %arg9, %arg11, %arg16) <{cache_format = #mlafuse.cache_format<fp8_ds_mla>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, scale_rule = #mlafuse.scale_rule<floor = 1.000000e-04 on scale, rounding = ue8m0>}> : (tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>, tensor<?x64x656xi8>) -> tensor<?x64x656xi8>
    %3 = "mlafuse.mla_cache_update"(%arg8, %arg10, %arg11, %arg17) <{cache_format = #mlafuse.cache_format<bf16>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}> : (tensor<?x512xbf16>, tensor<?x0xbf16>, tensor<?xi64>, tensor<?x64x512xbf16>) -> tensor<?x64x512xbf16>
    "func.return"(%0, %1, %2, %3) : (tensor<?x64x576xbf16>, tensor<?x64x576xf8E4M3FN>, tensor<?x64x656xi8>, tensor<?x64x512xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x512xbf16>, memref<?x512xf8E4M3FN>, memref<?x1xf32>, memref<?x8x64xbf16>, memref<?xi64>, memref<4096x64xf32>, memref<?x64xbf16>, memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) -> (), sym_name = "on_memrefs"}> ({
  ^bb0(%arg0: memref<?x512xbf16>, %arg1: memref<?x512xf8E4M3FN>, %arg2: memref<?x1xf32>, %arg3: memref<?x8x64xbf16>, %arg4: memref<?xi64>, %arg5: memref<4096x64xf32>, %arg6: memref<?x64xbf16>, %arg7: memref<?x64x576xbf16, strided<[73728, 1152, 1]>>):
    "mlafuse.quantize"(%arg0, %arg1, %arg2) <{key = #mlafuse.quant_key<fp8_dynamic_token_sym>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 2>}> : (memref<?x512xbf16>, memref<?x512xf8E4M3FN>, memref<?x1xf32>) -> ()
    "mlafuse.dequantize"(%arg1, %arg2, %arg0) <{key = #mlafuse.quant_key<fp8_dynamic_token_sym>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (memref<?x512xf8E4M3FN>, memref<?x1xf32>, memref<?x512xbf16>) -> ()
    "mlafuse.rope"(%arg3, %arg4, %arg5, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, style = #mlafuse.rope_style<neox>}> : (memref<?x8x64xbf16>, memref<?xi64>, memref<4096x64xf32>, memref<?x8x64xbf16>) -> ()
    "mlafuse.mla_cache_update"(%arg0, %arg6, %arg4, %arg7) <{cache_format = #mlafuse.cache_format<bf16>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}> : (memref<?x512xbf16>, memref<?x64xbf16>, memref<?xi64>, memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

