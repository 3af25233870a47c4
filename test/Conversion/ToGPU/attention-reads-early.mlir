// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// Attention behind the projection that makes its queries: the plan is made and
// the first keys are copied before that one has ended. Results come after
// queries, and with those its end is known.

// CHECK-LABEL: func.func @behind_queries
// CHECK: gpu.launch
// CHECK: memref.alloc() : memref<264x64x512xf32>
// CHECK: gpu.launch
// CHECK: mbarrier.init
// CHECK-NOT: griddepcontrol.wait
// CHECK: griddepcontrol.launch_dependents
// CHECK-NOT: griddepcontrol.wait
// CHECK: redux.sync.max
// CHECK: setmaxnreg.inc
// Parts pass through shared memory as they are, and are stored as f16, 8 bytes a
// lane, with their factors.
// CHECK: st.shared.v2.f32
// CHECK: redux.sync.max
// CHECK: cvt.rn.f16x2.f32
// CHECK: @p st.global.v2.b32
// CHECK: setmaxnreg.dec
// CHECK-NOT: griddepcontrol.wait
// CHECK: cp.async.cg
// CHECK: griddepcontrol.wait
// CHECK: cp.async.cg
// CHECK: gpu.terminator

// The kernel that combines makes its plan before it waits, and waits when the
// addresses of parts are known. Of few rows it lets the next launch start at
// once.
// CHECK: gpu.launch
// CHECK-NOT: griddepcontrol.wait
// CHECK: griddepcontrol.launch_dependents
// CHECK-NOT: griddepcontrol
// CHECK: redux.sync.max
// CHECK-NOT: griddepcontrol
// CHECK: setp.ge.s32 p, $0, 0{{.*}}griddepcontrol.wait
// CHECK: ld.global.v2
// CHECK: ld.global.v4
// CHECK-NOT: griddepcontrol
// CHECK: ex2.approx
// Who has no part does not wait, but for one block.
// CHECK: "griddepcontrol.wait;"{{.*}}
// CHECK-NEXT: }
// CHECK-NEXT: gpu.terminator
func.func @behind_queries(%x: memref<?x1x16x128xbf16>, %w: memref<16x128x512xbf16>, %qpe: memref<?x1x16x64xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  %c0 = arith.constant 0 : index
  %tokens = memref.dim %x, %c0 : memref<?x1x16x128xbf16>
  %q = memref.alloc(%tokens) : memref<?x1x16x512xbf16>
  %rows = memref.collapse_shape %q [[0], [1, 2, 3]] : memref<?x1x16x512xbf16> into memref<?x8192xbf16>
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x128xbf16>, memref<16x128x512xbf16>) outs(%rows : memref<?x8192xbf16>)
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x512xbf16>, memref<?x64x576xbf16>) q_pe(%qpe : memref<?x1x16x64xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// The same with few rows and keys of codes: scores wait ahead of the queries.

// CHECK-LABEL: func.func @few_rows
// CHECK: gpu.launch
// CHECK: memref.alloc() : memref<264x16x512xf32>
// CHECK: gpu.launch
// CHECK: mbarrier.init
// CHECK-NOT: griddepcontrol.wait
// CHECK: griddepcontrol.launch_dependents
// CHECK-NOT: griddepcontrol.wait
// CHECK: redux.sync.max
// CHECK-NOT: llvm.load
// CHECK: griddepcontrol.wait
// CHECK-COUNT-10: llvm.load
// CHECK: setmaxnreg.inc
// CHECK: scf.while
// CHECK: setmaxnreg.dec
// CHECK: scf.while
// CHECK: griddepcontrol.wait
// CHECK: setmaxnreg.dec
// CHECK-NOT: griddepcontrol.wait
// CHECK: cp.async.cg
// CHECK-NOT: griddepcontrol.wait
// CHECK: gpu.terminator
func.func @few_rows(%x: memref<?x1x16x128xbf16>, %w: memref<16x128x512xbf16>, %qpe: memref<?x1x16x64xbf16>, %cache: memref<?x64x576xf8E4M3FN>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %scale: memref<1xf32>, %o: memref<?x1x16x512xbf16>) {
  %c0 = arith.constant 0 : index
  %tokens = memref.dim %x, %c0 : memref<?x1x16x128xbf16>
  %q = memref.alloc(%tokens) : memref<?x1x16x512xbf16>
  %rows = memref.collapse_shape %q [[0], [1, 2, 3]] : memref<?x1x16x512xbf16> into memref<?x8192xbf16>
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x128xbf16>, memref<16x128x512xbf16>) outs(%rows : memref<?x8192xbf16>)
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x512xbf16>, memref<?x64x576xf8E4M3FN>) q_pe(%qpe : memref<?x1x16x64xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) k_scale(%scale : memref<1xf32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8>}
  return
}

