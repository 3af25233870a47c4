// Every remark, and no other. (fuse-report.mlir counts them.)
// RUN: mlafuse-opt %s --mlafuse-fuse --remarks-filter=mlafuse-fuse --verify-diagnostics --split-input-file

// The fused op would not write %o, which the caller reads.
func.func @second_user(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x512xbf16>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F015 | Category:mlafuse-fuse | Function=second_user | Remark="'mlafuse.mla_decode' and 'mlafuse.quantize' not fused: another op reads the unquantized output ('func.return' at}}
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q8, %s, %o : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x512xbf16>
}

// -----

func.func @two_quantizations(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x4xf32>, %t8o: tensor<?x512xf8E4M3FN>, %sc: tensor<1xf32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x512xf8E4M3FN>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F015 | Category:mlafuse-fuse | Function=two_quantizations | Remark="'mlafuse.mla_decode' and 'mlafuse.quantize' not fused: another op reads the unquantized output ('mlafuse.quantize' at}}
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  // expected-remark@+1 {{[Missed] MLAFUSE-F015 | Category:mlafuse-fuse | Function=two_quantizations | Remark="'mlafuse.mla_decode' and 'mlafuse.quantize' not fused: another op reads the unquantized output ('mlafuse.quantize' at}}
  %t8 = mlafuse.quantize ins(%o : tensor<?x512xbf16>) scale(%sc : tensor<1xf32>) outs(%t8o : tensor<?x512xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %q8, %s, %t8 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x512xf8E4M3FN>
}

// -----

func.func @lse_past_the_count(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x4xf32>, %lo: tensor<?x1x4xf32>, %n: tensor<1xi32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x1x4xf32>) {
  %o, %lse = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo, %lo : tensor<?x512xbf16>, tensor<?x1x4xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>, tensor<?x1x4xf32>
  // expected-remark@+1 {{[Missed] MLAFUSE-F011 | Category:mlafuse-fuse | Function=lse_past_the_count | Remark="'mlafuse.mla_decode' and 'mlafuse.quantize' not fused: the producer has no num_actual_tokens and another op reads all of its rows ('func.return' at}}
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q8, %s, %lse : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>, tensor<?x1x4xf32>
}

// -----

func.func @row_range_of_a_whole_buffer(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x4xf32>, %row: index)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) row_offset(%row : index) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F020 | Category:mlafuse-fuse | Function=row_range_of_a_whole_buffer | Remark="'mlafuse.mla_decode' and 'mlafuse.quantize' not fused: the producer writes a row range of the buffer that is quantized whole ('mlafuse.mla_decode' at}}
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %so : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q8, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}

// -----

func.func @whole_tensor_scale(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x4xf32>, %s1: tensor<1xf32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<1xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F012 | Category:mlafuse-fuse | Function=whole_tensor_scale | Remark="'mlafuse.mla_decode' and 'mlafuse.quantize' not fused: a dynamic per-tensor scale needs all rows before the first code ('mlafuse.quantize' at}}
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x512xbf16>) outs(%q8o, %s1 : tensor<?x512xf8E4M3FN>, tensor<1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x512xf8E4M3FN>, tensor<1xf32>
  return %q8, %s : tensor<?x512xf8E4M3FN>, tensor<1xf32>
}

// -----

func.func @per_head_destination(%x: tensor<?x1x4x512xbf16>, %w: tensor<4x512x128xbf16>, %o4: tensor<?x1x4x128xbf16>, %q8o: tensor<?x1x4x128xf8E4M3FN>, %so: tensor<?x1xf32>)
    -> (tensor<?x1x4x128xf8E4M3FN>, tensor<?x1xf32>) {
  %o = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x512xbf16>, tensor<4x512x128xbf16>) outs(%o4 : tensor<?x1x4x128xbf16>) -> tensor<?x1x4x128xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F019 | Category:mlafuse-fuse | Function=per_head_destination | Remark="'mlafuse.head_projection' and 'mlafuse.quantize' not fused: its destination is per head, not rows of H*V ('mlafuse.head_projection' at}}
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x1x4x128xbf16>) outs(%q8o, %so : tensor<?x1x4x128xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1x4x128xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x1x4x128xf8E4M3FN>, tensor<?x1xf32>
}

// -----

func.func @reshaped_in_between(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %oo: tensor<?x512xbf16>, %q8o: tensor<?x512xf8E4M3FN>, %so: tensor<?x4xf32>, %q4o: tensor<?x4x128xf8E4M3FN>, %s4o: tensor<?x1xf32>, %t: index)
    -> (tensor<?x4x128xf8E4M3FN>, tensor<?x1xf32>) {
  %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x512xbf16>
  %h = tensor.expand_shape %o [[0], [1, 2]] output_shape [%t, 4, 128] : tensor<?x512xbf16> into tensor<?x4x128xbf16>
  // expected-remark@+1 {{[Missed] MLAFUSE-F018 | Category:mlafuse-fuse | Function=reshaped_in_between | Remark="'mlafuse.mla_decode' and 'mlafuse.quantize' not fused: a reshape between does not keep the rows ('tensor.expand_shape' at}}
  %q8, %s = mlafuse.quantize ins(%h : tensor<?x4x128xbf16>) outs(%q4o, %s4o : tensor<?x4x128xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x4x128xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x4x128xf8E4M3FN>, tensor<?x1xf32>
}
