// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-launch-kernels,canonicalize)' | FileCheck %s
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-launch-kernels,mlafuse-make-entries{prefix=mlafuse_sm_90a})' | FileCheck %s --check-prefix=ENTRY

// The status of the launches is the entry's.
// ENTRY-LABEL: func.func @mlafuse_sm_90a_workspace_f(
// ENTRY-LABEL: func.func @mlafuse_sm_90a_entry_f(
// ENTRY: %[[STATUS:.*]] = func.call @f.impl(
// ENTRY-NEXT: scf.yield %[[STATUS]] : i32

// Two kernels are launched, the second under a condition; what they do not read
// is passed to neither.
//
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<?x64xf32, strided<[?, 1]>>, %[[Y:.*]]: memref<?x64xf32>) -> i32
// CHECK-DAG: %[[SECOND_VALUES:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, f32)>
// CHECK-DAG: %[[SECOND:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x ptr>
// CHECK-DAG: %[[VALUES:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, i64, i64)>
// CHECK-DAG: %[[PARAMETERS:.*]] = llvm.alloca %{{.*}} x !llvm.array<3 x ptr>
// CHECK-DAG: %[[STATUS:.*]] = llvm.alloca %{{.*}} x i32 :
// CHECK-DAG: %[[LAUNCH:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, array<3 x i32>, array<3 x i32>, i32, i32, i32, ptr)>
// CHECK: llvm.store %c0_i32, %[[STATUS]]
//
// Nothing is launched after an error, and no empty grid.
// CHECK: %[[T:.*]] = memref.dim %[[X]], %c0
// CHECK: %[[BLOCKS:.*]] = arith.index_cast %[[T]] : index to i32
// CHECK: %[[NOW:.*]] = llvm.load %[[STATUS]]
// CHECK: %[[FINE:.*]] = arith.cmpi eq, %[[NOW]], %c0_i32
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[BLOCKS]], %c0_i32
// CHECK: %[[WANTED:.*]] = arith.andi %[[FINE]], %[[SOME]]
// CHECK: scf.if %[[WANTED]]
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %[[X]]
// CHECK: %[[ALIGNED:.*]] = llvm.extractvalue %[[D]][1]
// CHECK: %[[STRIDE:.*]] = llvm.extractvalue %[[D]][4, 0]
// CHECK: %[[KERNEL:.*]] = llvm.getelementptr %[[LAUNCH]][0, 0]
// CHECK: llvm.store %c1_i32, %[[KERNEL]]
// CHECK: %[[GRID:.*]] = llvm.getelementptr %[[LAUNCH]][0, 1, 0]
// CHECK: llvm.store %[[BLOCKS]], %[[GRID]]
// CHECK: %[[BLOCK:.*]] = llvm.getelementptr %[[LAUNCH]][0, 2, 0]
// CHECK: llvm.store %c64_i32, %[[BLOCK]]
// CHECK: %[[SHARED:.*]] = llvm.getelementptr %[[LAUNCH]][0, 3]
// CHECK: llvm.store %c0_i32, %[[SHARED]]
// CHECK: %[[COUNT:.*]] = llvm.getelementptr %[[LAUNCH]][0, 4]
// CHECK: llvm.store %c3_i32, %[[COUNT]]
// CHECK: %[[V0:.*]] = llvm.getelementptr %[[VALUES]][0, 0]
// CHECK: llvm.store %[[ALIGNED]], %[[V0]]
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[PARAMETERS]][0, 0]
// CHECK: llvm.store %[[V0]], %[[P0]]
// CHECK: %[[V1:.*]] = llvm.getelementptr %[[VALUES]][0, 1]
// CHECK: llvm.store %[[STRIDE]], %[[V1]]
// CHECK: %[[ADDRESSES:.*]] = llvm.getelementptr %[[LAUNCH]][0, 6]
// CHECK: llvm.store %[[PARAMETERS]], %[[ADDRESSES]]
// CHECK: %[[CALLEE_AT:.*]] = llvm.getelementptr %[[CONTEXT]][0, 7]
// CHECK: %[[CALLEE:.*]] = llvm.load %[[CALLEE_AT]]
// CHECK: %[[RUNTIME_AT:.*]] = llvm.getelementptr %[[CONTEXT]][0, 6]
// CHECK: %[[RUNTIME:.*]] = llvm.load %[[RUNTIME_AT]]
// CHECK: %[[ERROR:.*]] = llvm.call %[[CALLEE]](%[[RUNTIME]], %[[LAUNCH]])
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[ERROR]], %c0_i32
// CHECK: %[[AFTER:.*]] = arith.select %[[OK]], %c0_i32, %c2_i32
// CHECK: llvm.store %[[AFTER]], %[[STATUS]]
//
// CHECK: scf.if
// CHECK: llvm.load %[[STATUS]]
// CHECK: scf.if
// CHECK: llvm.store %c0_i32, %{{.*}}
// CHECK: llvm.store %c1024_i32, %{{.*}}
// CHECK: llvm.store %c2_i32, %{{.*}}
// CHECK: llvm.call
// CHECK: %[[LAST:.*]] = llvm.load %[[STATUS]]
// CHECK: return %[[LAST]] : i32
module attributes {gpu.container_module} {

func.func @f(%x: memref<?x64xf32, strided<[?, 1]>>, %y: memref<?x64xf32>) attributes {mlafuse.signature = {
    arguments = [{access = "read", layout = "strided", name = "x", shape = ["T", 64], type = f32},
                 {access = "write", layout = "contiguous", name = "y", shape = ["T", 64], type = f32}],
    name = "f", results = [{argument = 1 : i64, name = "y", shape = ["T", 64]}]}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.5 : f32
  %shared = arith.constant 1024 : i32
  %t = memref.dim %x, %c0 : memref<?x64xf32, strided<[?, 1]>>
  gpu.launch_func @mlafuse_kernels::@second blocks in (%t, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<?x64xf32, strided<[?, 1]>>, %t : index)
  %many = arith.cmpi ugt, %t, %c64 : index
  scf.if %many {
    gpu.launch_func @mlafuse_kernels::@first blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        dynamic_shared_memory_size %shared args(%y : memref<?x64xf32>, %f : f32)
  }
  return
}

// A kernel's index is its place among the kernels; a helper is none.
gpu.module @mlafuse_kernels {
  llvm.func @helper(%a: f32) -> f32 {
    llvm.return %a : f32
  }
  // CHECK: llvm.func @first(%arg0: !llvm.ptr {llvm.noalias}, %arg1: f32) attributes
  llvm.func @first(%p: !llvm.ptr, %a: !llvm.ptr {llvm.noalias}, %o: i64, %n0: i64, %n1: i64, %s0: i64, %s1: i64, %v: f32) attributes {gpu.kernel, nvvm.kernel} {
    %r = llvm.call @helper(%v) : (f32) -> f32
    llvm.store %r, %a : f32, !llvm.ptr
    llvm.return
  }
  // CHECK: llvm.func @second(%arg0: !llvm.ptr<1>, %arg1: i64, %arg2: i64) attributes
  llvm.func @second(%p: !llvm.ptr<1>, %a: !llvm.ptr<1>, %o: i64, %n0: i64, %n1: i64, %s0: i64, %s1: i64, %t: i64) attributes {gpu.kernel, rocdl.kernel} {
    %r = llvm.add %s0, %t : i64
    llvm.store %r, %a : i64, !llvm.ptr<1>
    llvm.return
  }
}

}
