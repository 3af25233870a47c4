// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx1201 | FileCheck %s
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=sm_80 | FileCheck %s --check-prefix=NV

// 353 is row_xmask 1.
module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {
// CHECK-LABEL: llvm.func @exchange
// CHECK: rocdl.update.dpp %{{.*}}, %{{.*}} with 353, 15, 15, true : i32
// CHECK-NOT: rocdl.update.dpp
// CHECK: rocdl.permlanex16
// CHECK-NOT: rocdl.ds_
// CHECK: llvm.return
// NV: nvvm.shfl.sync bfly
// NV: nvvm.shfl.sync bfly
gpu.func @exchange(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<?xf32>
  %w = arith.constant 32 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %s1, %p1 = gpu.shuffle xor %v, %c1, %w : f32
  %v1 = arith.addf %v, %s1 : f32
  %s16, %p16 = gpu.shuffle xor %v1, %c16, %w : f32
  %v16 = arith.addf %v1, %s16 : f32
  memref.store %v16, %x[%i] : memref<?xf32>
  gpu.return
}
}
}
