// The machine's code: wide accesses to global memory, conversions by
// instruction, no contraction, no flush of subnormals, no scratch memory.
//
// DEFINE: %{chip} =
// DEFINE: %{width} =
// DEFINE: %{type} =
// DEFINE: %{kernels} = sed -e 's/TYPE/%{type}/g' -e 's/WIDTH/%{width}/' %s | mlafuse-opt --mlafuse-kernels-to-llvm=chip=%{chip} \
// DEFINE:   | sed -n -e '/^#/p' -e 's/^  gpu.module @mlafuse_kernels/module/' -e '/^module {/,/^  }/p' \
// DEFINE:   | mlir-translate --mlir-to-llvmir
// REDEFINE: %{chip} = sm_90a
// REDEFINE: %{width} = 32
// REDEFINE: %{type} = f8E4M3FN
// RUN: %{kernels} | opt -O3 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a \
// RUN:   | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx80 | FileCheck %s --check-prefix=PTX
// REDEFINE: %{chip} = gfx942
// REDEFINE: %{width} = 64
// REDEFINE: %{type} = f8E4M3FNUZ
// RUN: %{kernels} | opt -O3 -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 \
// RUN:   | llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 | FileCheck %s --check-prefix=GCN
// REDEFINE: %{chip} = gfx1201
// REDEFINE: %{width} = 32
// REDEFINE: %{type} = f8E4M3FN
// RUN: %{kernels} | opt -O3 -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1201 \
// RUN:   | llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1201 | FileCheck %s --check-prefix=GFX12

module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {
// PTX: .entry row(
// PTX: .reqntid 256, 1, 1
// PTX: ld.global.v4.b32
// PTX-NOT: .ftz
// PTX-NOT: fma
// PTX: mul.rn.f32
// PTX: bar.sync 0
// PTX: sqrt.rn.f32
// PTX: cvt.rn.satfinite.e4m3x2.f32
// PTX-COUNT-1: st.global.v4.b16
// PTX-NOT: st.global
// PTX: ret;

// GCN-LABEL: row:
// GCN: global_load_dwordx4
// GCN-NOT: flat_
// GCN-NOT: v_pk_fma
// GCN: v_add_f32_dpp {{.*}} quad_perm:[1,0,3,2]
// GCN: s_barrier
// GCN-COUNT-4: v_cvt_pk_fp8_f32
// GCN: global_store_dwordx2
// GCN: .amdhsa_private_segment_fixed_size 0
// GCN: .amdhsa_float_denorm_mode_32 3

// GFX12-LABEL: row:
// GFX12: global_load_b128
// GFX12: v_add_f32_dpp {{.*}} row_xmask:1
// GFX12: s_barrier_wait
// GFX12-COUNT-4: v_cvt_pk_fp8_f32
// GFX12: global_store_b64
// GFX12: .amdhsa_private_segment_fixed_size 0
gpu.func @row(%x: memref<?x2048xbf16, strided<[?, 1]>>, %q: memref<?x2048xTYPE>)
    workgroup(%sums: memref<8xf32, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %width = arith.constant WIDTH : i32
  %block = gpu.block_id x
  %thread = gpu.thread_id x
  %subgroup = gpu.subgroup_id : index
  %column = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%thread]
  %v = vector.load %x[%block, %column] {alignment = 16 : i64} : memref<?x2048xbf16, strided<[?, 1]>>, vector<8xbf16>
  %wide = arith.extf %v : vector<8xbf16> to vector<8xf32>
  %square = arith.mulf %wide, %wide : vector<8xf32>
  %sum = vector.reduction <add>, %square : vector<8xf32> into f32
  %other, %valid = gpu.shuffle xor %sum, %c1_i32, %width : f32
  %both = arith.addf %sum, %other : f32
  memref.store %both, %sums[%subgroup] : memref<8xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %first = memref.load %sums[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
  %root = math.sqrt %first : f32
  %factor = vector.broadcast %root : f32 to vector<8xf32>
  %y = arith.mulf %wide, %factor : vector<8xf32>
  %codes = arith.truncf %y : vector<8xf32> to vector<8xTYPE>
  vector.store %codes, %q[%block, %column] {alignment = 8 : i64} : memref<?x2048xTYPE>, vector<8xTYPE>
  gpu.return
}
}
}
