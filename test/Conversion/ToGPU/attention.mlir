// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_80 --canonicalize --cse | FileCheck %s

// One tile of rows for 16 heads: as many groups as the chip has multiprocessors,
// each with two slots for parts of requests. The attention kernel is followed by
// the one that combines parts; both are there for aligned rows and for others.

// CHECK-LABEL: func.func @dense
// CHECK-SAME: (%[[Q:[^:]*]]: memref<?x1x16x576xbf16>, %[[CACHE:[^:]*]]: memref<?x64x576xbf16>, %[[TABLE:[^:]*]]: memref<?x?xi32>, %[[LENGTHS:[^:]*]]: memref<?xi32>, %[[O:[^:]*]]: memref<?x1x16x512xbf16>)
// CHECK-DAG: %[[GROUPS:.*]] = arith.constant 108 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: memref.alloc() : memref<216x64x512xf32>
// CHECK-DAG: memref.alloc() : memref<216x64xf32>
// CHECK: scf.if
// CHECK: gpu.launch blocks(%[[BLOCK:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[GROUPS]], %{{.*}} = %c1{{.*}}, %{{.*}} = %c1{{.*}}) threads({{.*}}) in (%{{.*}} = %c256{{.*}}) dynamic_shared_memory_size

// The plan. Few requests: every warp for itself, a request to a lane.
// CHECK: scf.if
// CHECK-NOT: gpu.barrier
// CHECK: ld.relaxed.gpu
// CHECK-NOT: gpu.barrier
// CHECK: rcp.approx
// CHECK-COUNT-2: redux.sync.max
// CHECK: redux.sync.add
// CHECK: rcp.approx
// CHECK-COUNT-5: gpu.shuffle up
// CHECK: vote.sync.ballot
// CHECK-COUNT-3: gpu.shuffle idx
// Else a run of requests to a thread, and sums over the block.
// CHECK: } else {
// CHECK: memref.load %[[LENGTHS]]
// CHECK: redux.sync.add
// CHECK: redux.sync.max
// CHECK: gpu.barrier
// CHECK: memref.load %[[LENGTHS]]
// CHECK-COUNT-5: gpu.shuffle up
// CHECK: gpu.barrier
// CHECK: scf.while
// CHECK: memref.load %[[LENGTHS]]
// CHECK: gpu.barrier
// CHECK: gpu.barrier

// Each part: queries and keys to shared memory, products of the keys, softmax,
// products of the values.
// CHECK: scf.while
// CHECK: cp.async.cg.shared.global
// CHECK: memref.load %[[TABLE]]
// CHECK: gpu.barrier
// CHECK: cp.async.cg.shared.global
// CHECK: cp.async.commit_group
// CHECK: scf.for
// CHECK: cp.async.wait_group 0
// CHECK: gpu.barrier
// A step of 16 columns for 32 keys: 16 rows of queries, 16 keys twice.
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NEXT: llvm.extractvalue
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-2: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-2: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: vote.sync.ballot
// CHECK: ex2.approx
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// A row without a key has no sum; one whose scores are all NaN has.
// CHECK: %[[IS_EMPTY:.*]] = arith.cmpf oeq, %[[SUM:.*]], %[[ZERO]] : f32
// What products took is divided by the sum of just that.
// CHECK-NOT: arith.divf %{{.*}}, %[[SUM]] :
// CHECK: %[[INVERSE:.*]] = arith.divf
// CHECK-NEXT: arith.select %[[IS_EMPTY]], %[[ZERO]], %[[INVERSE]] : f32
// CHECK: lg2.approx{{.*}} %[[SUM]] :
// CHECK: arith.select %[[IS_EMPTY]],
// The next request's length, if the group goes on.
// CHECK: memref.load %[[LENGTHS]]
// CHECK: gpu.terminator

// Two blocks for each of attention's, of few warps for few rows. They make the
// same plan.
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c216{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK: memref.load %[[LENGTHS]]
// CHECK: redux.sync.add
// CHECK-NOT: mma.sync
// CHECK: gpu.terminator

// Rows that are not aligned go through registers.
// CHECK: } else {
// CHECK: gpu.launch
// CHECK-NOT: cp.async.cg
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NOT: cp.async.cg
// CHECK: mma.sync
// CHECK-NOT: cp.async.cg
// CHECK: gpu.launch
func.func @dense(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// Requests that are never cut need no memory and nothing after them.

// CHECK-LABEL: func.func @whole
// CHECK-NOT: memref.alloc
// CHECK-COUNT-2: gpu.launch
// CHECK-NOT: gpu.launch
func.func @whole(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<splits = 1>}
  return
}

// -----

// 1024 rows of a request are 16 tiles, and so many blocks of a group.

// CHECK-LABEL: func.func @many_rows
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[TWICE:.*]] = arith.constant 192 : index
// CHECK-DAG: memref.alloc() : memref<192x64x512xf32>
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]],
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[TWICE]],
func.func @many_rows(%q: memref<?x8x128x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x8x128x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x8x128x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x8x128x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// With indices all requests cost the same: the plan reads no length.

// CHECK-LABEL: func.func @sparse
// CHECK-SAME: %[[INDICES:[^:]*]]: memref<?x2x2048xi32>
// CHECK: gpu.launch
// CHECK-NOT: gpu.shuffle up
// CHECK: scf.while
// CHECK: memref.load %[[INDICES]]
// CHECK-NOT: gpu.shuffle up
// CHECK: gpu.terminator
func.func @sparse(%q: memref<?x2x16x576xbf16>, %cache: memref<?x64x576xbf16>, %indices: memref<?x2x2048xi32>, %o: memref<?x2x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x2x16x576xbf16>, memref<?x64x576xbf16>) indices(%indices : memref<?x2x2048xi32>) outs(%o : memref<?x2x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// Codes become elements on their way to shared memory; one scale for all of them
// is a factor of scores and outputs.

// CHECK-LABEL: func.func @fp8
// CHECK-SAME: %[[SCALE:[^:]*]]: memref<1xf32>
// CHECK: gpu.launch
// CHECK: memref.load %[[SCALE]]
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: arith.extf %{{.*}} : vector<16xf8E4M3FN> to vector<16xf32>
// CHECK-NOT: arith.mulf
// CHECK: cvt.rn.f16x2.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
func.func @fp8(%q: memref<?x1x16x576xf16>, %cache: memref<?x64x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %k_scale: memref<1xf32>, %o: memref<?x1x16x512xf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xf16>, memref<?x64x576xf8E4M3FN>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%k_scale : memref<1xf32>) outs(%o : memref<?x1x16x512xf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}

// -----

// Tiles of 128 codes have a scale of their own, and rope columns none.

// CHECK-LABEL: func.func @tile_scales
// CHECK: gpu.launch
// CHECK: arith.extf %{{.*}} : vector<16xf8E4M3FN> to vector<16xf32>
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: arith.mulf
// CHECK: cvt.rn.bf16x2.f32
// CHECK: arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
func.func @tile_scales(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x656xi8>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xf32>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x656xi8>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xf32>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>}
  return
}
