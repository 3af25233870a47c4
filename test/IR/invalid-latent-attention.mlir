// Constraints of latent_attention; each case names its own.
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// latent_attention C1
func.func @query_type(%q: tensor<4x1x2x24xi8>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{q must be bf16, f16 or f32, got 'tensor<4x1x2x24xi8>' (C1)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xi8>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C1
func.func @output_type(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xf8E4M3FN>) {
  // expected-error @below {{o must be bf16, f16 or f32, got 'tensor<4x1x2x16xf8E4M3FN>' (C1)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xf8E4M3FN>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xf8E4M3FN>
  return
}

// -----

// latent_attention C2
func.func @no_paging(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{takes either block_table(...) and seq_lens(...), or indices(...) (C2)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) 
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C2
func.func @table_without_lengths(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{takes either block_table(...) and seq_lens(...), or indices(...) (C2)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C2
func.func @both_pagings(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %i: tensor<4x1x?xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{takes either block_table(...) and seq_lens(...), or indices(...) (C2)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>) indices(%i : tensor<4x1x?xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C2
func.func @table_type(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi64>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{block_table must be [4, ?] of i32, got 'tensor<4x?xi64>' (C2)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi64>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C2
func.func @lengths_of_other_batch(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<5xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{seq_lens must be [4] of i32, got 'tensor<5xi32>' (C2)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<5xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C2
func.func @indices_rank(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %i: tensor<4x?xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{indices must be [4, 1, ?] of i32, got 'tensor<4x?xi32>' (C2)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) indices(%i : tensor<4x?xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C3
func.func @cache_row(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x16xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{bf16 cache must be [?, ?, 24] of 'bf16', got 'tensor<8x16x16xbf16>' (C3)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x16xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C4
func.func @unwanted_k_scale(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %k: tensor<1xf32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{k_scale(...) is given for cache_format fp8 and for no other (C4)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>) k_scale(%k : tensor<1xf32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C4
func.func @k_scale_type(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xf8E4M3FN>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %k: tensor<1xbf16>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{k_scale must be [1] of 'f32', got 'tensor<1xbf16>' (C4)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xf8E4M3FN>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>) k_scale(%k : tensor<1xbf16>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C5
func.func @infinite_softmax_scale(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{softmax_scale must be finite (C5)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 0x7F800000 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention S5
func.func @wide_output(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x32xbf16>) {
  // expected-error @below {{o has 32 columns, more than q's 24 (S5)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x32xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x32xbf16>
  return
}

// -----

// latent_attention S5
func.func @lse_type(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>, %l: tensor<4x1x2xbf16>) {
  // expected-error @below {{lse must be f32, got 'tensor<4x1x2xbf16>' (S5)}}
  %0:2 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o, %l : tensor<4x1x2x16xbf16>, tensor<4x1x2xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>, tensor<4x1x2xbf16>
  return
}

// -----

// latent_attention S5
func.func @lse_shape(%q: tensor<4x1x2x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>, %l: tensor<4x2xf32>) {
  // expected-error @below {{lse must have shape [4, 1, 2], got 'tensor<4x2xf32>' (S5)}}
  %0:2 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o, %l : tensor<4x1x2x16xbf16>, tensor<4x2xf32>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>, tensor<4x2xf32>
  return
}

// -----

// latent_attention S3
func.func @no_heads(%q: tensor<4x1x0x24xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x0x16xbf16>) {
  // expected-error @below {{q needs at least one head, got 'tensor<4x1x0x24xbf16>' (S3)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x0x24xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x0x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x0x16xbf16>
  return
}

// -----

// latent_attention S5
func.func @joined_and_apart(%q: tensor<4x1x2x24xbf16>, %qp: tensor<4x1x2x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{with q_pe(...) q has o's 16 columns, got 'tensor<4x1x2x24xbf16>' (S5)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x24xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<4x1x2x8xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention S5
func.func @rank_of_q_pe(%q: tensor<4x1x2x16xbf16>, %qp: tensor<8x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{q_pe must have rank 4, got 'tensor<8x8xbf16>' (S5)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x16xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<8x8xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention S5
func.func @heads_of_q_pe(%q: tensor<4x1x2x16xbf16>, %qp: tensor<4x1x1x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{q_pe must have shape [4, 1, 2, 8], got 'tensor<4x1x1x8xbf16>' (S5)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x16xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<4x1x1x8xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention S5
func.func @batch_of_q_pe(%q: tensor<4x1x2x16xbf16>, %qp: tensor<3x1x2x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{q_pe must have shape [4, 1, 2, 8], got 'tensor<3x1x2x8xbf16>' (S5)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x16xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<3x1x2x8xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention S3
func.func @dynamic_q_pe(%q: tensor<4x1x2x16xbf16>, %qp: tensor<4x1x2x?xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{q_pe needs a static innermost dimension that is not zero, got 'tensor<4x1x2x?xbf16>' (S3)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x16xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<4x1x2x?xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C6
func.func @type_of_q_pe(%q: tensor<4x1x2x16xbf16>, %qp: tensor<4x1x2x8xf32>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{q_pe must have q's element type, got 'tensor<4x1x2x8xf32>' (C6)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x16xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<4x1x2x8xf32>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention C3
func.func @cache_row_with_q_pe(%q: tensor<4x1x2x16xbf16>, %qp: tensor<4x1x2x16xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{bf16 cache must be [?, ?, 32] of 'bf16', got 'tensor<8x16x24xbf16>' (C3)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x16xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<4x1x2x16xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x1x2x16xbf16>
  return
}

// -----

// latent_attention S6
func.func @schedule_of_a_projection(%q: tensor<4x1x2x16xbf16>, %qp: tensor<4x1x2x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x1x2x16xbf16>) {
  // expected-error @below {{takes no 'tile_columns' in its schedule, but tile_rows, stages, block_keys, warpgroups, warps, groups, splits, split_overhead (S6)}}
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<4x1x2x16xbf16>, tensor<8x16x24xbf16>) q_pe(%qp : tensor<4x1x2x8xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x1x2x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<tile_columns = 64>} -> tensor<4x1x2x16xbf16>
  return
}
