// RUN: mlafuse-opt %s --mlafuse-describe | FileCheck %s

// CHECK-LABEL: func.func @cache
// CHECK-SAME: distinct, layout = "contiguous", name = "arg2", range = [0.000000e+00, {product = ["pages", 64]}], shape = ["T"], type = i64
// CHECK-SAME: name = "arg5", range = [0.000000e+00, "pages"], shape = ["B", "table"], type = i32
// CHECK-SAME: name = "arg6", range = [2, {sum = [{product = ["table", 64]}, 1]}], shape = ["B"], type = i32
func.func @cache(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>,
    %q: tensor<?x2x16x576xbf16>, %bt: tensor<?x?xi32>, %lens: tensor<?xi32>, %o: tensor<?x2x16x512xbf16>) -> (tensor<?x2x16x512xbf16>, tensor<?x64x576xbf16>) {
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
  %1 = mlafuse.latent_attention ins(%q, %0 : tensor<?x2x16x576xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x2x16x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2x16x512xbf16>
  return %1, %0 : tensor<?x2x16x512xbf16>, tensor<?x64x576xbf16>
}

// The position part of the queries goes with them.
// CHECK-LABEL: func.func @queries_in_two_parts
// CHECK-SAME: name = "arg0", shape = ["B", "S", 16, 512], type = bf16
// CHECK-SAME: name = "arg1", shape = ["B", "S", 16, 64], type = bf16
// CHECK-SAME: name = "arg3", range = [0.000000e+00, {product = ["pages", 64]}], shape = ["B", "S", "topk"], type = i32
// CHECK-SAME: name = "arg4", range = [0.000000e+00, {sum = [{product = ["B", "S"]}, 1]}], shape = [1], type = i32
func.func @queries_in_two_parts(%q: tensor<?x?x16x512xbf16>, %qp: tensor<?x?x16x64xbf16>, %cache: tensor<?x64x576xbf16>, %i: tensor<?x?x?xi32>, %n: tensor<1xi32>, %o: tensor<?x?x16x512xbf16>) -> tensor<?x?x16x512xbf16> {
  %0 = mlafuse.latent_attention ins(%q, %cache : tensor<?x?x16x512xbf16>, tensor<?x64x576xbf16>) q_pe(%qp : tensor<?x?x16x64xbf16>) indices(%i : tensor<?x?x?xi32>) num_actual_tokens(%n : tensor<1xi32>) outs(%o : tensor<?x?x16x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x?x16x512xbf16>
  return %0 : tensor<?x?x16x512xbf16>
}

// CHECK-LABEL: func.func @rope
// CHECK-SAME: name = "arg1", range = [0.000000e+00, "P"], shape = ["T"], type = i64
// CHECK-SAME: name = "arg2", range = [-1.000000e+00, 1.000000e+00], shape = ["P", 64]
func.func @rope(%x: tensor<?x8x64xbf16>, %pos: tensor<?xi64>, %cs: tensor<?x64xbf16>, %o: tensor<?x8x64xbf16>) -> tensor<?x8x64xbf16> {
  %0 = mlafuse.rope ins(%x, %pos, %cs : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<?x64xbf16>) outs(%o : tensor<?x8x64xbf16>) {style = #mlafuse.rope_style<interleaved>} -> tensor<?x8x64xbf16>
  return %0 : tensor<?x8x64xbf16>
}

// A scale, also through a cast, is positive; a weight may be anything.
// CHECK-LABEL: func.func @scales
// CHECK-SAME: name = "arg1", shape = [512]
// CHECK-SAME: name = "arg2", range = [5.000000e-01, 2.000000e+00], shape = [1]
func.func @scales(%x: tensor<?x512xbf16>, %w: tensor<512xbf16>, %s: tensor<?xf32>, %q: tensor<?x512xf8E4M3FN>) -> tensor<?x512xf8E4M3FN> {
  %c = tensor.cast %s : tensor<?xf32> to tensor<1xf32>
  %0 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) scale(%c : tensor<1xf32>) outs(%q : tensor<?x512xf8E4M3FN>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x512xf8E4M3FN>
  return %0 : tensor<?x512xf8E4M3FN>
}

// CHECK-LABEL: func.func @count
// CHECK-SAME: name = "arg1", range = [0.000000e+00, {sum = ["T", 1]}], shape = [1], type = i32
func.func @count(%x: tensor<?x512xbf16>, %n: tensor<1xi32>, %o: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%o : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %0 : tensor<?x512xbf16>
}

// A count of a known number of rows, that number included.
// CHECK-LABEL: func.func @count_of_known
// CHECK-SAME: name = "arg1", range = [0.000000e+00, 9], shape = [1], type = i32
func.func @count_of_known(%x: tensor<8x512xbf16>, %n: tensor<1xi32>, %o: tensor<8x512xbf16>) -> tensor<8x512xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<8x512xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%o : tensor<8x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<8x512xbf16>
  return %0 : tensor<8x512xbf16>
}
