// Memory effects on memrefs, and none on tensors.
// RUN: mlafuse-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cse,canonicalize))' | FileCheck %s

// An op without results is not dead.
// CHECK-LABEL: @writes_stay
func.func @writes_stay(%x: memref<4x8xbf16>, %y: memref<4x8xbf16>) {
  // CHECK: mlafuse.rms_norm
  mlafuse.rms_norm ins(%x : memref<4x8xbf16>) outs(%y : memref<4x8xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// On tensors an op whose result nobody uses is dead.
// CHECK-LABEL: @unused_value
func.func @unused_value(%x: tensor<4x8xbf16>) {
  // CHECK-NOT: mlafuse.rms_norm
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  return
}

// -----

// Equal ops on tensors are one; the attributes are part of what is equal.
// CHECK-LABEL: @common_values
func.func @common_values(%x: tensor<4x8xbf16>) -> (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xbf16>) {
  // CHECK: %[[A:.*]] = mlafuse.rms_norm {{.*}} {epsilon = 9.99999997E-7 : f32}
  // CHECK: %[[B:.*]] = mlafuse.rms_norm {{.*}} {epsilon = 9.99999974E-6 : f32}
  // CHECK-NOT: mlafuse.rms_norm
  // CHECK: return %[[A]], %[[A]], %[[B]]
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  %1 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8xbf16>
  %2 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0e-5 : f32} -> tensor<4x8xbf16>
  return %0, %1, %2 : tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xbf16>
}

// -----

// A load before the op must not serve after it: the destination is written.
// CHECK-LABEL: @load_across_write
func.func @load_across_write(%x: memref<4x8xbf16>, %y: memref<4x8xbf16>) -> (bf16, bf16) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[BEFORE:.*]] = memref.load
  %before = memref.load %y[%c0, %c0] : memref<4x8xbf16>
  // CHECK: mlafuse.rms_norm
  mlafuse.rms_norm ins(%x : memref<4x8xbf16>) outs(%y : memref<4x8xbf16>) {epsilon = 1.0e-6 : f32}
  // CHECK: %[[AFTER:.*]] = memref.load
  // CHECK: return %[[BEFORE]], %[[AFTER]]
  %after = memref.load %y[%c0, %c0] : memref<4x8xbf16>
  return %before, %after : bf16, bf16
}
