// The interfaces come with the dialect: upstream's bufferization knows the ops.
// REQUIRES: stock-plugin
// RUN: mlir-opt --load-dialect-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map})' | FileCheck %s

// CHECK: func.func @norm(%[[X:.*]]: memref<?x512xbf16>)
// CHECK-NOT: memref.alloc
// CHECK: mlafuse.rms_norm ins(%[[X]] : memref<?x512xbf16>) outs(%[[X]] : memref<?x512xbf16>)
func.func @norm(%x: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%x : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %0 : tensor<?x512xbf16>
}
