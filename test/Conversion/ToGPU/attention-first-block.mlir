// How the kernel of few rows comes to its first keys: the entry of the table
// that says where they are is loaded while lengths are read once more, and rows
// that follow each other are copied from one address.
//
// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @pages_of_blocks
// CHECK: gpu.launch
// CHECK: ld.relaxed.gpu
// CHECK: scf.while
// CHECK: griddepcontrol.wait
// CHECK: "{{.*}}@p ld.global.b32
// CHECK: ld.relaxed.gpu
// CHECK: vote.sync.any
// CHECK: scf.condition
// Scores ask for the first part's queries before they take registers.
// CHECK-COUNT-10: llvm.load
// CHECK-COUNT-10: st.shared.v4
// CHECK: setmaxnreg.inc
// The loader. Pages hold whole blocks: rows that exist follow each other.
// CHECK: setmaxnreg.dec.sync.aligned.u32 72
// CHECK-NOT: gpu.shuffle
// CHECK: vote.sync.ballot
// CHECK: scf.if
// Of 16 rows of 576 bytes 512 at a time, the ends of the rows in shared memory 32
// bytes apart.
// CHECK: cp.async.cg.shared.global.L2::128B [$0+0], [$1+0], 16;
// CHECK: cp.async.cg.shared.global.L2::128B [$0+512], [$1+512], 16;
// CHECK: cp.async.cg.shared.global.L2::128B [$0+1056], [$1+1024], 16;
// CHECK-COUNT-15: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16;
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.mbarrier.arrive
// Of the others each row has its address, and zeros where there is none.
// CHECK: scf.while
// CHECK: scf.for
// CHECK: gpu.shuffle
// CHECK: cp.async.cg.shared.global.L2::128B [$0+0], [$1+0], 16, $2;
// CHECK: gpu.terminator

// What combines: of its shared memory, most of it for nothing, two blocks fit on
// a multiprocessor.
// CHECK: gpu.launch blocks({{.*}}) in ({{.*}} = %c264{{.*}} dynamic_shared_memory_size %c77482_i32
// First come the blocks of all groups' later slots, number 1.
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[BLOCK:.*]], %c132_i32
// CHECK: arith.select %[[FIRST]], %[[BLOCK]]
// CHECK: %[[SLOT:.*]] = arith.extui %[[FIRST]] : i1 to i32
// CHECK: arith.subi %c1_i32, %[[SLOT]]
func.func @pages_of_blocks(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xf8E4M3FN>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}

// -----

// Pages of any size: where the first row is all others are compared with.

// CHECK-LABEL: func.func @any_pages
// CHECK: setmaxnreg.dec.sync.aligned.u32 72
// CHECK: gpu.shuffle
// CHECK: gpu.shuffle
// CHECK: vote.sync.ballot
// CHECK: scf.if
// CHECK: cp.async.cg.shared.global.L2::128B [$0+0], [$1+0], 16;
func.func @any_pages(%q: memref<?x1x16x576xbf16>, %cache: memref<?x?x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x?x576xf8E4M3FN>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}

// -----

// The same where rows of a page are further apart than they are long.

// CHECK-LABEL: func.func @rows_apart
// CHECK: setmaxnreg.dec.sync.aligned.u32 72
// CHECK: gpu.shuffle
// CHECK: gpu.shuffle
// CHECK: vote.sync.ballot
// CHECK: scf.if
// CHECK: cp.async.cg.shared.global.L2::128B [$0+0], [$1+0], 16;
func.func @rows_apart(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xf8E4M3FN, strided<[?, 640, 1], offset: ?>>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xf8E4M3FN, strided<[?, 640, 1], offset: ?>>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}

// -----

// Requests that are never cut: a group has no key of one that began in another.
// Keys are its own if the first unit of their request is, not only if there are
// any.

// CHECK-LABEL: func.func @whole
// CHECK: scf.while
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, {{.*}}, %c0_i32
// CHECK-NEXT: %[[BEGINS:.*]] = arith.cmpi sle
// CHECK-NEXT: %[[KEYS:.*]] = arith.andi %[[BEGINS]], %[[ANY]]
// CHECK-NEXT: arith.andi {{.*}}, %[[KEYS]]
// CHECK: griddepcontrol.wait
func.func @whole(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xf8E4M3FN>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>, schedule = #mlafuse.schedule<splits = 1, groups = 2>}
  return
}
