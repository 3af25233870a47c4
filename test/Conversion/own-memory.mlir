// Memory that the source allocates itself becomes workspace.
// RUN: mlafuse-opt %s --mlafuse-describe --mlafuse-bufferize --mlafuse-results-to-arguments --mlafuse-place-workspace | FileCheck %s

// CHECK-LABEL: func.func @alloc(
// CHECK-SAME: %[[WORKSPACE:[a-z0-9]*]]: memref<?xi8>)
// CHECK: memref.view %[[WORKSPACE]]
// CHECK-NOT: memref.alloc
func.func @alloc(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %n = mlafuse.rms_norm ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4xf32>
  %o = mlafuse.rms_norm ins(%n : tensor<4xf32>) outs(%y : tensor<4xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4xf32>
  return %o : tensor<4xf32>
}
