// Sizes that ops of attention require equal, also through lse.
// RUN: mlafuse-opt %s --mlafuse-describe | FileCheck %s

// CHECK-LABEL: func.func @prefill
// CHECK-SAME: name = "arg0", shape = ["Tq", 2, 192], type = bf16
// CHECK-SAME: name = "arg1", shape = ["Tk", 2, 128], type = bf16
// CHECK-SAME: name = "arg2", shape = ["Tk", 2, 128], type = bf16
// CHECK-SAME: name = "arg3", offsets = "Tq", shape = ["sequences_plus_1"], type = i32
// CHECK-SAME: name = "arg4", offsets = "Tk", shape = ["sequences_plus_1"], type = i32
// CHECK-SAME: name = "arg5", shape = ["Tk", 64], type = bf16
// CHECK-SAME: name = "arg6", shape = ["Tq", 256], type = f8E4M3FN
// CHECK-SAME: name = "arg7", shape = [2, {align = ["Tq", 4]}], type = f32
// CHECK-SAME: name = "arg8", shape = ["Tq", 2], type = f32
func.func @prefill(%q: tensor<?x2x192xbf16>, %k: tensor<?x2x128xbf16>, %v: tensor<?x2x128xbf16>, %cq: tensor<?xi32>, %ck: tensor<?xi32>,
    %pe: tensor<?x64xbf16>, %o: tensor<?x256xf8E4M3FN>, %s: tensor<2x?xf32>, %lse: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<2x?xf32>, tensor<?x2xf32>) {
  %0:3 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x192xbf16>, tensor<?x2x128xbf16>, tensor<?x2x128xbf16>, tensor<?xi32>, tensor<?xi32>)
      k_pe(%pe : tensor<?x64xbf16>) outs(%o, %s, %lse : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>}
      -> tensor<?x256xf8E4M3FN>, tensor<2x?xf32>, tensor<?x2xf32>
  return %0#0, %0#1, %0#2 : tensor<?x256xf8E4M3FN>, tensor<2x?xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @merge
// CHECK-SAME: name = "arg0", shape = ["T", 4, 128], type = bf16
// CHECK-SAME: name = "arg1", shape = ["T", 4], type = f32
// CHECK-SAME: name = "arg2", shape = ["T", 4, 128], type = bf16
// CHECK-SAME: name = "arg3", shape = ["T", 4], type = f32
// CHECK-SAME: name = "arg4", shape = ["T", 512], type = bf16
// CHECK-SAME: name = "arg5", shape = ["T", 4], type = f32
func.func @merge(%a: tensor<?x4x128xbf16>, %la: tensor<?x4xf32>, %b: tensor<?x4x128xbf16>, %lb: tensor<?x4xf32>,
    %o: tensor<?x512xbf16>, %lse: tensor<?x4xf32>) -> (tensor<?x512xbf16>, tensor<?x4xf32>) {
  %0:2 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x4x128xbf16>, tensor<?x4xf32>, tensor<?x4x128xbf16>, tensor<?x4xf32>)
      outs(%o, %lse : tensor<?x512xbf16>, tensor<?x4xf32>) -> tensor<?x512xbf16>, tensor<?x4xf32>
  return %0#0, %0#1 : tensor<?x512xbf16>, tensor<?x4xf32>
}

// The rows of both parts are those of the whole.
// CHECK-LABEL: func.func @batch
// CHECK-SAME: name = "arg0", shape = ["B", 1, 2, 16], type = bf16
// CHECK-SAME: name = "arg1", shape = ["B", 1, 2, 16], type = bf16
// CHECK-SAME: name = "arg4", shape = ["pages", 16, 80], type = bf16
// CHECK-SAME: name = "arg5", shape = ["Tq", 2, 24], type = bf16
// CHECK-SAME: name = "arg6", shape = ["Tk", 2, 24], type = bf16
// CHECK-SAME: name = "arg7", shape = ["Tk", 2, 64], type = bf16
// CHECK-SAME: name = "arg8", offsets = "Tq", shape = ["sequences_plus_1"], type = i32
// CHECK-SAME: name = "arg9", offsets = "Tk", shape = ["sequences_plus_1"], type = i32
// CHECK-SAME: name = "arg10", range = [0.000000e+00, "pages"], shape = ["B", "table"], type = i32
// CHECK-SAME: name = "arg11", range = [1, {sum = [{product = ["table", 16]}, 1]}], shape = ["B"], type = i32
// CHECK-SAME: name = "arg12", shape = [{sum = ["B", "Tq"]}, 128], type = f8E4M3FN
// CHECK-SAME: name = "arg13", shape = [1, {align = [{sum = ["B", "Tq"]}, 4]}], type = f32
// CHECK-SAME: name = "arg14", range = [0.000000e+00, {sum = [{sum = ["B", "Tq"]}, 1]}], shape = [1], type = i32
func.func @batch(%qn: tensor<?x1x2x16xbf16>, %qp: tensor<?x1x2x16xbf16>, %wk: tensor<2x16x64xbf16>, %wv: tensor<2x64x64xbf16>, %cache: tensor<?x16x80xbf16>,
    %q: tensor<?x2x24xbf16>, %k: tensor<?x2x24xbf16>, %v: tensor<?x2x64xbf16>, %cq: tensor<?xi32>, %ck: tensor<?xi32>,
    %table: tensor<?x?xi32>, %lens: tensor<?xi32>, %o: tensor<?x128xf8E4M3FN>, %s: tensor<1x?xf32>, %n: tensor<1xi32>)
    -> (tensor<?x128xf8E4M3FN>, tensor<1x?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %qn, %c0 : tensor<?x1x2x16xbf16>
  %0:2 = mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %cache, %q, %k, %v, %cq, %ck : tensor<?x1x2x16xbf16>, tensor<?x1x2x16xbf16>, tensor<2x16x64xbf16>, tensor<2x64x64xbf16>, tensor<?x16x80xbf16>, tensor<?x2x24xbf16>, tensor<?x2x24xbf16>, tensor<?x2x64xbf16>, tensor<?xi32>, tensor<?xi32>)
      decode_rows(%rows : index) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) num_actual_tokens(%n : tensor<1xi32>)
      outs(%o, %s : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>}
      -> tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
  return %0#0, %0#1 : tensor<?x128xf8E4M3FN>, tensor<1x?xf32>
}

// A count of rows of B * S.
// CHECK-LABEL: func.func @count_of_queries
// CHECK-SAME: name = "arg3", range = [0.000000e+00, {sum = [{product = ["B", 2]}, 1]}], shape = [1], type = i32
func.func @count_of_queries(%x: tensor<?x2x2x16xbf16>, %w: tensor<2x16x64xbf16>, %o: tensor<?x128xbf16>, %n: tensor<1xi32>) -> tensor<?x128xbf16> {
  %0 = mlafuse.head_projection ins(%x, %w : tensor<?x2x2x16xbf16>, tensor<2x16x64xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%o : tensor<?x128xbf16>) -> tensor<?x128xbf16>
  return %0 : tensor<?x128xbf16>
}

// CHECK-LABEL: func.func @count_of_rows
// CHECK-SAME: name = "arg2", range = [0.000000e+00, {sum = [{product = ["B", "N"]}, 1]}], shape = [1], type = i32
func.func @count_of_rows(%x: tensor<?x?x64xbf16>, %y: tensor<?x?x64xbf16>, %n: tensor<1xi32>) -> tensor<?x?x64xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x?x64xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%y : tensor<?x?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x?x64xbf16>
  return %0 : tensor<?x?x64xbf16>
}
