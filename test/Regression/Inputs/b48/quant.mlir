module {
  func.func @static_tensor(%arg0: tensor<?x512xbf16>, %arg1: tensor<1xf32>, %arg2: tensor<1xi32>, %arg3: index, %arg4: tensor<?x512xf8E4M3FN>) -> (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>) {
    %0 = mlafuse.quantize ins(%arg0 : tensor<?x512xbf16>) scale(%arg1 : tensor<1xf32>) num_actual_tokens(%arg2 : tensor<1xi32>) row_offset(%arg3 : index) outs(%arg4 : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
    %1 = mlafuse.dequantize ins(%0 : tensor<?x512xf8E4M3FN>) scale(%arg1 : tensor<1xf32>) outs(%arg0 : tensor<?x512xbf16>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xbf16>
    return %0, %1 : tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>
  }
  func.func @dynamic_tensor(%arg0: tensor<?x512xbf16>, %arg1: tensor<1xf32>, %arg2: tensor<?x512xf8E4M3FN>, %arg3: tensor<1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>) {
    %0:2 = mlafuse.quantize ins(%arg0 : tensor<?x512xbf16>) scale_ub(%arg1 : tensor<1xf32>) outs(%arg2, %arg3 : tensor<?x512xf8E4M3FN>, tensor<1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x512xf8E4M3FN>, tensor<1xf32>
    %1 = mlafuse.dequantize ins(%0#0 : tensor<?x512xf8E4M3FN>) scale(%0#1 : tensor<1xf32>) outs(%arg0 : tensor<?x512xbf16>) {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x512xbf16>
    return %0#0, %1 : tensor<?x512xf8E4M3FN>, tensor<?x512xbf16>
  }
  func.func @dynamic_token(%arg0: tensor<2x3x512xf16>, %arg1: tensor<2x3x512xf8E4M3FN>, %arg2: tensor<6x1xf32>) -> (tensor<2x3x512xf8E4M3FN>, tensor<2x3x512xf16>) {
    %0:2 = mlafuse.quantize ins(%arg0 : tensor<2x3x512xf16>) outs(%arg1, %arg2 : tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<2x3x512xf8E4M3FN>, tensor<6x1xf32>
    %1 = mlafuse.dequantize ins(%0#0 : tensor<2x3x512xf8E4M3FN>) scale(%0#1 : tensor<6x1xf32>) outs(%arg0 : tensor<2x3x512xf16>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<2x3x512xf16>
    return %0#0, %1 : tensor<2x3x512xf8E4M3FN>, tensor<2x3x512xf16>
  }
  func.func @groups(%arg0: tensor<6x640xbf16>, %arg1: tensor<6x640xf8E4M3FN>, %arg2: tensor<6x5xf32>, %arg3: tensor<5x6xf32>, %arg4: tensor<5x8xf32>, %arg5: tensor<2x8xi32>) -> tensor<6x640xbf16> {
    %0:2 = mlafuse.quantize ins(%arg0 : tensor<6x640xbf16>) outs(%arg1, %arg2 : tensor<6x640xf8E4M3FN>, tensor<6x5xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<6x640xf8E4M3FN>, tensor<6x5xf32>
    %1:2 = mlafuse.quantize ins(%arg0 : tensor<6x640xbf16>) outs(%0#0, %arg3 : tensor<6x640xf8E4M3FN>, tensor<5x6xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<6x640xf8E4M3FN>, tensor<5x6xf32>
    %2:2 = mlafuse.quantize ins(%arg0 : tensor<6x640xbf16>) outs(%1#0, %arg4 : tensor<6x640xf8E4M3FN>, tensor<5x8xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<6x640xf8E4M3FN>, tensor<5x8xf32>
    %3:2 = mlafuse.quantize ins(%arg0 : tensor<6x640xbf16>) outs(%2#0, %arg5 : tensor<6x640xf8E4M3FN>, tensor<2x8xi32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<6x640xf8E4M3FN>, tensor<2x8xi32>
    %4 = mlafuse.dequantize ins(%3#0 : tensor<6x640xf8E4M3FN>) scale(%3#1 : tensor<2x8xi32>) outs(%arg0 : tensor<6x640xbf16>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>} -> tensor<6x640xbf16>
    return %4 : tensor<6x640xbf16>
  }
  func.func @nvfp4(%arg0: tensor<3x96xf32>, %arg1: tensor<1xf32>, %arg2: tensor<3x48xi8>, %arg3: tensor<128x8xf8E4M3FN>) -> tensor<3x96xf32> {
    %0:2 = mlafuse.quantize ins(%arg0 : tensor<3x96xf32>) global_scale(%arg1 : tensor<1xf32>) outs(%arg2, %arg3 : tensor<3x48xi8>, tensor<128x8xf8E4M3FN>) {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<3x48xi8>, tensor<128x8xf8E4M3FN>
    %1 = mlafuse.dequantize ins(%0#0 : tensor<3x48xi8>) scale(%0#1 : tensor<128x8xf8E4M3FN>) global_scale(%arg1 : tensor<1xf32>) outs(%arg0 : tensor<3x96xf32>) {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<3x96xf32>
    return %1 : tensor<3x96xf32>
  }
  func.func @mx(%arg0: tensor<3x96xbf16>, %arg1: tensor<3x96xf8E4M3FN>, %arg2: tensor<3x48xi8>, %arg3: tensor<3x3xf8E8M0FNU>) -> (tensor<3x96xf8E4M3FN>, tensor<3x48xi8>) {
    %0:2 = mlafuse.quantize ins(%arg0 : tensor<3x96xbf16>) outs(%arg1, %arg3 : tensor<3x96xf8E4M3FN>, tensor<3x3xf8E8M0FNU>) {key = #mlafuse.quant_key<mxfp8_dynamic>} -> tensor<3x96xf8E4M3FN>, tensor<3x3xf8E8M0FNU>
    %1:2 = mlafuse.quantize ins(%arg0 : tensor<3x96xbf16>) outs(%arg2, %0#1 : tensor<3x48xi8>, tensor<3x3xf8E8M0FNU>) {key = #mlafuse.quant_key<mxfp4_dynamic>} -> tensor<3x48xi8>, tensor<3x3xf8E8M0FNU>
    return %0#0, %1#0 : tensor<3x96xf8E4M3FN>, tensor<3x48xi8>
  }
  func.func @weights(%arg0: tensor<2x200x300xf8E4M3FN>, %arg1: tensor<1x300xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x200x300xbf16>) -> (tensor<2x200x300xbf16>, tensor<2x200x300xbf16>) {
    %0 = mlafuse.dequantize ins(%arg0 : tensor<2x200x300xf8E4M3FN>) scale(%arg1 : tensor<1x300xf32>) outs(%arg3 : tensor<2x200x300xbf16>) {key = #mlafuse.quant_key<fp8_static_channel_sym>} -> tensor<2x200x300xbf16>
    %1 = mlafuse.dequantize ins(%arg0 : tensor<2x200x300xf8E4M3FN>) scale(%arg2 : tensor<2x3xf32>) outs(%0 : tensor<2x200x300xbf16>) {key = #mlafuse.quant_key<fp8_static_128_block_sym>} -> tensor<2x200x300xbf16>
    return %0, %1 : tensor<2x200x300xbf16>, tensor<2x200x300xbf16>
  }
  func.func @rope(%arg0: tensor<?x8x64xbf16>, %arg1: tensor<?xi64>, %arg2: tensor<4096x64xf32>, %arg3: tensor<1xi32>) -> tensor<?x8x64xbf16> {
    %0 = mlafuse.rope ins(%arg0, %arg1, %arg2 : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>) num_actual_tokens(%arg3 : tensor<1xi32>) outs(%arg0 : tensor<?x8x64xbf16>) {style = #mlafuse.rope_style<neox>} -> tensor<?x8x64xbf16>
    %1 = mlafuse.rope ins(%0, %arg1, %arg2 : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>) outs(%0 : tensor<?x8x64xbf16>) {style = #mlafuse.rope_style<interleaved>} -> tensor<?x8x64xbf16>
    return %1 : tensor<?x8x64xbf16>
  }
  func.func @cache_update(%arg0: tensor<?x512xbf16>, %arg1: tensor<?x64xbf16>, %arg2: tensor<?x0xbf16>, %arg3: tensor<?xi64>, %arg4: tensor<1xf32>, %arg5: tensor<1xi32>, %arg6: tensor<?x64x576xbf16>, %arg7: tensor<?x64x576xf8E4M3FN>, %arg8: tensor<?x64x656xi8>, %arg9: tensor<?x64x512xbf16>) -> (tensor<?x64x576xbf16>, tensor<?x64x576xf8E4M3FN>, tensor<?x64x656xi8>, tensor<?x64x512xbf16>) {
    %0 = mlafuse.mla_cache_update ins(%arg0, %arg1, %arg3 : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%arg6 : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
    %1 = mlafuse.mla_cache_update ins(%arg0, %arg1, %arg3 : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) k_scale(%arg4 : tensor<1xf32>) num_actual_tokens(%arg5 : tensor<1xi32>) outs(%arg7 : tensor<?x64x576xf8E4M3FN>) {cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x64x576xf8E4M3FN>
    %2 = mlafuse.mla_cache_update ins(%arg0, %arg1, %arg3 : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%arg8 : tensor<?x64x656xi8>) {cache_format = #mlafuse.cache_format<fp8_ds_mla>, scale_rule = #mlafuse.scale_rule<floor = 1.000000e-04 on scale, rounding = ue8m0>} -> tensor<?x64x656xi8>
    %3 = mlafuse.mla_cache_update ins(%arg0, %arg2, %arg3 : tensor<?x512xbf16>, tensor<?x0xbf16>, tensor<?xi64>) outs(%arg9 : tensor<?x64x512xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x512xbf16>
    return %0, %1, %2, %3 : tensor<?x64x576xbf16>, tensor<?x64x576xf8E4M3FN>, tensor<?x64x656xi8>, tensor<?x64x512xbf16>
  }
  func.func @on_memrefs(%arg0: memref<?x512xbf16>, %arg1: memref<?x512xf8E4M3FN>, %arg2: memref<?x1xf32>, %arg3: memref<?x8x64xbf16>, %arg4: memref<?xi64>, %arg5: memref<4096x64xf32>, %arg6: memref<?x64xbf16>, %arg7: memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) {
    mlafuse.quantize ins(%arg0 : memref<?x512xbf16>) outs(%arg1, %arg2 : memref<?x512xf8E4M3FN>, memref<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
    mlafuse.dequantize ins(%arg1 : memref<?x512xf8E4M3FN>) scale(%arg2 : memref<?x1xf32>) outs(%arg0 : memref<?x512xbf16>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
    mlafuse.rope ins(%arg3, %arg4, %arg5 : memref<?x8x64xbf16>, memref<?xi64>, memref<4096x64xf32>) outs(%arg3 : memref<?x8x64xbf16>) {style = #mlafuse.rope_style<neox>}
    mlafuse.mla_cache_update ins(%arg0, %arg6, %arg4 : memref<?x512xbf16>, memref<?x64xbf16>, memref<?xi64>) outs(%arg7 : memref<?x64x576xbf16, strided<[73728, 1152, 1]>>) {cache_format = #mlafuse.cache_format<bf16>}
    return
  }
}

