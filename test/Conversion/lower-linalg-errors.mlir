// RUN: mlafuse-opt %s --mlafuse-lower-linalg --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is not on memrefs; run 'mlafuse-bufferize' first}}
  %0 = linalg.copy ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unranked(%x: memref<*xf32>, %y: memref<*xf32>) {
  // expected-error@+1 {{is on memory of unknown rank, which has no loops}}
  memref.copy %x, %y : memref<*xf32> to memref<*xf32>
  return
}
