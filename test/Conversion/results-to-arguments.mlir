// RUN: mlafuse-opt %s --mlafuse-describe --mlafuse-bufferize --mlafuse-results-to-arguments | FileCheck %s

// A destination is overwritten whole; a new tensor becomes an argument under
// the result's name.
// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x64xbf16>, %[[O:[^:]*]]: memref<?x64xbf16>, %[[NEW:[^:]*]]: memref<?x64xbf16>)
// CHECK-SAME: {access = "read", layout = "contiguous", name = "arg0"
// CHECK-SAME: {access = "write", layout = "contiguous", name = "arg1"
// CHECK-SAME: {access = "write", layout = "contiguous", name = "z", shape = ["T", 64]
// CHECK-SAME: results = [{argument = 1 : i64, name = "result0", shape = ["T", 64]}, {argument = 2 : i64, name = "z"
// CHECK: outs(%[[O]] :
// CHECK-NOT: memref.alloc
// CHECK: outs(%[[NEW]] :
// CHECK: return{{$}}
func.func @both(%x: tensor<?x64xbf16>, %o: tensor<?x64xbf16>) -> (tensor<?x64xbf16>, tensor<?x64xbf16> {mlafuse.name = "z"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  %e = tensor.empty(%t) : tensor<?x64xbf16>
  %1 = mlafuse.rms_norm ins(%0 : tensor<?x64xbf16>) outs(%e : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0, %1 : tensor<?x64xbf16>, tensor<?x64xbf16>
}

// CHECK-LABEL: func.func @accesses
// CHECK-SAME: access = "readwrite", layout = "contiguous", name = "in_place"
// CHECK-SAME: access = "read", layout = "contiguous", name = "unused"
// CHECK-SAME: access = "readwrite", layout = "contiguous", name = "counted"
// CHECK-SAME: access = "write", layout = "contiguous", name = "sum"
// CHECK-SAME: access = "readwrite", layout = "contiguous", name = "accumulated"
func.func @accesses(%a: tensor<?x64xbf16> {mlafuse.name = "in_place"}, %b: tensor<?x64xbf16> {mlafuse.name = "unused"},
    %c: tensor<?x64xbf16> {mlafuse.name = "counted"}, %d: tensor<?x64xbf16> {mlafuse.name = "sum"}, %f: tensor<?x64xbf16> {mlafuse.name = "accumulated"}, %n: tensor<1xi32>)
    -> (tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>) {
  %0 = mlafuse.rms_norm ins(%a : tensor<?x64xbf16>) outs(%a : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  %1 = mlafuse.rms_norm ins(%0 : tensor<?x64xbf16>) num_actual_tokens(%n : tensor<1xi32>) outs(%c : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  %2 = linalg.add ins(%0, %1 : tensor<?x64xbf16>, tensor<?x64xbf16>) outs(%d : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x64xbf16>) outs(%f : tensor<?x64xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    %4 = arith.addf %x, %y : bf16
    linalg.yield %4 : bf16
  } -> tensor<?x64xbf16>
  return %0, %1, %2, %3 : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>
}

// Column ranges that make up the whole overwrite it; a part of them does not.
// CHECK-LABEL: func.func @halves
// CHECK-SAME: access = "write", layout = "contiguous", name = "whole"
// CHECK-SAME: access = "readwrite", layout = "contiguous", name = "part"
func.func @halves(%x: tensor<?x64xbf16>, %w: tensor<?x128xbf16> {mlafuse.name = "whole"}, %p: tensor<?x128xbf16> {mlafuse.name = "part"}) -> (tensor<?x128xbf16>, tensor<?x128xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %tw = tensor.dim %w, %c0 : tensor<?x128xbf16>
  %tp = tensor.dim %p, %c0 : tensor<?x128xbf16>
  %a = tensor.insert_slice %x into %w[0, 64] [%tw, 64] [1, 1] : tensor<?x64xbf16> into tensor<?x128xbf16>
  %b = tensor.insert_slice %x into %a[0, 0] [%tw, 64] [1, 1] : tensor<?x64xbf16> into tensor<?x128xbf16>
  %c = tensor.insert_slice %x into %p[0, 64] [%tp, 64] [1, 1] : tensor<?x64xbf16> into tensor<?x128xbf16>
  return %b, %c : tensor<?x128xbf16>, tensor<?x128xbf16>
}

// The new argument has the result's shape; the op sees the one that it wants.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME: %[[NEW:[^:]*]]: memref<?x8x64xbf16>)
// CHECK-SAME: name = "result0", shape = ["T", 8, 64]
// CHECK: %[[ROWS:.*]] = memref.collapse_shape %[[NEW]]
// CHECK: outs(%[[ROWS]] : memref<?x512xbf16>)
func.func @reshaped(%x: tensor<?x512xbf16>) -> tensor<?x8x64xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %e = tensor.empty(%t) : tensor<?x512xbf16>
  %0 = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%e : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%t, 8, 64] : tensor<?x512xbf16> into tensor<?x8x64xbf16>
  return %1 : tensor<?x8x64xbf16>
}

// CHECK-LABEL: func.func @collapsed(
// CHECK-SAME: %[[NEW:[^:]*]]: memref<?x64xbf16>)
// CHECK-SAME: name = "result0", shape = [{product = ["B", 8]}, 64]
// CHECK: %[[WIDE:.*]] = memref.expand_shape %[[NEW]]
// CHECK: outs(%[[WIDE]] : memref<?x8x64xbf16>)
func.func @collapsed(%x: tensor<?x8x64xbf16>) -> tensor<?x64xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x8x64xbf16>
  %e = tensor.empty(%t) : tensor<?x8x64xbf16>
  %0 = mlafuse.rms_norm ins(%x : tensor<?x8x64xbf16>) outs(%e : tensor<?x8x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x8x64xbf16>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x8x64xbf16> into tensor<?x64xbf16>
  return %1 : tensor<?x64xbf16>
}

// What is returned untouched is what the caller gave; a size reads no contents,
// and asks for an argument all the same.
// CHECK-LABEL: func.func @untouched
// CHECK-SAME: access = "read", layout = "contiguous", name = "returned"
// CHECK-SAME: access = "read", layout = "contiguous", name = "reshaped"
// CHECK-SAME: access = "read", layout = "contiguous", name = "sized"
// CHECK-SAME: access = "write", layout = "contiguous", name = "result2"
func.func @untouched(%a: tensor<4xi32> {mlafuse.name = "returned"}, %b: tensor<4x4xf32> {mlafuse.name = "reshaped"}, %c: tensor<?xf32> {mlafuse.name = "sized"})
    -> (tensor<4xi32>, tensor<4x4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.collapse_shape %b [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %n = tensor.dim %c, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  return %a, %1, %e : tensor<4xi32>, tensor<4x4xf32>, tensor<?xf32>
}
