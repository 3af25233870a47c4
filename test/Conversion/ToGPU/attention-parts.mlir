// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s

// Parts of requests with many rows: each warp rounds its own, which are whole
// in shared memory, and stores 16 bytes a lane. Two blocks combine for each.

// CHECK-LABEL: func.func @many_rows
// CHECK: memref.alloc() : memref<264x64x512xf32>
// CHECK: memref.alloc() : memref<264x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
// CHECK: setmaxnreg.inc
// The result of a whole request, and a part.
// CHECK: cvt.rn.bf16x2.f32
// CHECK: @p st.global.v4.b32
// CHECK: cvt.rn.f16x2.f32
// CHECK: st.shared.b32
// CHECK: @p st.global.v4.b32
// CHECK: @p st.global.v2.b32
// CHECK: setmaxnreg.dec
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c264{{.*}}) threads({{.*}}) in (%{{.*}} = %c512
// A lane has up to five parts: factors and logarithms, then outputs.
// CHECK: ld.global.v2
// CHECK-COUNT-4: ld.global.v2.b32 {$0, $1}, [$2+{{[0-9]+}}]
// CHECK-COUNT-5: ld.global.v4
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
