// RUN: mlafuse-opt %s --mlafuse-outline-parallel --canonicalize --split-input-file | FileCheck %s

// The constant is the body's own; the memref travels in a struct.
// CHECK-LABEL: func.func @one
// CHECK-SAME: (%[[CONTEXT:[^:]*]]: !llvm.ptr, %[[X:[^:]*]]: memref<?x64xf32>, %[[N:.*]]: index)
// CHECK-DAG: constant @one_body :
// CHECK-DAG: %[[ENV:.*]] = llvm.alloca
// CHECK: llvm.intr.lifetime.start %[[ENV]]
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %[[X]]
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[ENV]][0, 0]
// CHECK: llvm.store %[[D]], %[[FIELD]]
// CHECK: llvm.getelementptr %[[CONTEXT]][0, 5]
// CHECK: llvm.getelementptr %[[CONTEXT]][0, 6]
// CHECK: llvm.call %{{.*}}(%{{.*}}, %{{.*}}, %[[ENV]], %{{.*}}, %c7_i64)
// CHECK-NEXT: llvm.intr.lifetime.end %[[ENV]]
// CHECK-NOT: scf.parallel
// CHECK-LABEL: func.func private @one_body
// CHECK-SAME: (%[[E:[^:]*]]: !llvm.ptr, %[[BEGIN:[^:]*]]: i64, %[[END:[^:]*]]: i64)
// CHECK: %[[B:.*]] = arith.index_cast %[[BEGIN]]
// CHECK: %[[L:.*]] = arith.index_cast %[[END]]
// CHECK: scf.for %[[I:.*]] = %[[B]] to %[[L]] step %c1
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %c0]
func.func @one(%x: memref<?x64xf32>, %n: index) attributes {mlafuse.signature = {name = "one", arguments = [], results = []}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %z, %x[%i, %c0] : memref<?x64xf32>
    scf.reduce
  } {mlafuse.grain = 7 : i64}
  return
}

// -----

// The last of three dimensions is serial, the others are one range.
// CHECK-LABEL: func.func @three
// CHECK: %[[ALL:.*]] = arith.muli
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[ALL]]
// CHECK: llvm.call {{.*}}%[[COUNT]], %c1_i64
// CHECK-LABEL: func.func private @three_body
// CHECK: scf.for %[[K:.*]] =
// CHECK-DAG: %[[R:.*]] = arith.remui %[[K]], %[[J:.*]] : index
// CHECK-DAG: %[[Q:.*]] = arith.divui %[[K]], %[[J]] : index
// CHECK: %[[TWICE:.*]] = arith.muli %[[Q]], %c2
// CHECK: %[[I:.*]] = arith.addi %[[TWICE]], %c4
// CHECK: scf.for %[[L:.*]] = %c0 to %c64 step %c1
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[R]], %[[L]]]
func.func @three(%x: memref<?x?x64xf32>, %n: index, %m: index) attributes {mlafuse.signature = {name = "three", arguments = [], results = []}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  scf.parallel (%i, %j, %k) = (%c4, %c0, %c0) to (%n, %m, %c64) step (%c2, %c1, %c1) {
    memref.store %z, %x[%i, %j, %k] : memref<?x?x64xf32>
    scf.reduce
  }
  return
}

// -----

// A loop within the body stays there; a loop in a serial loop is outlined.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: llvm.call
// CHECK-NOT: scf.parallel
// CHECK-LABEL: func.func private @nested_body
// CHECK: scf.for
// CHECK: scf.parallel
func.func @nested(%x: memref<?x64xf32>, %n: index) attributes {mlafuse.signature = {name = "nested", arguments = [], results = []}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  scf.for %t = %c0 to %n step %c1 {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
        memref.store %z, %x[%i, %j] : memref<?x64xf32>
        scf.reduce
      }
      scf.reduce
    }
  }
  return
}

// -----

// The order of a reduction is part of its value.
// CHECK-LABEL: func.func @reduction
// CHECK: scf.parallel
// CHECK-NOT: llvm.call
func.func @reduction(%x: memref<?xf32>, %o: memref<1xf32>, %n: index) attributes {mlafuse.signature = {name = "reduction", arguments = [], results = []}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
    %v = memref.load %x[%i] : memref<?xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      scf.reduce.return %r : f32
    }
  }
  memref.store %s, %o[%c0] : memref<1xf32>
  return
}

// -----

// Equal bodies are one function, whatever memory they work on; another constant
// makes another body.
// CHECK-LABEL: func.func @equal
// CHECK-DAG: constant @equal_body :
// CHECK-DAG: constant @equal_body_0 :
// CHECK-LABEL: func.func private @equal_body(
// CHECK-LABEL: func.func private @equal_body_0(
// CHECK-NOT: func.func
func.func @equal(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) attributes {mlafuse.signature = {name = "equal", arguments = [], results = []}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %z, %x[%i] : memref<?xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %z, %y[%i] : memref<?xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %o, %y[%i] : memref<?xf32>
    scf.reduce
  }
  return
}
