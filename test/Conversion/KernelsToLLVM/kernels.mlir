// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=sm_90a | FileCheck %s --check-prefixes=CHECK,NV
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx942 | FileCheck %s --check-prefixes=CHECK,AMD

// AMD: #mmra_tag = #llvm.mmra_tag<"amdgpu-synchronize-as":"local">

module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {
// CHECK: llvm.mlir.global internal @__wg_row_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x f32>

// Memory behind an argument is global; of a descriptor only the aligned pointer
// and the stride that varies have a use.
// CHECK-LABEL: llvm.func @row(
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %[[X:[^:]*]]: !llvm.ptr<1>, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[STRIDE:[^:]*]]: i64,
// NV-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>
// AMD-SAME: rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 256, 1, 1>
// CHECK-NOT: llvm.insertvalue
// NV: nvvm.read.ptx.sreg.tid.x range <i32, 0, 256> : i32
// AMD: rocdl.workitem.id.x range <i32, 0, 256> : i32
// CHECK: llvm.mul %{{.*}}, %[[STRIDE]]
// CHECK: llvm.getelementptr %[[X]][
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// NV: nvvm.barrier0
// AMD: llvm.fence syncscope("workgroup") release {llvm.mmra = #[[LOCAL:.*]]}
// AMD-NEXT: rocdl.s.barrier
// AMD-NEXT: llvm.fence syncscope("workgroup") acquire {llvm.mmra = #[[LOCAL]]}
// CHECK: llvm.intr.sqrt
// CHECK-NOT: llvm.call
// CHECK: llvm.return
gpu.func @row(%x: memref<?x2048xbf16, strided<[?, 1]>>, %y: memref<?xf32>)
    workgroup(%sums: memref<8xf32, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %block = gpu.block_id x
  %thread = gpu.thread_id x
  %subgroup = gpu.subgroup_id : index
  %column = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%thread]
  %v = vector.load %x[%block, %column] {alignment = 16 : i64} : memref<?x2048xbf16, strided<[?, 1]>>, vector<8xbf16>
  %wide = arith.extf %v : vector<8xbf16> to vector<8xf32>
  %sum = vector.reduction <add>, %wide : vector<8xf32> into f32
  memref.store %sum, %sums[%subgroup] : memref<8xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %c0 = arith.constant 0 : index
  %first = memref.load %sums[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
  %root = math.sqrt %first : f32
  %is_first = arith.cmpi eq, %thread, %c0 : index
  scf.if %is_first {
    memref.store %root, %y[%block] : memref<?xf32>
  }
  gpu.return
}

// The warp's number is the thread's, divided: the register for it may change.
// CHECK-LABEL: llvm.func @sizes(
// CHECK-NOT: warpid
// CHECK: llvm.return
gpu.func @sizes(%x: memref<?xindex>) kernel attributes {known_block_size = array<i32: 64, 4, 1>} {
  %subgroup = gpu.subgroup_id : index
  %size = gpu.block_dim y
  %lanes = gpu.subgroup_size : index
  %count = gpu.num_subgroups : index
  %a = arith.addi %subgroup, %size : index
  %b = arith.addi %a, %lanes : index
  %c = arith.addi %b, %count : index
  memref.store %c, %x[%subgroup] : memref<?xindex>
  gpu.return
}

// CHECK-LABEL: llvm.func @atomics(
// NV: llvm.atomicrmw umax %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, i32
// AMD: llvm.atomicrmw umax %{{.*}} syncscope("agent") monotonic : !llvm.ptr<1>, i32
// NV: llvm.atomicrmw add %{{.*}} syncscope("device") acq_rel : !llvm.ptr<1>, i32
// AMD: llvm.atomicrmw add %{{.*}} syncscope("agent") acq_rel : !llvm.ptr<1>, i32
gpu.func @atomics(%x: memref<2xi32>, %v: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %max = memref.atomic_rmw maxu %v, %x[%c0] : (i32, memref<2xi32>) -> i32
  %old = memref.atomic_rmw addi %v, %x[%c1] : (i32, memref<2xi32>) -> i32
  memref.store %old, %x[%c0] : memref<2xi32>
  gpu.return
}
}
}
