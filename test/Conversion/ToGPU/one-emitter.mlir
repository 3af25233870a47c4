// One program emits the kernels of both vendors: ahead of the last conversion
// their IR differs in what MLAFuse/Target says of the chips (here the size of a
// subgroup, the rows that are many for 132 or 304 multiprocessors, and the chip's
// name), and in nothing else.

// RUN: mlafuse-opt %s --mlafuse-to-gpu=chip=sm_90a --mlafuse-outline-kernels -o %t.sm_90a
// RUN: mlafuse-opt %s --mlafuse-to-gpu=chip=gfx942 --mlafuse-outline-kernels -o %t.gfx942
// RUN: not cmp -s %t.sm_90a %t.gfx942
// RUN: grep "gpu.func @group_kernel" %t.sm_90a
// RUN: sed 's/c32_i32/subgroup/g; s/ 32 : i32/ SUBGROUP : i32/; s/1056/MANY/g; s/sm_90a/CHIP/' %t.sm_90a > %t.a
// RUN: sed 's/c64_i32/subgroup/g; s/ 64 : i32/ SUBGROUP : i32/; s/2432/MANY/g; s/gfx942/CHIP/' %t.gfx942 > %t.b
// RUN: diff %t.a %t.b

func.func @group(%x: memref<?x16384xbf16>, %q: memref<?x16384xf8E4M3FN>, %s: memref<?x128xf32>) {
  mlafuse.quantize ins(%x : memref<?x16384xbf16>) outs(%q, %s : memref<?x16384xf8E4M3FN>, memref<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>}
  return
}
