// RUN: mlafuse-opt %s --mlafuse-bound-stack | FileCheck %s

// CHECK-LABEL: func.func @static
// CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @static(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<64xf32>
    memref.store %z, %a[%c0] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK: scf.for
// CHECK-NEXT: %[[S:.*]] = llvm.intr.stacksave
// CHECK-NEXT: memref.alloca(%{{.*}}) {alignment = 64 : i64}
// CHECK-NEXT: memref.alloca(%{{.*}}) {alignment = 128 : i64}
// CHECK: llvm.intr.stackrestore %[[S]]
// CHECK-NEXT: }
// CHECK-NOT: stackrestore
func.func @dynamic(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca(%n) : memref<?xf32>
    %b = memref.alloca(%n) {alignment = 128 : i64} : memref<?xf32>
    memref.store %z, %a[%c0] : memref<?xf32>
    memref.store %z, %b[%c0] : memref<?xf32>
  }
  return
}
