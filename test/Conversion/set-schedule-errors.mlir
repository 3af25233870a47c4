// RUN: not mlafuse-opt %s --mlafuse-schedule='stage = 3' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: schedule 'stage = 3': unknown schedule parameter 'stage'; known: tile_rows, stages, block_keys, warpgroups, warps, groups, splits, split_overhead, tile_columns, tile_depth
// RUN: not mlafuse-opt %s --mlafuse-schedule='stages = 0' 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: schedule 'stages = 0': 'stages' must be positive, got 0
// RUN: not mlafuse-opt %s --mlafuse-schedule='stages = 2>' 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: schedule 'stages = 2>': found trailing characters
// RUN: not mlafuse-opt %s --mlafuse-schedule='stages' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: schedule 'stages': expected '='
// RUN: not mlafuse-opt %s --mlafuse-schedule='mla_prefill: stages = 2' 2>&1 | FileCheck %s --check-prefix=OP
// OP: error: schedule 'mla_prefill: stages = 2': 'mla_prefill' takes none: latent_attention and head_projection do
// RUN: not mlafuse-opt %s --mlafuse-schedule='stages = 2; latent_attention: block_keys = 32' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: schedule 'latent_attention: block_keys = 32': that of latent_attention is given twice
// RUN: not mlafuse-opt %s --mlafuse-schedule='head_projection: block_keys = 32' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'mlafuse.head_projection' op takes no 'block_keys' in its schedule, but tile_rows, stages, tile_columns, tile_depth (S6)

func.func @projection(%x: tensor<2x1x16x512xbf16>, %w: tensor<16x512x128xbf16>, %o: tensor<2x2048xbf16>) -> tensor<2x2048xbf16> {
  %0 = mlafuse.head_projection ins(%x, %w : tensor<2x1x16x512xbf16>, tensor<16x512x128xbf16>) outs(%o : tensor<2x2048xbf16>) -> tensor<2x2048xbf16>
  return %0 : tensor<2x2048xbf16>
}
