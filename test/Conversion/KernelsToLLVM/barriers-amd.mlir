// A barrier waits for shared memory: neither for stores to global memory, nor are caches
// dropped. Loads that precede it stay ahead of it.
//
// DEFINE: %{chip} =
// DEFINE: %{assembly} = mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=%{chip} \
// DEFINE:   | sed -n -e '/^#/p' -e 's/^  gpu.module @mlafuse_kernels/module/' -e '/^module {/,/^  }/p' \
// DEFINE:   | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=amdgcn-amd-amdhsa -mcpu=%{chip} \
// DEFINE:   | llc -mtriple=amdgcn-amd-amdhsa -mcpu=%{chip}
// REDEFINE: %{chip} = gfx942
// RUN: %{assembly} | FileCheck %s --check-prefix=CDNA
// REDEFINE: %{chip} = gfx950
// RUN: %{assembly} | FileCheck %s --check-prefix=CDNA
// REDEFINE: %{chip} = gfx1201
// RUN: %{assembly} | FileCheck %s --check-prefix=RDNA

module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {
// CDNA-LABEL: in_place:
// CDNA: global_load_dword
// CDNA: global_store_dword
// CDNA-NOT: vmcnt(0)
// CDNA: s_waitcnt lgkmcnt(0)
// CDNA-NEXT: s_barrier
// CDNA-NOT: buffer_inv
// CDNA: ds_read
// CDNA: global_store_dword
// CDNA: s_endpgm

// RDNA-LABEL: in_place:
// RDNA: global_load_b32
// RDNA: global_store_b32
// RDNA-NOT: storecnt
// RDNA: s_wait_dscnt 0x0
// RDNA-NEXT: s_barrier_signal -1
// RDNA-NEXT: s_barrier_wait -1
// RDNA-NOT: global_inv
// RDNA: ds_load
// RDNA: global_store_b32
// RDNA: s_endpgm
gpu.func @in_place(%x: memref<256xf32>, %y: memref<256xf32>)
    workgroup(%sums: memref<256xf32, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %last = arith.constant 255 : index
  %other = arith.subi %last, %i : index
  %v = memref.load %x[%i] : memref<256xf32>
  memref.store %v, %sums[%i] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %v, %y[%i] : memref<256xf32>
  gpu.barrier
  %o = memref.load %sums[%other] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %o, %x[%other] : memref<256xf32>
  gpu.return
}
}
}
