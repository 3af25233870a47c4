// RUN: mlafuse-opt %s --mlafuse-describe --mlafuse-bufferize --mlafuse-results-to-arguments --canonicalize --mlafuse-place-workspace --canonicalize --cse | FileCheck %s

// Slices start at multiples of 64 bytes: 130 T bytes, then 4 * 100.
// CHECK-LABEL: func.func private @mlafuse_workspace_size_two(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x65xbf16>
// CHECK: %[[T:.*]] = memref.dim %[[X]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[T]], %c130
// CHECK: %[[UP:.*]] = arith.addi %[[BYTES]], %c63
// CHECK: %[[FIRST:.*]] = arith.andi %[[UP]], %c-64
// CHECK: %[[ALL:.*]] = arith.addi %[[FIRST]], %c448
// CHECK: return %[[ALL]]
// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[W:[^:]*]]: memref<?xi8>)
// CHECK-DAG: memref.view %[[W]][%c0][%{{.*}}] : memref<?xi8> to memref<?x65xbf16>
// CHECK-DAG: memref.view %[[W]][%{{.*}}][] : memref<?xi8> to memref<100xf32>
// CHECK-NOT: memref.alloc
func.func @two(%x: tensor<?x65xbf16>, %v: tensor<100xf32>, %o: tensor<?x65xbf16>, %p: tensor<100xf32>) -> (tensor<?x65xbf16>, tensor<100xf32>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x65xbf16>
  %e = tensor.empty(%t) : tensor<?x65xbf16>
  %0 = mlafuse.rms_norm ins(%x : tensor<?x65xbf16>) outs(%e : tensor<?x65xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x65xbf16>
  %1 = mlafuse.rms_norm ins(%0 : tensor<?x65xbf16>) outs(%o : tensor<?x65xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x65xbf16>
  %f = tensor.empty() : tensor<100xf32>
  %2 = mlafuse.rms_norm ins(%v : tensor<100xf32>) outs(%f : tensor<100xf32>) {epsilon = 1.0e-6 : f32} -> tensor<100xf32>
  %3 = mlafuse.rms_norm ins(%2 : tensor<100xf32>) outs(%p : tensor<100xf32>) {epsilon = 1.0e-6 : f32} -> tensor<100xf32>
  return %1, %3 : tensor<?x65xbf16>, tensor<100xf32>
}

// One place serves all iterations of a loop.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: %[[V:.*]] = memref.view
// CHECK: scf.for
// CHECK: outs(%[[V]] :
func.func @in_a_loop(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> tensor<4x64xf32> {
    %e = tensor.empty() : tensor<4x64xf32>
    %n = mlafuse.rms_norm ins(%a : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
    %m = mlafuse.rms_norm ins(%n : tensor<4x64xf32>) outs(%a : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
    scf.yield %m : tensor<4x64xf32>
  }
  return %r : tensor<4x64xf32>
}

// CHECK-NOT: @mlafuse_workspace_size_none
// CHECK-LABEL: func.func @none(
// CHECK-SAME: memref<4x64xf32>) attributes
func.func @none(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %m = mlafuse.rms_norm ins(%x : tensor<4x64xf32>) outs(%x : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
  return %m : tensor<4x64xf32>
}
