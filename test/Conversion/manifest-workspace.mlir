// Workspace sizes are formulas over the signature's sizes.
// RUN: mlafuse-opt %s --mlafuse-place-workspace --canonicalize --cse --mlafuse-add-manifest | FileCheck %s
// CHECK: llvm.mlir.global external constant @mlafuse_manifest
// CHECK-SAME: \22workspace\22:\22align(512 * max(ceildiv(min(T, 1024), 16), 8), 64) + align(align(K, 128) * T + T, 64) + align(4 * (T - floordiv(T, 4)), 64) + 64\22
// CHECK-SAME: \22workspace\22:\22align(T + 5, 64)\22
// CHECK-SAME: \22workspace\22:\22align(align(T + 5, 64), 256) + 4288\22
// CHECK-SAME: \22workspace\22:\22align(4 * ?, 64)\22
// CHECK-SAME: \22workspace\22:\220\22

func.func @sums(%x: memref<?x?xf32>) attributes {mlafuse.signature = {
    arguments = [{access = "write", layout = "contiguous", name = "x", shape = ["T", {align = ["K", 128]}], type = f32}],
    name = "sums", results = []}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %v = arith.constant 0.0 : f32
  %b = arith.constant 0 : i8
  %t = memref.dim %x, %c0 : memref<?x?xf32>
  %k = memref.dim %x, %c1 : memref<?x?xf32>
  %few = arith.minui %t, %c1024 : index
  %blocks = arith.ceildivui %few, %c16 : index
  %splits = arith.maxui %blocks, %c8 : index
  %partials = memref.alloc(%splits) : memref<?x128xf32>
  memref.store %v, %partials[%c0, %c0] : memref<?x128xf32>
  %area = arith.muli %k, %t : index
  %more = arith.addi %area, %t : index
  %bytes = memref.alloc(%more) : memref<?xi8>
  memref.store %b, %bytes[%c0] : memref<?xi8>
  %part = arith.divui %t, %c4 : index
  %rest = arith.subi %t, %part : index
  %odd = memref.alloc(%rest) : memref<?xf32>
  memref.store %v, %odd[%c0] : memref<?xf32>
  %one = memref.alloc() : memref<1xf32>
  memref.store %v, %one[%c0] : memref<1xf32>
  return
}

// Constants that canonicalization has merged.
func.func @merged(%x: memref<?xf32>) attributes {mlafuse.signature = {
    arguments = [{access = "write", layout = "contiguous", name = "x", shape = ["T"], type = f32}],
    name = "merged", results = []}} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %b = arith.constant 0 : i8
  %t = memref.dim %x, %c0 : memref<?xf32>
  %more = arith.addi %t, %c5 : index
  %bytes = memref.alloc(%more) : memref<?xi8>
  memref.store %b, %bytes[%c0] : memref<?xi8>
  return
}

func.func @aligned(%x: memref<?xf32>) attributes {mlafuse.signature = {
    arguments = [{access = "write", layout = "contiguous", name = "x", shape = ["T"], type = f32}],
    name = "aligned", results = []}} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %b = arith.constant 0 : i8
  %t = memref.dim %x, %c0 : memref<?xf32>
  %more = arith.addi %t, %c5 : index
  %bytes = memref.alloc(%more) : memref<?xi8>
  memref.store %b, %bytes[%c0] : memref<?xi8>
  %plan = memref.alloc() {alignment = 256 : i64} : memref<4096xi8>
  memref.store %b, %plan[%c0] : memref<4096xi8>
  return
}

func.func @other(%x: memref<?xf32>) attributes {mlafuse.signature = {
    arguments = [{access = "write", layout = "contiguous", name = "x", shape = ["T"], type = f32}],
    name = "other", results = []}} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %v = arith.constant 0.0 : f32
  %t = memref.dim %x, %c0 : memref<?xf32>
  %rest = arith.remui %t, %c5 : index
  %m = memref.alloc(%rest) : memref<?xf32>
  memref.store %v, %m[%c0] : memref<?xf32>
  return
}

func.func @none(%x: memref<?xf32>) attributes {mlafuse.signature = {
    arguments = [{access = "write", layout = "contiguous", name = "x", shape = ["T"], type = f32}],
    name = "none", results = []}} {
  return
}
