// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// A group of 128 is 16 elements of each of 8 neighbours; rows are cut into
// segments of 2048. One scale serves a thread's whole chunk: its reciprocal is
// computed once and quotients are corrected by their remainder.

// CHECK-LABEL: func.func @group
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %c8{{.*}}, %{{.*}} = %c1{{.*}}) threads({{.*}}) in (%{{.*}} = %c128
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<?x16384xbf16>, vector<16xbf16>
// CHECK-COUNT-3: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: arith.divf %{{.*}} : f32
// CHECK: math.fma
// CHECK: arith.truncf %{{.*}} : vector<16xf32> to vector<16xf8E4M3FN>
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?x16384xf8E4M3FN>, vector<16xf8E4M3FN>
func.func @group(%x: memref<?x16384xbf16>, %q: memref<?x16384xf8E4M3FN>, %s: memref<?x128xf32>) {
  mlafuse.quantize ins(%x : memref<?x16384xbf16>) outs(%q, %s : memref<?x16384xf8E4M3FN>, memref<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>}
  return
}

// -----

// NVFP4: a thread has a whole group, and stores two codes to a byte.

// CHECK-LABEL: func.func @nvfp4
// CHECK-NOT: gpu.shuffle
// CHECK: arith.truncf %{{.*}} : vector<16xf32> to vector<16xf4E2M1FN>
// CHECK: vector.bitcast %{{.*}} : vector<16xf4E2M1FN> to vector<8xi8>
func.func @nvfp4(%x: memref<?x512xbf16>, %q: memref<?x256xi8>, %s: memref<?x32xf8E4M3FN>, %g: memref<1xf32>) {
  mlafuse.quantize ins(%x : memref<?x512xbf16>) global_scale(%g : memref<1xf32>) outs(%q, %s : memref<?x256xi8>, memref<?x32xf8E4M3FN>) {key = #mlafuse.quant_key<nvfp4_dynamic>}
  return
}

// -----

// Groups of 48 are no run of threads: maxima meet in shared memory, as the bits
// of numbers that are not negative.

// CHECK-LABEL: func.func @odd_group
// CHECK: workgroup(%[[MAXIMA:.*]] : memref<8xi32, #gpu.address_space<workgroup>>)
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw maxu %{{.*}}, %[[MAXIMA]]
// CHECK: gpu.barrier
func.func @odd_group(%x: memref<?x384xbf16>, %q: memref<?x384xf8E4M3FN>, %s: memref<?x8xf32>) {
  mlafuse.quantize ins(%x : memref<?x384xbf16>) outs(%q, %s : memref<?x384xf8E4M3FN>, memref<?x8xf32>) {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 48], sym>}
  return
}

// -----

// The scales' padding is the work of blocks of their own.

// CHECK-LABEL: func.func @padding
// CHECK: gpu.launch
// CHECK: scf.if
// CHECK: } else {
// CHECK: vector.store %{{.*}} : memref<4x?xf32>, vector<1xf32>
func.func @padding(%x: memref<?x512xbf16>, %q: memref<?x512xf8E4M3FN>, %s: memref<4x?xf32>) {
  mlafuse.quantize ins(%x : memref<?x512xbf16>) outs(%q, %s : memref<?x512xf8E4M3FN>, memref<4x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>}
  return
}

// -----

// One scale for the tensor: three launches find it, and the fourth uses it.

// CHECK-LABEL: func.func @tensor
// CHECK-COUNT-2: gpu.launch
// CHECK: memref.atomic_rmw maximumf
// CHECK-COUNT-2: gpu.launch
// CHECK-NOT: gpu.launch
func.func @tensor(%x: memref<?x7xf32>, %q: memref<?x7xf8E4M3FN>, %s: memref<1xf32>) {
  mlafuse.quantize ins(%x : memref<?x7xf32>) outs(%q, %s : memref<?x7xf8E4M3FN>, memref<1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>}
  return
}
