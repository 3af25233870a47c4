// RUN: mlafuse-opt %s --mlafuse-describe | FileCheck %s

// Sizes that ops require equal have one symbol, also through a destination.
// CHECK-LABEL: func.func @norms
// CHECK-SAME: arguments = [{{{.*}}name = "arg0", shape = ["T", 2112]
// CHECK-SAME: name = "arg1", shape = ["T", 1536], type = bf16
// CHECK-SAME: name = "arg2", shape = ["T", 1536], type = f8E4M3FN
// CHECK-SAME: name = "arg3", shape = ["T", 1], type = f32
// CHECK-SAME: results = [{name = "result0", shape = ["T", 1536]}, {name = "result1", shape = ["T", 1]}]
func.func @norms(%p: tensor<?x2112xbf16>, %tmp: tensor<?x1536xbf16>, %q8: tensor<?x1536xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %n = mlafuse.rms_norm ins(%q : tensor<?x1536xbf16>) outs(%tmp : tensor<?x1536xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %0:2 = mlafuse.quantize ins(%n : tensor<?x1536xbf16>) outs(%q8, %s : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  return %0#0, %0#1 : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @aligned_scales
// CHECK-SAME: name = "arg1", shape = ["T", 512]
// CHECK-SAME: name = "arg2", shape = [4, {align = ["T", 4]}]
func.func @aligned_scales(%x: tensor<?x512xbf16>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<4x?xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<4x?xf32>) {
  %0:2 = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %0#0, %0#1 : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

// CHECK-LABEL: func.func @column_major_scales
// CHECK-SAME: name = "arg2", shape = [4, {product = ["B", "N"]}]
func.func @column_major_scales(%x: tensor<?x?x512xbf16>, %q: tensor<?x?x512xf8E4M3FN>, %s: tensor<4x?xf32>) -> (tensor<?x?x512xf8E4M3FN>, tensor<4x?xf32>) {
  %0:2 = mlafuse.quantize ins(%x : tensor<?x?x512xbf16>) outs(%q, %s : tensor<?x?x512xf8E4M3FN>, tensor<4x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x?x512xf8E4M3FN>, tensor<4x?xf32>
  return %0#0, %0#1 : tensor<?x?x512xf8E4M3FN>, tensor<4x?xf32>
}

// CHECK-LABEL: func.func @swizzled_scales
// CHECK-SAME: name = "arg2", shape = [{align = ["T", 128]}, 4]
func.func @swizzled_scales(%x: tensor<?x128xbf16>, %q: tensor<?x128xf8E4M3FN>, %s: tensor<?x4xf8E8M0FNU>) -> (tensor<?x128xf8E4M3FN>, tensor<?x4xf8E8M0FNU>) {
  %0:2 = mlafuse.quantize ins(%x : tensor<?x128xbf16>) outs(%q, %s : tensor<?x128xf8E4M3FN>, tensor<?x4xf8E8M0FNU>) {key = #mlafuse.quant_key<mxfp8_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x128xf8E4M3FN>, tensor<?x4xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x128xf8E4M3FN>, tensor<?x4xf8E8M0FNU>
}

// Rows are B*S; with one query per request they are B.
// CHECK-LABEL: func.func @batch_rows
// CHECK-SAME: name = "arg0", shape = ["B", "S", 16, 512]
// CHECK-SAME: name = "arg2", shape = [{product = ["B", "S"]}, 2048]
func.func @batch_rows(%x: tensor<?x?x16x512xbf16>, %w: tensor<16x512x128xbf16>, %o: tensor<?x2048xbf16>) -> tensor<?x2048xbf16> {
  %0 = mlafuse.head_projection ins(%x, %w : tensor<?x?x16x512xbf16>, tensor<16x512x128xbf16>) outs(%o : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  return %0 : tensor<?x2048xbf16>
}

// CHECK-LABEL: func.func @one_query
// CHECK-SAME: name = "arg2", shape = ["B", 2048]
func.func @one_query(%x: tensor<?x1x16x512xbf16>, %w: tensor<16x512x128xbf16>, %o: tensor<?x2048xbf16>) -> tensor<?x2048xbf16> {
  %0 = mlafuse.head_projection ins(%x, %w : tensor<?x1x16x512xbf16>, tensor<16x512x128xbf16>) outs(%o : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  return %0 : tensor<?x2048xbf16>
}

// A size that only an expression would tell is a symbol of its own.
// CHECK-LABEL: func.func @no_factor_among_arguments
// CHECK-SAME: name = "arg0", shape = ["N", 64]
func.func @no_factor_among_arguments(%x: tensor<?x64xbf16>, %n: tensor<1xi32>) -> tensor<?x64xbf16> {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %n[%c0] : tensor<1xi32>
  %i = arith.index_cast %v : i32 to index
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [%i, 8, 64] : tensor<?x64xbf16> into tensor<?x8x64xbf16>
  %c = tensor.collapse_shape %e [[0, 1], [2]] : tensor<?x8x64xbf16> into tensor<?x64xbf16>
  return %c : tensor<?x64xbf16>
}

// A collapsed size is the product; one that is a number is no symbol.
// CHECK-LABEL: func.func @collapsed
// CHECK-SAME: name = "arg1", shape = [{product = ["T", 8]}, 64]
func.func @collapsed(%x: tensor<?x8x64xbf16> {mlafuse.dims = ["T", "", ""]}, %o: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x8x64xbf16> into tensor<?x64xbf16>
  %0 = mlafuse.rms_norm ins(%c : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @linalg
// CHECK-SAME: name = "x", shape = ["rows", "N"]
// CHECK-SAME: name = "y", shape = ["rows"]
// CHECK-SAME: results = [{name = "z", shape = ["rows", "N"]}]
func.func @linalg(%x: tensor<?x?xf32> {mlafuse.name = "x", mlafuse.dims = ["rows", ""]}, %y: tensor<?xf32> {mlafuse.name = "y"})
    -> (tensor<?x?xf32> {mlafuse.name = "z"}) {
  %0 = linalg.generic {indexing_maps = [#row, #map], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// How programs spell a rounding up.
// CHECK-LABEL: func.func @aligned_result
// CHECK-SAME: results = [{name = "result0", shape = [{align = ["N", 4]}]}, {name = "result1", shape = [{align = ["N", 4]}]}]
func.func @aligned_result(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %q = arith.ceildivui %n, %c4 : index
  %a = arith.muli %q, %c4 : index
  %e = tensor.empty(%a) : tensor<?xf32>
  %b = affine.apply affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>()[%n]
  %f = tensor.empty(%b) : tensor<?xf32>
  return %e, %f : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @made
// CHECK-SAME: results = [{name = "result0", shape = ["N1"]}, {name = "result1", shape = ["N", 12]}]
func.func @made(%x: tensor<?xf32>, %a: tensor<?x4xf32> {mlafuse.dims = ["N", ""]}, %b: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<?x12xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<?xf32>
    tensor.yield %v : f32
  } : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.add ins(%g, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<?x4xf32>, tensor<?x8xf32>) -> tensor<?x12xf32>
  return %s, %c : tensor<?xf32>, tensor<?x12xf32>
}

// A size from data is none of the manifest's.
// CHECK-LABEL: func.func @size_from_data
// CHECK-SAME: results = [{name = "result0", shape = ["?"]}]
func.func @size_from_data(%n: tensor<1xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %n[%c0] : tensor<1xi32>
  %i = arith.index_cast %v : i32 to index
  %e = tensor.empty(%i) : tensor<?xf32>
  return %e : tensor<?xf32>
}

// Private functions are no entries.
// CHECK-LABEL: func.func private @helper
// CHECK-NOT: mlafuse.signature
func.func private @helper(%x: f32) -> f32 {
  return %x : f32
}
