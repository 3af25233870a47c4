// The kernels of every chip, in every form.
//
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX -DCHIP=sm_80
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_89 --emit=ptx | FileCheck %s --check-prefix=PTX -DCHIP=sm_89
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX -DCHIP=sm_90a
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_100a --emit=ptx | FileCheck %s --check-prefix=PTX -DCHIP=sm_100a
// PTX: .target [[CHIP]]
// PTX: .visible .entry f_kernel(
// PTX-NEXT: .param .u64
// PTX-NEXT: .param .u64
// PTX-NEXT: .param .u64
// PTX-NEXT: )
// PTX-NEXT: .reqntid 256, 1, 1
// PTX: ld.global.b32
// PTX-NOT: fma
// PTX-NOT: ftz
// PTX: mul.rn.f32
// PTX: add.rn.f32
// PTX: sqrt.rn.f32
// PTX: div.rn.f32
// PTX: st.global.b32
// PTX: .visible .entry f_kernel_0(
// PTX-NEXT: .param .u64
// PTX-NEXT: )

// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_90a --emit=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define ptx_kernel void @f_kernel(
// LLVM: attributes #0 = { {{.*}}"target-cpu"="sm_90a"

// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=rocdl:gfx942 --emit=hsaco -o %t.942
// RUN: llvm-readelf --notes %t.942 | FileCheck %s --check-prefixes=HSACO,WAVE64 -DCHIP=gfx942
// RUN: llvm-nm -D %t.942 | FileCheck %s --check-prefix=SYMBOLS
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=rocdl:gfx950 --emit=hsaco -o %t.950
// RUN: llvm-readelf --notes %t.950 | FileCheck %s --check-prefixes=HSACO,WAVE64 -DCHIP=gfx950
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=rocdl:gfx1201 --emit=hsaco -o %t.1201
// RUN: llvm-readelf --notes %t.1201 | FileCheck %s --check-prefixes=HSACO,WAVE32 -DCHIP=gfx1201
// No argument is hidden, so that the runtime passes what the kernel reads.
// HSACO: .args:
// HSACO: .offset: 0
// HSACO: .offset: 8
// HSACO: .offset: 16
// HSACO: .kernarg_segment_size: 24
// HSACO: .max_flat_workgroup_size: 256
// HSACO: .name: f_kernel
// HSACO: .private_segment_fixed_size: 0
// WAVE64: .wavefront_size: 64
// WAVE32: .wavefront_size: 32
// HSACO: .kernarg_segment_size: 8
// HSACO: .name: f_kernel_0
// HSACO: amdhsa.target: amdgcn-amd-amdhsa--[[CHIP]]
// HSACO: amdhsa.version:
// HSACO-NEXT: - 1
// HSACO-NEXT: - 2
// SYMBOLS-NOT: {{ [A-Z] }}
// SYMBOLS: T f_kernel
// SYMBOLS-NEXT: R f_kernel.kd
// SYMBOLS-NEXT: T f_kernel_0
// SYMBOLS-NEXT: R f_kernel_0.kd
// SYMBOLS-NOT: {{ [A-Z] }}

// One input gives one image.
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=rocdl:gfx942 --emit=hsaco -o %t.again
// RUN: cmp %t.again %t.942

// The program as it is ahead of the last conversion compiles to the same.
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=lowered -o %t.lowered
// RUN: FileCheck %s --check-prefix=LOWERED < %t.lowered
// LOWERED: func.func @norm(
// LOWERED: gpu.launch_func @mlafuse_kernels::@norm_kernel
// LOWERED: gpu.module @mlafuse_kernels
// LOWERED: gpu.func @norm_kernel
// LOWERED-NOT: affine.
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=ptx -o %t.ptx
// RUN: mlafuse-compile %t.lowered --target=nvvm:sm_90a --emit=ptx | cmp - %t.ptx

// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=mlir | FileCheck %s --check-prefix=MLIR
// MLIR: mlafuse.rms_norm ins

func.func @norm(%x: tensor<?x64xbf16>, %o: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