// -----

// With scales: rope columns come behind the queries, whose wait they need.

// CHECK-LABEL: func.func @few_scaled_rows
// CHECK: gpu.launch
// CHECK: memref.alloc() : memref<264x16x512xf32>
// CHECK: gpu.launch
// CHECK: mbarrier.init
// CHECK-NOT: griddepcontrol.wait
// CHECK: griddepcontrol.launch_dependents
// CHECK-NOT: griddepcontrol.wait
// CHECK: redux.sync.max
// CHECK-NOT: ld.global.v4
// CHECK: griddepcontrol.wait
// CHECK-COUNT-5: ld.global.v4
// CHECK: setmaxnreg.inc
// CHECK: setmaxnreg.dec
// CHECK: cp.async.cg
// CHECK: griddepcontrol.wait
// CHECK: griddepcontrol.wait
// CHECK-NOT: griddepcontrol.wait
// CHECK: gpu.terminator
func.func @few_scaled_rows(%x: memref<?x1x16x128xbf16>, %w: memref<16x128x512xbf16>, %qpe: memref<?x1x16x64xbf16>, %cache: memref<?x64x656xi8>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  %c0 = arith.constant 0 : index
  %tokens = memref.dim %x, %c0 : memref<?x1x16x128xbf16>
  %q = memref.alloc(%tokens) : memref<?x1x16x512xbf16>
  %rows = memref.collapse_shape %q [[0], [1, 2, 3]] : memref<?x1x16x512xbf16> into memref<?x8192xbf16>
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x128xbf16>, memref<16x128x512xbf16>) outs(%rows : memref<?x8192xbf16>)
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x512xbf16>, memref<?x64x656xi8>) q_pe(%qpe : memref<?x1x16x64xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>}
  return
}

// -----

// Keys that the function writes are read after. Lengths are looked at before,
// to plan with, and once more behind the wait: if one is another, the plan is
// made again. What a table wider than 2^21 blocks of keys has is not.

// CHECK-LABEL: func.func @behind_keys
// CHECK: mbarrier.init
// CHECK: scf.if
// CHECK: ld.relaxed.gpu
// CHECK: %[[LENGTHS:.*]]:8 = scf.while
// CHECK-COUNT-2: redux.sync.max
// CHECK: setp.ge.s32 p, $0, 0{{.*}}griddepcontrol.wait
// CHECK: griddepcontrol.launch_dependents
// CHECK: ld.relaxed.gpu
// CHECK: vote.sync.any
// CHECK: scf.condition
// CHECK: } else {
// CHECK-NOT: redux
// CHECK: griddepcontrol.wait
// CHECK: redux.sync.max
// CHECK: cp.async.cg
func.func @behind_keys(%a: memref<?x576xbf16>, %q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  %rows = memref.collapse_shape %cache [[0, 1], [2]] : memref<?x64x576xbf16> into memref<?x576xbf16>
  mlafuse.rms_norm ins(%a : memref<?x576xbf16>) outs(%rows : memref<?x576xbf16>) {epsilon = 1.0e-6 : f32}
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}
