// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=sm_80 | FileCheck %s --check-prefixes=NV,NVSOFT,NVSOFT4
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=sm_89 | FileCheck %s --check-prefixes=NV,NVF8,NVSOFT4
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=sm_90a | FileCheck %s --check-prefixes=NV,NVF8,NVSOFT4
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=sm_100a | FileCheck %s --check-prefixes=NV,NVF8,NVF4
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx942 | FileCheck %s --check-prefixes=AMD,FNUZ
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx950 | FileCheck %s --check-prefixes=AMD,OCP,OCPF4
// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx1201 | FileCheck %s --check-prefixes=AMD,OCP,OCPSOFT4

// Every narrow float in both directions: the chip's instruction, of its own
// flavour, or none of them.

module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {

// NV-LABEL: llvm.func @encode_f8E4M3FN(
// AMD-LABEL: llvm.func @encode_f8E4M3FN(
// NVF8-COUNT-4: nvvm.convert.f32x2.to.f8x2 %{{.*}}, %{{.*}} {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E4M3FN)
// NVSOFT-NOT: {{nvvm.convert|rocdl.cvt}}
// NVSOFT: llvm.return
// FNUZ-NOT: {{nvvm.convert|rocdl.cvt}}
// FNUZ: llvm.return
// OCP-COUNT-8: rocdl.fmed3
// OCP-COUNT-4: rocdl.cvt.pk.fp8.f32
gpu.func @encode_f8E4M3FN(%x: memref<?xf32>, %q: memref<?xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
  %c = arith.truncf %v : vector<8xf32> to vector<8xf8E4M3FN>
  vector.store %c, %q[%i] : memref<?xf8E4M3FN>, vector<8xf8E4M3FN>
  gpu.return
}

// NV-LABEL: llvm.func @encode_f8E4M3FNUZ(
// AMD-LABEL: llvm.func @encode_f8E4M3FNUZ(
// NV-NOT: {{nvvm.convert|rocdl.cvt}}
// NV: llvm.return
// OCP-NOT: {{nvvm.convert|rocdl.cvt}}
// OCP: llvm.return
// FNUZ-COUNT-8: rocdl.fmed3
// FNUZ-COUNT-4: rocdl.cvt.pk.fp8.f32
gpu.func @encode_f8E4M3FNUZ(%x: memref<?xf32>, %q: memref<?xf8E4M3FNUZ>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
  %c = arith.truncf %v : vector<8xf32> to vector<8xf8E4M3FNUZ>
  vector.store %c, %q[%i] : memref<?xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>
  gpu.return
}

// NV-LABEL: llvm.func @encode_f8E5M2(
// AMD-LABEL: llvm.func @encode_f8E5M2(
// NVF8-COUNT-4: nvvm.convert.f32x2.to.f8x2 {{.*}}satfinite{{.*}}(f8E5M2)
// NVSOFT-NOT: {{nvvm.convert|rocdl.cvt}}
// NVSOFT: llvm.return
// FNUZ-NOT: {{nvvm.convert|rocdl.cvt}}
// FNUZ: llvm.return
// OCP-COUNT-4: rocdl.cvt.pk.bf8.f32
gpu.func @encode_f8E5M2(%x: memref<?xf32>, %q: memref<?xf8E5M2>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
  %c = arith.truncf %v : vector<8xf32> to vector<8xf8E5M2>
  vector.store %c, %q[%i] : memref<?xf8E5M2>, vector<8xf8E5M2>
  gpu.return
}

// NV-LABEL: llvm.func @encode_f4(
// AMD-LABEL: llvm.func @encode_f4(
// NVF4: nvvm.convert.f32x2.to.f4x2 {{.*}} : i8(f4E2M1FN)
// NVSOFT4-NOT: {{nvvm.convert|rocdl.cvt}}
// NVSOFT4: llvm.return
// FNUZ-NOT: {{nvvm.convert|rocdl.cvt}}
// FNUZ: llvm.return
// OCPSOFT4-NOT: {{nvvm.convert|rocdl.cvt}}
// OCPSOFT4: llvm.return
// OCPF4-COUNT-4: rocdl.cvt.scalef32.pk.fp4.f32
gpu.func @encode_f4(%x: memref<?xf32>, %q: memref<?xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
  %c = arith.truncf %v : vector<8xf32> to vector<8xf4E2M1FN>
  %p = vector.bitcast %c : vector<8xf4E2M1FN> to vector<4xi8>
  vector.store %p, %q[%i] : memref<?xi8>, vector<4xi8>
  gpu.return
}

// Eight codes may be one integer.

// NV-LABEL: llvm.func @encode_f4_word(
// AMD-LABEL: llvm.func @encode_f4_word(
// NVF4-COUNT-4: nvvm.convert.f32x2.to.f4x2 {{.*}} : i8(f4E2M1FN)
// OCPF4-COUNT-4: rocdl.cvt.scalef32.pk.fp4.f32
gpu.func @encode_f4_word(%x: memref<?xf32>, %q: memref<?xi32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
  %c = arith.truncf %v : vector<8xf32> to vector<8xf4E2M1FN>
  %p = vector.bitcast %c : vector<8xf4E2M1FN> to vector<1xi32>
  vector.store %p, %q[%i] : memref<?xi32>, vector<1xi32>
  gpu.return
}

// NV-LABEL: llvm.func @decode_f8E4M3FN(
// AMD-LABEL: llvm.func @decode_f8E4M3FN(
// NVF8-COUNT-4: nvvm.convert.f8x2.to.f16x2 {{.*}}(f8E4M3FN)
// NVSOFT-NOT: {{nvvm.convert|rocdl.cvt}}
// NVSOFT: llvm.return
// FNUZ-NOT: {{nvvm.convert|rocdl.cvt}}
// FNUZ: llvm.return
// OCP-COUNT-4: rocdl.cvt.pk.f32.fp8
gpu.func @decode_f8E4M3FN(%x: memref<?xf32>, %q: memref<?xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %c = vector.load %q[%i] : memref<?xf8E4M3FN>, vector<8xf8E4M3FN>
  %v = arith.extf %c : vector<8xf8E4M3FN> to vector<8xf32>
  vector.store %v, %x[%i] : memref<?xf32>, vector<8xf32>
  gpu.return
}

// NV-LABEL: llvm.func @decode_f8E4M3FNUZ(
// AMD-LABEL: llvm.func @decode_f8E4M3FNUZ(
// NV-NOT: {{nvvm.convert|rocdl.cvt}}
// NV: llvm.return
// OCP-NOT: {{nvvm.convert|rocdl.cvt}}
// OCP: llvm.return
// FNUZ-COUNT-4: rocdl.cvt.pk.f32.fp8
gpu.func @decode_f8E4M3FNUZ(%x: memref<?xf32>, %q: memref<?xf8E4M3FNUZ>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %c = vector.load %q[%i] : memref<?xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>
  %v = arith.extf %c : vector<8xf8E4M3FNUZ> to vector<8xf32>
  vector.store %v, %x[%i] : memref<?xf32>, vector<8xf32>
  gpu.return
}

// NV-LABEL: llvm.func @decode_f8E5M2(
// AMD-LABEL: llvm.func @decode_f8E5M2(
// NVF8-COUNT-4: nvvm.convert.f8x2.to.f16x2 {{.*}}(f8E5M2)
// NVSOFT-NOT: {{nvvm.convert|rocdl.cvt}}
// NVSOFT: llvm.return
// FNUZ-NOT: {{nvvm.convert|rocdl.cvt}}
// FNUZ: llvm.return
// OCP-COUNT-4: rocdl.cvt.pk.f32.bf8
gpu.func @decode_f8E5M2(%x: memref<?xf32>, %q: memref<?xf8E5M2>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %c = vector.load %q[%i] : memref<?xf8E5M2>, vector<8xf8E5M2>
  %v = arith.extf %c : vector<8xf8E5M2> to vector<8xf32>
  vector.store %v, %x[%i] : memref<?xf32>, vector<8xf32>
  gpu.return
}

// NV-LABEL: llvm.func @decode_f8E8M0FNU(
// AMD-LABEL: llvm.func @decode_f8E8M0FNU(
// NV-NOT: {{nvvm.convert|rocdl.cvt}}
// NV: llvm.return
// AMD-NOT: {{nvvm.convert|rocdl.cvt}}
// AMD: llvm.return
gpu.func @decode_f8E8M0FNU(%x: memref<?xf32>, %q: memref<?xf8E8M0FNU>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %c = vector.load %q[%i] : memref<?xf8E8M0FNU>, vector<8xf8E8M0FNU>
  %v = arith.extf %c : vector<8xf8E8M0FNU> to vector<8xf32>
  vector.store %v, %x[%i] : memref<?xf32>, vector<8xf32>
  gpu.return
}

// NV-LABEL: llvm.func @decode_f4(
// AMD-LABEL: llvm.func @decode_f4(
// NVF4-COUNT-4: nvvm.convert.f4x2.to.f16x2
// NVSOFT4-NOT: {{nvvm.convert|rocdl.cvt}}
// NVSOFT4: llvm.return
// FNUZ-NOT: {{nvvm.convert|rocdl.cvt}}
// FNUZ: llvm.return
// OCPSOFT4-NOT: {{nvvm.convert|rocdl.cvt}}
// OCPSOFT4: llvm.return
// OCPF4-COUNT-4: rocdl.cvt.scalef32.pk.f32.fp4
gpu.func @decode_f4(%x: memref<?xf32>, %q: memref<?xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %p = vector.load %q[%i] : memref<?xi8>, vector<4xi8>
  %c = vector.bitcast %p : vector<4xi8> to vector<8xf4E2M1FN>
  %v = arith.extf %c : vector<8xf4E2M1FN> to vector<8xf32>
  vector.store %v, %x[%i] : memref<?xf32>, vector<8xf32>
  gpu.return
}

// NV-LABEL: llvm.func @encode_bf16(
// AMD-LABEL: llvm.func @encode_bf16(
// NV-COUNT-4: nvvm.convert.f32x2.to.bf16x2
// OCPF4: llvm.fptrunc
// FNUZ-NOT: llvm.fptrunc
// OCPSOFT4-NOT: llvm.fptrunc
// AMD: llvm.return
gpu.func @encode_bf16(%x: memref<?xf32>, %q: memref<?xbf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
  %c = arith.truncf %v : vector<8xf32> to vector<8xbf16>
  vector.store %c, %q[%i] : memref<?xbf16>, vector<8xbf16>
  gpu.return
}

// NV-LABEL: llvm.func @decode_bf16(
// AMD-LABEL: llvm.func @decode_bf16(
// NV-NOT: llvm.fpext
// NV: llvm.return
// AMD-NOT: llvm.fpext
// AMD: llvm.return
gpu.func @decode_bf16(%x: memref<?xf32>, %q: memref<?xbf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %c = vector.load %q[%i] : memref<?xbf16>, vector<8xbf16>
  %v = arith.extf %c : vector<8xbf16> to vector<8xf32>
  vector.store %v, %x[%i] : memref<?xf32>, vector<8xf32>
  gpu.return
}

// NV-LABEL: llvm.func @scalar(
// AMD-LABEL: llvm.func @scalar(
// NVF8-COUNT-1: nvvm.convert.f32x2.to.f8x2
// NVF8-NOT: nvvm.convert.f32x2.to.f8x2
// OCP-COUNT-1: rocdl.cvt.pk.fp8.f32
// OCP-NOT: rocdl.cvt.pk.fp8.f32
gpu.func @scalar(%x: memref<?xf32>, %q: memref<?xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<?xf32>
  %c = arith.truncf %v : f32 to f8E4M3FN
  memref.store %c, %q[%i] : memref<?xf8E4M3FN>
  gpu.return
}

// NV-LABEL: llvm.func @odd(
// AMD-LABEL: llvm.func @odd(
// NVF8-COUNT-2: nvvm.convert.f32x2.to.f8x2
// OCP-COUNT-2: rocdl.cvt.pk.fp8.f32
// NV: llvm.store {{.*}} : vector<3xi8>
// AMD: llvm.store {{.*}} : vector<3xi8>
gpu.func @odd(%x: memref<?xf32>, %q: memref<?xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %i = gpu.thread_id x
  %v = vector.load %x[%i] : memref<?xf32>, vector<3xf32>
  %c = arith.truncf %v : vector<3xf32> to vector<3xf8E4M3FN>
  vector.store %c, %q[%i] : memref<?xf8E4M3FN>, vector<3xf8E4M3FN>
  gpu.return
}

}
}
