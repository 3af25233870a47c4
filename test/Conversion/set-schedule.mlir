// Schedules of the command line go before those of the ops, parameter by
// parameter.
// RUN: mlafuse-opt %s --mlafuse-schedule='stages = 3, tile_rows = 128' | FileCheck %s --check-prefixes=CHECK,ATTENTION
// RUN: mlafuse-opt %s --mlafuse-schedule='head_projection: tile_columns = 64' | FileCheck %s --check-prefixes=CHECK,PROJECTION
// RUN: mlafuse-opt %s --mlafuse-set-schedule='schedule="latent_attention: stages = 3 , tile_rows = 128; head_projection :tile_columns = 64"' | FileCheck %s --check-prefixes=CHECK,ATTENTION,PROJECTION
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-set-schedule{schedule={stages = 3, tile_rows = 128}})' | FileCheck %s --check-prefixes=CHECK,ATTENTION
// RUN: mlafuse-opt %s --mlafuse-set-schedule | mlafuse-opt --mlafuse-schedule='' | FileCheck %s --check-prefixes=CHECK,NONE

// In a pipeline it is set ahead of the kernels, on the ops that they are of.
// RUN: echo | mlafuse-opt --pass-pipeline='builtin.module(mlafuse-gpu-kernels-pipeline{chip=sm_80 schedule={block_keys = 64; head_projection: stages = 2}})' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: echo | mlafuse-opt --pass-pipeline='builtin.module(mlafuse-gpu-kernels-pipeline{chip=sm_80})' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNSET
// ORDER: mlafuse-results-to-arguments
// ORDER: mlafuse-set-schedule{schedule={block_keys = 64; head_projection: stages = 2}}
// ORDER-NEXT: mlafuse-to-gpu
// UNSET-NOT: mlafuse-set-schedule

// CHECK-LABEL: @attention
// CHECK: mlafuse.latent_attention
// ATTENTION-SAME: schedule = #mlafuse.schedule<tile_rows = 128, stages = 3>,
// NONE-NOT: schedule =
// CHECK: return
func.func @attention(%q: tensor<2x1x16x576xbf16>, %c: tensor<8x64x576xbf16>, %i: tensor<2x1x32xi32>, %o: tensor<2x1x16x512xbf16>) -> tensor<2x1x16x512xbf16> {
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<2x1x16x576xbf16>, tensor<8x64x576xbf16>) indices(%i : tensor<2x1x32xi32>) outs(%o : tensor<2x1x16x512xbf16>)
      {softmax_scale = 0.1 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<2x1x16x512xbf16>
  return %0 : tensor<2x1x16x512xbf16>
}

// CHECK-LABEL: @decode
// CHECK: mlafuse.mla_decode
// ATTENTION-SAME: schedule = #mlafuse.schedule<tile_rows = 128, stages = 3, block_keys = 32>,
// NONE-SAME: schedule = #mlafuse.schedule<stages = 1, block_keys = 32>,
func.func @decode(%qn: tensor<2x1x16x128xbf16>, %qp: tensor<2x1x16x64xbf16>, %wk: tensor<16x128x512xbf16>, %wv: tensor<16x512x128xbf16>, %c: tensor<8x64x576xbf16>, %i: tensor<2x1x32xi32>, %o: tensor<2x2048xbf16>) -> tensor<2x2048xbf16> {
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<2x1x16x128xbf16>, tensor<2x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<8x64x576xbf16>) indices(%i : tensor<2x1x32xi32>) outs(%o : tensor<2x2048xbf16>)
      {softmax_scale = 0.1 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<block_keys = 32, stages = 1>} -> tensor<2x2048xbf16>
  return %0 : tensor<2x2048xbf16>
}

// CHECK-LABEL: @projection
// CHECK: mlafuse.head_projection
// PROJECTION-SAME: {schedule = #mlafuse.schedule<tile_rows = 128, tile_columns = 64>}
// NONE-SAME: {schedule = #mlafuse.schedule<tile_rows = 128, tile_columns = 32>}
func.func @projection(%x: tensor<2x1x16x512xbf16>, %w: tensor<16x512x128xbf16>, %o: tensor<2x2048xbf16>) -> tensor<2x2048xbf16> {
  %0 = mlafuse.head_projection ins(%x, %w : tensor<2x1x16x512xbf16>, tensor<16x512x128xbf16>) outs(%o : tensor<2x2048xbf16>)
      {schedule = #mlafuse.schedule<tile_rows = 128, tile_columns = 32>} -> tensor<2x2048xbf16>
  return %0 : tensor<2x2048xbf16>
}
