// Schedules that take all of a block's shared memory, or nearly: the check of the
// schedule and the kernel agree. test/Unit/Conversion/Schedule has those that are
// just too large.

// RUN: sed -e s/LATENT/64/g -e s/WIDTH/64/g %s | mlafuse-opt - --mlafuse-schedule='stages = 11, block_keys = 96' --mlafuse-to-gpu=chip=sm_80 --canonicalize | FileCheck %s -DBYTES=165376
// RUN: sed -e s/LATENT/512/g -e s/WIDTH/512/g %s | mlafuse-opt - --mlafuse-schedule='tile_rows = 16, block_keys = 80' --mlafuse-to-gpu=chip=sm_89 --canonicalize | FileCheck %s -DBYTES=100864
// RUN: sed -e s/LATENT/256/g -e s/WIDTH/320/g %s | mlafuse-opt - --mlafuse-schedule='stages = 3, block_keys = 96' --mlafuse-to-gpu=chip=sm_90a --canonicalize | FileCheck %s -DBYTES=231936

// CHECK: %[[SIZE:.*]] = arith.constant [[BYTES]] : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[SIZE]]
func.func @attention(%q: memref<?x1x16xWIDTHxbf16>, %cache: memref<?x64xWIDTHxbf16>, %table: memref<?x?xi32>, %lengths: memref<?xi32>, %o: memref<?x1x16xLATENTxbf16>) {
  mlafuse.latent_attention ins(%q, %cache : memref<?x1x16xWIDTHxbf16>, memref<?x64xWIDTHxbf16>) block_table(%table : memref<?x?xi32>) seq_lens(%lengths : memref<?xi32>) outs(%o : memref<?x1x16xLATENTxbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}
