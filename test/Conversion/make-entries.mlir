// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-describe,mlafuse-bufferize,mlafuse-results-to-arguments,canonicalize,mlafuse-place-workspace,mlafuse-outline-parallel,mlafuse-add-manifest{chip=some-cpu},mlafuse-make-entries)' | FileCheck %s

// CHECK: llvm.mlir.global external constant @mlafuse_manifest("{{.*}}\22targets\22:[{\22backend\22:\22cpu\22,\22chip\22:\22some-cpu\22,\22entries\22:[{\22name\22:\22f\22,\22workspace\22:\22align(128 * T, 64)\22}],\22prefix\22:\22mlafuse\22}]{{.*}}\00")

// CHECK-LABEL: func.func private @mlafuse_workspace_size_f.impl
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>

// CHECK-LABEL: func.func @mlafuse_workspace_f(%arg0: !llvm.ptr) -> i64
// CHECK: %[[BYTES:.*]] = call @mlafuse_workspace_size_f.impl
// CHECK: %[[I64:.*]] = arith.index_cast %[[BYTES]]
// CHECK: return %[[I64]]

// The version comes first, then the size of the workspace; an offset goes into
// the address.
// CHECK-LABEL: func.func @mlafuse_entry_f(
// CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[DESCRIPTORS:.*]]: !llvm.ptr) -> i32
// CHECK: %[[VERSION:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[KNOWN:.*]] = arith.cmpi eq, %[[VERSION]], %c2_i32
// CHECK: scf.if %[[KNOWN]]
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[DESCRIPTORS]][1]
// CHECK: %[[AT:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[D:.*]] = llvm.load %[[AT]]
// CHECK: %[[ALIGNED:.*]] = llvm.extractvalue %[[D]][1]
// CHECK: %[[OFFSET:.*]] = llvm.extractvalue %[[D]][2]
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[ALIGNED]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
// CHECK: llvm.insertvalue %[[FIRST]], %{{.*}}[1]
// CHECK: func.call @mlafuse_workspace_size_f.impl
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sle
// CHECK: scf.if %[[ENOUGH]]
// CHECK: func.call @f.impl(%[[CONTEXT]],
// CHECK: arith.constant 0 : i32

// CHECK-LABEL: func.func private @f.impl(
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
func.func @f(%x: tensor<?x64xbf16>, %o: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%t) : tensor<?x64xbf16>
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%e : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  %1 = mlafuse.rms_norm ins(%0 : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %1 : tensor<?x64xbf16>
}
