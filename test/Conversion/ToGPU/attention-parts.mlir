// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// Parts of requests with many rows: a lane stores what it has of two rows, 16
// bytes at a time, in the order of the product's registers. Two blocks combine
// for each.

// CHECK-LABEL: func.func @many_rows
// CHECK: memref.alloc() : memref<264x64x512xf32>
// CHECK: memref.alloc() : memref<264x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
// CHECK: setmaxnreg.inc
// The result of a whole request, whose rows pass through shared memory, and a
// part.
// CHECK: cvt.rn.bf16x2.f32
// CHECK: st.shared.b32
// CHECK: @p st.global.v4.b32
// CHECK: cvt.rn.f16x2.f32
// CHECK-NOT: st.shared
// CHECK-COUNT-16: @p st.global.v4.b32
// CHECK-NOT: st.global.v4
// CHECK-COUNT-2: @p st.global.v2.b32
// CHECK: setmaxnreg.dec
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c264{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// Of up to two parts a lane has four pieces at once, behind one wait: factors
// and logarithms, then outputs, of one after the other. Four lanes put a row's
// columns in order.
// CHECK: griddepcontrol.wait
// CHECK-COUNT-2: ld.global.v2
// CHECK-COUNT-2: ld.global.v4
// CHECK-COUNT-2: ld.global.v2
// CHECK-COUNT-2: ld.global.v4
// CHECK-COUNT-2: ld.global.v2
// CHECK-COUNT-2: ld.global.v4
// CHECK-COUNT-2: ld.global.v2
// CHECK-COUNT-2: ld.global.v4
// CHECK-NOT: ld.global
// CHECK-COUNT-16: shfl.sync.bfly
// CHECK-NOT: shfl.sync.bfly
// Of up to four it has two, of eight one.
// CHECK: griddepcontrol.wait
// CHECK-COUNT-4: ld.global.v2
// CHECK-COUNT-4: ld.global.v4
// CHECK-COUNT-4: ld.global.v2
// CHECK-COUNT-4: ld.global.v4
// CHECK-NOT: ld.global
// CHECK: griddepcontrol.wait
// CHECK-COUNT-8: ld.global.v2
// CHECK-COUNT-8: ld.global.v4
// CHECK-NOT: ld.global
// CHECK: "griddepcontrol.wait;"{{.*}}
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.launch_dependents;"
// CHECK: gpu.terminator
func.func @many_rows(%q: memref<?x1x128x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x128x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x128x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x128x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

// Two parts at most are all that a lane may have.

// CHECK-LABEL: func.func @two_parts
// CHECK: gpu.launch
// CHECK: gpu.terminator
// CHECK: gpu.launch
// CHECK-COUNT-2: ld.global.v2
// CHECK-NOT: ld.global.v2
// CHECK-COUNT-2: ld.global.v4
// CHECK-NOT: ld.global.v
// CHECK: gpu.terminator
func.func @two_parts(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<splits = 2>}
  return
}

// -----

// More groups than the kernel that combines takes parts: requests are cut in
// 160 at most.

// CHECK-LABEL: func.func @many_groups
// CHECK-DAG: %[[BUT_ONE:.*]] = arith.constant 159 : i32
// CHECK: gpu.launch
// CHECK: arith.divui %{{.*}}, %[[BUT_ONE]] : i32
// CHECK: gpu.terminator
func.func @many_groups(%q: memref<?x1x16x576xbf16>, %cache: memref<?x64x576xbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16x512xbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<groups = 300>}
  return
}
