// A product that is rounded to f16 is computed in f32, and rounded by a conversion. LLVM
// would have it otherwise: with a factor of bf16 in f16, which cannot hold the factor;
// on AMD by v_fma_mixlo_f16, whose addend of +0 turns -0 into +0.
//
// DEFINE: %{chip} =
// DEFINE: %{triple} =
// DEFINE: %{ir} = mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=%{chip} \
// DEFINE:   | sed -n -e '/^#/p' -e 's/^  gpu.module @mlafuse_kernels/module/' -e '/^module {/,/^  }/p' \
// DEFINE:   | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=%{triple} -mcpu=%{chip}
// REDEFINE: %{chip} = sm_90a
// REDEFINE: %{triple} = nvptx64-nvidia-cuda
// RUN: %{ir} -S | FileCheck %s --check-prefix=NV
// REDEFINE: %{triple} = amdgcn-amd-amdhsa
// REDEFINE: %{chip} = gfx942
// RUN: %{ir} | llc -mtriple=%{triple} -mcpu=%{chip} | FileCheck %s --check-prefix=AMD
// REDEFINE: %{chip} = gfx950
// RUN: %{ir} | llc -mtriple=%{triple} -mcpu=%{chip} | FileCheck %s --check-prefix=AMD
// REDEFINE: %{chip} = gfx1201
// RUN: %{ir} | llc -mtriple=%{triple} -mcpu=%{chip} | FileCheck %s --check-prefix=AMD

module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {
// NV-LABEL: @bf16_weight(
// NV-NOT: fmul {{.*}}half
// NV: fmul <4 x float>
// NV-NEXT: fptrunc <4 x float> %{{.*}} to <4 x half>
// AMD-LABEL: bf16_weight:
// AMD-NOT: v_{{(pk_)?}}mul_f16
// AMD-NOT: mix
// AMD: v_cvt_f16_f32
// AMD: s_endpgm
gpu.func @bf16_weight(%x: memref<?xf16>, %w: memref<?xbf16>, %y: memref<?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %a = vector.load %x[%i] : memref<?xf16>, vector<4xf16>
  %b = vector.load %w[%i] : memref<?xbf16>, vector<4xbf16>
  %a32 = arith.extf %a : vector<4xf16> to vector<4xf32>
  %b32 = arith.extf %b : vector<4xbf16> to vector<4xf32>
  %p = arith.mulf %a32, %b32 : vector<4xf32>
  %r = arith.truncf %p : vector<4xf32> to vector<4xf16>
  vector.store %r, %y[%i] : memref<?xf16>, vector<4xf16>
  gpu.return
}

// An odd number of elements takes another way.
// NV-LABEL: @odd_bf16_weight(
// NV-NOT: fmul {{.*}}half
// NV: fmul <3 x float>
// NV-NEXT: fptrunc <3 x float> %{{.*}} to <3 x half>
// AMD-LABEL: odd_bf16_weight:
// AMD-NOT: v_{{(pk_)?}}mul_f16
// AMD-NOT: mix
// AMD: v_cvt_f16_f32
// AMD: s_endpgm
gpu.func @odd_bf16_weight(%x: memref<?xf16>, %w: memref<?xbf16>, %y: memref<?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %a = vector.load %x[%i] : memref<?xf16>, vector<3xf16>
  %b = vector.load %w[%i] : memref<?xbf16>, vector<3xbf16>
  %a32 = arith.extf %a : vector<3xf16> to vector<3xf32>
  %b32 = arith.extf %b : vector<3xbf16> to vector<3xf32>
  %p = arith.mulf %a32, %b32 : vector<3xf32>
  %r = arith.truncf %p : vector<3xf32> to vector<3xf16>
  vector.store %r, %y[%i] : memref<?xf16>, vector<3xf16>
  gpu.return
}

// AMD-LABEL: f32_factors:
// AMD-NOT: mix
// AMD: v_cvt_f16_f32
// AMD: s_endpgm
gpu.func @f32_factors(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %a = memref.load %x[%i] : memref<?xf32>
  %b = memref.load %w[%i] : memref<?xf32>
  %p = arith.mulf %a, %b : f32
  %r = arith.truncf %p : f32 to f16
  memref.store %r, %y[%i] : memref<?xf16>
  gpu.return
}
}
}
