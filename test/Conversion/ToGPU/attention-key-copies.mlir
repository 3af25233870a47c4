// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// The loader of the kernel of warpgroups, whose blocks are 64 keys. Pages of 64
// keys: one entry of the table names a block's rows, which are constants apart
// (16 rows of 1152 bytes). The first part's queries come ahead of keys, while
// that entry is on its way.

// CHECK-LABEL: func.func @pages_of_blocks
// CHECK-SAME: %[[TABLE:[^:]*]]: memref<?x?xi32>
// CHECK: setmaxnreg.dec
// CHECK: memref.load %[[TABLE]]
// CHECK-NOT: memref.load %[[TABLE]]
// CHECK: cp.async.cg
// CHECK: cp.async.mbarrier.arrive
// CHECK-NOT: memref.load %[[TABLE]]
// CHECK: scf.for
// CHECK: cp.async.cg.shared.global{{.*}}[$1+18432]
// CHECK: cp.async.cg.shared.global{{.*}}[$1+55296]
// Other parts' queries.
// CHECK: cp.async.mbarrier.arrive
// CHECK: cp.async.cg
// CHECK: cp.async.mbarrier.arrive
// CHECK: memref.load %[[TABLE]]
// CHECK-NOT: memref.load %[[TABLE]]
// CHECK: scf.yield
func.func @pages_of_blocks(%q: memref<?x1x128x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x128x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x128x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x128x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// A block has rows of several pages, or may have: each row has its entry.

// CHECK-LABEL: func.func @smaller_pages
// CHECK-SAME: %[[TABLE:[^:]*]]: memref<?x?xi32>
// CHECK: setmaxnreg.dec
// CHECK-COUNT-4: memref.load %[[TABLE]]
// CHECK-NOT: [$1+18432]
// CHECK: scf.for
// CHECK-NOT: [$1+18432]
// CHECK-COUNT-4: memref.load %[[TABLE]]
// CHECK: scf.yield
func.func @smaller_pages(%q: memref<?x1x128x576xbf16>, %cache: memref<?x96x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x128x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x128x576xbf16>, memref<?x96x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x128x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// CHECK-LABEL: func.func @any_pages
// CHECK-SAME: %[[TABLE:[^:]*]]: memref<?x?xi32>
// CHECK: setmaxnreg.dec
// CHECK-COUNT-4: memref.load %[[TABLE]]
// CHECK: scf.for
func.func @any_pages(%q: memref<?x1x128x576xbf16>, %cache: memref<?x?x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x128x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x128x576xbf16>, memref<?x?x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x128x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}
