// A copy that the source asks for has no kernel: what is copied, and how to do
// without.
// RUN: split-file %s %t
// RUN: not mlafuse-compile %t/copy.mlir -o %t.so --target=rocdl:gfx942 2>&1 | FileCheck %s
// CHECK: copy.mlir:4:8: error: 'memref.copy' op of argument 'x' to argument 'y' has no kernel for gfx942: the op that computes a tensor writes it where it belongs if its destination is that place (of a tensor.insert_slice, the tensor.extract_slice of the same place)

// RUN: mlafuse-compile %t/in-place.mlir -o %t.so --target=rocdl:gfx942

//--- copy.mlir
func.func @copy(%x: tensor<4x64xf32> {mlafuse.name = "x"}, %y: tensor<4x128xf32> {mlafuse.name = "y"}, %z: tensor<4x64xf32>) -> (tensor<4x128xf32>, tensor<4x64xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<4x64xf32>) outs(%z : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
  // The first 64 columns.
  %0 = tensor.insert_slice %x into %y[0, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<4x128xf32>
  return %0, %n : tensor<4x128xf32>, tensor<4x64xf32>
}

//--- in-place.mlir
func.func @in_place(%x: tensor<4x64xf32>, %y: tensor<4x128xf32>) -> tensor<4x128xf32> {
  %place = tensor.extract_slice %y[0, 0] [4, 64] [1, 1] : tensor<4x128xf32> to tensor<4x64xf32>
  %n = mlafuse.rms_norm ins(%x : tensor<4x64xf32>) outs(%place : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
  %0 = tensor.insert_slice %n into %y[0, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<4x128xf32>
  return %0 : tensor<4x128xf32>
}
