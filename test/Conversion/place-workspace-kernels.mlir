// What a lowering to kernels allocates is workspace, at the alignment it asks
// for: a multiple of 256 bytes wherever the caller's 64-byte aligned workspace
// begins.
// RUN: mlafuse-opt %s --mlafuse-place-workspace --canonicalize --cse | FileCheck %s

// 128 T bytes, rounded up to 256, and 64; 192 for the way to the first address.
// CHECK-LABEL: func.func private @mlafuse_workspace_size_f(
// CHECK: %[[T:.*]] = memref.dim
// CHECK: %[[PARTIALS:.*]] = arith.muli %[[T]], %c128
// CHECK: %[[UP:.*]] = arith.addi %[[PARTIALS]], %c63
// CHECK: %[[FIRST:.*]] = arith.andi %[[UP]], %c-64
// CHECK: %[[UP256:.*]] = arith.addi %[[FIRST]], %c255
// CHECK: %[[PLAN:.*]] = arith.andi %[[UP256]], %c-256
// CHECK: %[[ALL:.*]] = arith.addi %[[PLAN]], %c256
// CHECK: return %[[ALL]]
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[W:[^:]*]]: memref<?xi8>)
// CHECK: %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[W]]
// CHECK: %[[PAST:.*]] = arith.addi %[[AT]], %c255
// CHECK: %[[ALIGNED:.*]] = arith.andi %[[PAST]], %c-256
// CHECK: %[[SKIP:.*]] = arith.subi %[[ALIGNED]], %[[AT]]
// CHECK: memref.view %[[W]][%[[SKIP]]][%{{.*}}] : memref<?xi8> to memref<?x32xf32>
// CHECK: %[[OFFSET:.*]] = arith.andi {{.*}}, %c-256
// CHECK: %[[SECOND:.*]] = arith.addi %[[SKIP]], %[[OFFSET]]
// CHECK: memref.view %[[W]][%[[SECOND]]][] : memref<?xi8> to memref<3xi32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
func.func @f(%x: memref<?x64xf32>) attributes {mlafuse.signature = {
    arguments = [{access = "read", layout = "contiguous", name = "x", shape = ["T", 64], type = f32}],
    name = "f", results = []}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : i32
  %t = memref.dim %x, %c0 : memref<?x64xf32>
  %address = memref.extract_aligned_pointer_as_index %x : memref<?x64xf32> -> index
  %aligned = arith.cmpi eq, %address, %c0 : index
  scf.if %aligned {
    %partials = memref.alloc(%t) : memref<?x32xf32>
    %plan = memref.alloc() {alignment = 256 : i64} : memref<3xi32>
    gpu.launch blocks(%b, %by, %bz) in (%gx = %t, %gy = %c1, %gz = %c1) threads(%i, %j, %k) in (%bx = %c128, %bby = %c1, %bbz = %c1) {
      memref.store %f0, %partials[%b, %c0] : memref<?x32xf32>
      memref.store %i0, %plan[%c0] : memref<3xi32>
      gpu.terminator
    }
  }
  return
}
