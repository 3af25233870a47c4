// Expanding a dynamic dimension bufferizes, and to a view.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-bufferize | FileCheck %s --implicit-check-not=memref.copy --implicit-check-not=memref.alloc
// RUN: mlafuse-compile %s -o %t.so
// CHECK-LABEL: func.func @heads(
// CHECK: memref.expand_shape %{{.*}} : memref<?x576xbf16{{.*}}> into memref<?x1x576xbf16
// CHECK: mlafuse.rms_norm ins
func.func @heads(%x: tensor<?x576xbf16>, %y: tensor<?x1x576xbf16>) -> tensor<?x1x576xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x576xbf16>
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [%t, 1, 576] : tensor<?x576xbf16> into tensor<?x1x576xbf16>
  %n = mlafuse.rms_norm ins(%e : tensor<?x1x576xbf16>) outs(%y : tensor<?x1x576xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x1x576xbf16>
  return %n : tensor<?x1x576xbf16>
}
