// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// A row of 384 elements is two chunks of 8 for each of 32 threads, the second
// for half of them, and four rows share a block. The host picks the form by what
// addresses allow.

// CHECK-LABEL: func.func @rms_norm
// CHECK-SAME: (%[[X:.*]]: memref<?x384xbf16>, %[[W:.*]]: memref<384xbf16>, %[[Y:.*]]: memref<?x384xbf16>)
// CHECK-DAG: %[[C15:.*]] = arith.constant 15 : index
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: arith.andi %{{.*}}, %[[C15]]
// CHECK: scf.if
// CHECK: gpu.launch blocks(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %c1{{.*}}, %{{.*}} = %c1{{.*}}) threads(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %c128
// CHECK: vector.load %[[X]]{{.*}} {alignment = 16 : i64} : memref<?x384xbf16>, vector<8xbf16>
// CHECK: scf.if %{{.*}} -> (vector<8xbf16>)
// CHECK: vector.load %[[X]]{{.*}} {alignment = 16 : i64} : memref<?x384xbf16>, vector<8xbf16>
// CHECK-NOT: vector.load %[[X]]
// CHECK: vector.load %[[W]]
// CHECK: math.fma
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: math.sqrt
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
// CHECK: vector.store %{{.*}}, %[[Y]]{{.*}} {alignment = 16 : i64}
// CHECK: } else {
// CHECK: vector.load %[[X]]{{.*}} {alignment = 2 : i64} : memref<?x384xbf16>, vector<8xbf16>
func.func @rms_norm(%x: memref<?x384xbf16>, %w: memref<384xbf16>, %y: memref<?x384xbf16>) {
  mlafuse.rms_norm ins(%x, %w : memref<?x384xbf16>, memref<384xbf16>) outs(%y : memref<?x384xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// A row that one subgroup cannot hold: several, which meet in shared memory.
// Few such teams fit a multiprocessor: each loops over rows, and loads the next
// one ahead of the work on this one. What they share has a place for either.

// CHECK-LABEL: func.func @wide
// CHECK-DAG: %[[RESIDENT:.*]] = arith.constant 396 : index
// CHECK: arith.minui %{{.*}}, %[[RESIDENT]]
// CHECK: gpu.launch {{.*}} workgroup(%[[SHARED:.*]] : memref<8xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-4: vector.load %{{.*}} : memref<?x7168xbf16>, vector<16xbf16>
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.if
// CHECK-COUNT-4: vector.load %{{.*}} : memref<?x7168xbf16>, vector<16xbf16>
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: vector.load %[[SHARED]]
func.func @wide(%x: memref<?x7168xbf16>, %y: memref<?x7168xbf16>) {
  mlafuse.rms_norm ins(%x : memref<?x7168xbf16>) outs(%y : memref<?x7168xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// An odd width: chunks of one element, the last of which not every thread has,
// and nothing to choose by.

// CHECK-LABEL: func.func @odd
// CHECK-NOT: memref.extract_aligned_pointer_as_index
// CHECK: scf.if %{{.*}} -> (vector<1xbf16>)
func.func @odd(%x: memref<?x33xbf16>, %y: memref<?x33xbf16>) {
  mlafuse.rms_norm ins(%x : memref<?x33xbf16>) outs(%y : memref<?x33xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// A latent row beside a longer one: the same tile as by itself, in the first 64
// of 128 threads, so that its sum has the same order. The sums meet once.

// CHECK-LABEL: func.func @dual
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[C64]]
// CHECK-COUNT-10: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: } else {
func.func @dual(%q: memref<?x4096xbf16>, %k: memref<?x512xbf16>, %qw: memref<4096xbf16>, %kw: memref<512xbf16>, %qy: memref<?x4096xbf16>, %ky: memref<?x512xbf16>) {
  mlafuse.dual_rms_norm ins(%q, %qw, %k, %kw : memref<?x4096xbf16>, memref<4096xbf16>, memref<?x512xbf16>, memref<512xbf16>) outs(%qy, %ky : memref<?x4096xbf16>, memref<?x512xbf16>)
      {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32}
  return
}

// -----

// A free outer stride is checked with the address.

// CHECK-LABEL: func.func @strided
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: arith.muli %[[STRIDES]]#0
func.func @strided(%x: memref<?x512xbf16, strided<[?, 1]>>, %y: memref<?x512xbf16>) {
  mlafuse.rms_norm ins(%x : memref<?x512xbf16, strided<[?, 1]>>) outs(%y : memref<?x512xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

// The count lies on the device: the kernel reads it, not the host.

// CHECK-LABEL: func.func @count
// CHECK-SAME: %[[COUNT:[a-z0-9]+]]: memref<1xi32>
// CHECK: gpu.launch
// CHECK: memref.load %[[COUNT]]
func.func @count(%x: memref<?x512xbf16>, %y: memref<?x512xbf16>, %count: memref<1xi32>) {
  mlafuse.rms_norm ins(%x : memref<?x512xbf16>) num_actual_tokens(%count : memref<1xi32>) outs(%y : memref<?x512xbf16>) {epsilon = 1.0e-6 : f32}
  return
}
