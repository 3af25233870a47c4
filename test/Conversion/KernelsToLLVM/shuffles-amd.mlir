// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx942 | FileCheck %s --check-prefixes=CDNA,CDNA3
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx950 | FileCheck %s --check-prefixes=CDNA,CDNA4

// DPP's controls: 177 is quad_perm [1,0,3,2], 27 [3,2,1,0], 321 the mirroring
// of eight lanes, 296 the rotation by 8.
module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {
// CDNA-LABEL: llvm.func @exchange
// CDNA: rocdl.update.dpp %{{.*}}, %{{.*}} with 177, 15, 15, true : i32
// CDNA: rocdl.update.dpp %{{.*}}, %{{.*}} with 321, 15, 15, true : i32
// CDNA: rocdl.update.dpp %{{.*}}, %{{.*}} with 27, 15, 15, true : i32
// CDNA: rocdl.update.dpp %{{.*}}, %{{.*}} with 296, 15, 15, true : i32
// CDNA3: rocdl.ds_swizzle
// CDNA3: rocdl.ds_bpermute
// CDNA4: rocdl.permlane16.swap
// CDNA4: llvm.call_intrinsic "llvm.amdgcn.inverse.ballot.i64"
// CDNA4: rocdl.permlane32.swap
// CDNA4-NOT: rocdl.ds_
// CDNA: rocdl.readlane
gpu.func @exchange(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<?xf32>
  %w = arith.constant 64 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %s1, %p1 = gpu.shuffle xor %v, %c1, %w : f32
  %v1 = arith.addf %v, %s1 : f32
  %s4, %p4 = gpu.shuffle xor %v1, %c4, %w : f32
  %v4 = arith.addf %v1, %s4 : f32
  %s8, %p8 = gpu.shuffle xor %v4, %c8, %w : f32
  %v8 = arith.addf %v4, %s8 : f32
  %s16, %p16 = gpu.shuffle xor %v8, %c16, %w : f32
  %v16 = arith.addf %v8, %s16 : f32
  %s32, %p32 = gpu.shuffle xor %v16, %c32, %w : f32
  %v32 = arith.addf %v16, %s32 : f32
  %first, %p0 = gpu.shuffle idx %v32, %c0, %w : f32
  memref.store %first, %x[%i] : memref<?xf32>
  gpu.return
}
}
}
