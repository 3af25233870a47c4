// RUN: mlafuse-opt %s --mlafuse-bufferize | FileCheck %s
// RUN: mlafuse-opt %s --mlafuse-bufferize | FileCheck %s --check-prefix=CLEAN
// CLEAN-NOT: mlafuse.origin
// CLEAN-NOT: buffer_layout

// Slices of a strided argument are read where they are.
// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[P:[^:]*]]: memref<?x2112xbf16, strided<[?, 1]>>
// CHECK-SAME: %[[O:[^:]*]]: memref<?x512xbf16>)
// CHECK: %[[S:.*]] = memref.subview %[[P]][0, 1536]
// CHECK: mlafuse.rms_norm ins(%[[S]] : memref<?x512xbf16, strided<[?, 1], offset: 1536>>) outs(%[[O]] :
// CHECK-NEXT: return %[[O]]
func.func @strided(%p: tensor<?x2112xbf16> {mlafuse.strided}, %o: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %s = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %0 = mlafuse.rms_norm ins(%s : tensor<?x512xbf16>) outs(%o : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %0 : tensor<?x512xbf16>
}

// CHECK-LABEL: func.func @strided_rank_3(
// CHECK-SAME: memref<?x8x64xbf16, strided<[?, ?, 1]>>
func.func @strided_rank_3(%x: tensor<?x8x64xbf16> {mlafuse.strided}, %o: tensor<?x8x64xbf16>) -> tensor<?x8x64xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x8x64xbf16>) outs(%o : tensor<?x8x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x8x64xbf16>
  return %0 : tensor<?x8x64xbf16>
}

// Both halves are written into their slice: no copy.
// CHECK-LABEL: func.func @joined
// CHECK: %[[J:.*]] = memref.alloc
// CHECK: mlafuse.rms_norm {{.*}} outs(%{{.*}} : memref<?x64xbf16, strided<[192, 1]>>)
// CHECK: mlafuse.rms_norm {{.*}} outs(%{{.*}} : memref<?x128xbf16, strided<[192, 1], offset: 64>>)
// CHECK-NOT: memref.copy
// CHECK: return %[[J]]
func.func @joined(%a: tensor<?x64xbf16>, %b: tensor<?x128xbf16>) -> tensor<?x192xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : tensor<?x64xbf16>
  %j = tensor.empty(%t) : tensor<?x192xbf16>
  %ea = tensor.empty(%t) : tensor<?x64xbf16>
  %na = mlafuse.rms_norm ins(%a : tensor<?x64xbf16>) outs(%ea : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  %j1 = tensor.insert_slice %na into %j[0, 0] [%t, 64] [1, 1] : tensor<?x64xbf16> into tensor<?x192xbf16>
  %eb = tensor.empty(%t) : tensor<?x128xbf16>
  %nb = mlafuse.rms_norm ins(%b : tensor<?x128xbf16>) outs(%eb : tensor<?x128xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x128xbf16>
  %j2 = tensor.insert_slice %nb into %j1[0, 64] [%t, 128] [1, 1] : tensor<?x128xbf16> into tensor<?x192xbf16>
  return %j2 : tensor<?x192xbf16>
}

// The copy that insert_slice stands for is the source's own.
// CHECK-LABEL: func.func @own_copy
// CHECK: memref.copy
func.func @own_copy(%a: tensor<?x64xbf16>, %j: tensor<?x192xbf16>) -> tensor<?x192xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : tensor<?x64xbf16>
  %0 = tensor.insert_slice %a into %j[0, 0] [%t, 64] [1, 1] : tensor<?x64xbf16> into tensor<?x192xbf16>
  return %0 : tensor<?x192xbf16>
}

// One empty tensor that two ops write is two buffers.
// CHECK-LABEL: func.func @shared_empty
// CHECK-DAG: %[[A:.*]] = memref.alloc
// CHECK-DAG: %[[B:.*]] = memref.alloc
// CHECK: mlafuse.rms_norm {{.*}} outs(%[[A:.*]] :
// CHECK: mlafuse.rms_norm {{.*}} outs(%[[B:.*]] :
// CHECK-NOT: memref.copy
func.func @shared_empty(%a: tensor<4x64xbf16>, %b: tensor<4x64xbf16>) -> (tensor<4x64xbf16>, tensor<4x64xbf16>) {
  %e = tensor.empty() : tensor<4x64xbf16>
  %0 = mlafuse.rms_norm ins(%a : tensor<4x64xbf16>) outs(%e : tensor<4x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xbf16>
  %1 = mlafuse.rms_norm ins(%b : tensor<4x64xbf16>) outs(%e : tensor<4x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xbf16>
  return %0, %1 : tensor<4x64xbf16>, tensor<4x64xbf16>
}

// A row is read before it is written.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x64xbf16>)
// CHECK: mlafuse.rms_norm ins(%[[X]] : memref<?x64xbf16>) outs(%[[X]] : memref<?x64xbf16>)
func.func @in_place(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%x : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
