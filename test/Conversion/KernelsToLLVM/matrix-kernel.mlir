// What a kernel for the matrix units is made of, from its launch to the assembler:
// instructions as inline assembly, dynamic shared memory, addresses as numbers,
// scalars of the host, a bound on its registers, and a start before the kernel
// ahead of it has ended.
//
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-place-workspace,mlafuse-outline-kernels,canonicalize)' -o %t.mlir
// RUN: FileCheck %s --check-prefix=OUTLINED < %t.mlir
// RUN: mlafuse-compile %t.mlir --target=nvvm:sm_90a --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: mlafuse-opt %t.mlir --mlafuse-kernels-to-llvm=chip=sm_90a --mlafuse-launch-kernels --canonicalize | FileCheck %s --check-prefix=LAUNCH
// RUN: %if ptxas %{ mlafuse-compile %t.mlir --target=nvvm:sm_90a --emit=cubin -o %t.cubin %}

// OUTLINED: gpu.launch_func @mlafuse_kernels::@f_kernel
// OUTLINED-SAME: dynamic_shared_memory_size %c204800_i32
// OUTLINED-SAME: {mlafuse.overlaps_previous}
// OUTLINED: gpu.func @f_kernel
// OUTLINED-SAME: mlafuse.blocks_per_multiprocessor = 1 : i32

// PTX: .extern .shared .align 128 .b8
// PTX: .entry f_kernel(
// PTX: .reqntid 384, 1, 1
// PTX-NEXT: .minnctapersm 1
// PTX: griddepcontrol.wait;
// PTX: ld.shared.v2.b32
// PTX: st.global

// The flag is the sixth field; 204800 bytes of dynamic shared memory the fourth.
// LAUNCH: %[[SHARED:.*]] = llvm.getelementptr %[[LAUNCH:.*]][0, 3]
// LAUNCH: llvm.store %c204800_i32, %[[SHARED]]
// LAUNCH: %[[FLAGS:.*]] = llvm.getelementptr %[[LAUNCH]][0, 5]
// LAUNCH: llvm.store %c1_i32, %[[FLAGS]]
// LAUNCH: llvm.func @f_kernel
// LAUNCH-SAME: nvvm.minctasm = 1 : i32
// LAUNCH-NOT: mlafuse.blocks_per_multiprocessor
func.func @f(%x: memref<?x64xf32>, %y: memref<?xf32, strided<[1], offset: ?>>) attributes {mlafuse.signature = {
    arguments = [{access = "read", layout = "contiguous", name = "x", shape = ["T", 64], type = f32},
                 {access = "write", layout = "contiguous", name = "y", shape = ["T"], type = f32}],
    name = "f", results = [{argument = 1 : i64, name = "y", shape = ["T"]}]}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  %shared = arith.constant 204800 : i32
  %t = memref.dim %x, %c0 : memref<?x64xf32>
  %tokens = arith.index_cast %t : index to i32
  %wide = arith.index_cast %t : index to i64
  %scale = arith.sitofp %tokens : i32 to f32
  gpu.launch blocks(%b, %by, %bz) in (%gx = %t, %gy = %c1, %gz = %c1) threads(%i, %j, %k) in (%bx = %c384, %bby = %c1, %bbz = %c1)
      dynamic_shared_memory_size %shared {
    llvm.inline_asm has_side_effects asm_dialect = att "griddepcontrol.wait;", "~{memory}" : () -> ()
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %place = memref.extract_aligned_pointer_as_index %memory : memref<?xi8, #gpu.address_space<workgroup>> -> index
    %at = arith.index_cast %place : index to i32
    %pair = llvm.inline_asm has_side_effects asm_dialect = att "ld.shared.v2.b32 {$0, $1}, [$2];", "=r,=r,r,~{memory}" %at : (i32) -> !llvm.struct<(i32, i32)>
    %low = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i32)>
    %high = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i32)>
    %sum = llvm.add %low, %high : i32
    %bounded = arith.minsi %sum, %tokens : i32
    %value = llvm.sitofp %bounded : i32 to f32
    %scaled = arith.mulf %value, %scale : f32
    %from = memref.extract_aligned_pointer_as_index %x : memref<?x64xf32> -> index
    %number = arith.index_cast %from : index to i64
    %past = arith.addi %number, %wide : i64
    %low32 = llvm.trunc %past : i64 to i32
    %shift = llvm.sitofp %low32 : i32 to f32
    %result = arith.addf %scaled, %shift : f32
    memref.store %result, %y[%b] : memref<?xf32, strided<[1], offset: ?>>
    gpu.terminator
  } {mlafuse.blocks_per_multiprocessor = 1 : i32, mlafuse.overlaps_previous}
  return
}
