// RUN: mlafuse-opt %s --mlafuse-lower-linalg --split-input-file | FileCheck %s

// Rows of 64 elements: 64 of them are worth a thread.
// CHECK-LABEL: func.func @copy
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK: %[[V:.*]] = memref.load %arg0[
// CHECK: memref.store %[[V]], %arg1[
// CHECK: mlafuse.grain = 64 : i64
// CHECK-NOT: memref.copy
func.func @copy(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16>) {
  memref.copy %a, %b : memref<?x64xbf16, strided<[?, 1]>> to memref<?x64xbf16>
  return
}

// -----

// CHECK-LABEL: func.func @vector
// CHECK: scf.parallel
// CHECK: mlafuse.grain = 4096 : i64
func.func @vector(%a: memref<?xf32>, %z: f32) {
  linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
  return
}

// -----

// The sum is serial, in order.
// CHECK-LABEL: func.func @matmul
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: mlafuse.grain = 1 : i64
func.func @matmul(%a: memref<?x256xf32>, %b: memref<256x128xf32>, %c: memref<?x128xf32>) {
  linalg.matmul ins(%a, %b : memref<?x256xf32>, memref<256x128xf32>) outs(%c : memref<?x128xf32>)
  return
}
