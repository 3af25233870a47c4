// Constraints of mla_decode; each case names its own.
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// mla_decode C2
func.func @decode_paging(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{takes either block_table(...) and seq_lens(...), or indices(...) (C2)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) 
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode C3
func.func @decode_cache(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x16xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{bf16 cache must be [?, ?, 24] of 'bf16', got 'tensor<8x16x16xbf16>' (C3)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x16xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode C4
func.func @decode_k_scale(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xf8E4M3FN>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{k_scale(...) is given for cache_format fp8 and for no other (C4)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x24xf8E4M3FN>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode C5
func.func @decode_softmax_scale(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{softmax_scale must be finite (C5)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 0x7FC00000 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode C6
func.func @dynamic_value_width(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x?xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{dimension 2 of w_uv must be static, got 'tensor<2x16x?xbf16>' (C6)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x?xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode C6
func.func @dynamic_rope_width(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x?xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{dimension 3 of q_pe must be static, got 'tensor<4x1x2x?xbf16>' (C6)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x?xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode C7
func.func @weight_of_other_type(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{w_uk must have q_nope's type, got 'tensor<2x8x16xf16>' (C7)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xf16>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode C7
func.func @codes_as_weight(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xf8E4M3FN>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{w_uk must be bf16, f16 or f32, got 'tensor<2x8x16xf8E4M3FN>' (C7)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xf8E4M3FN>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode S5
func.func @latent_widths(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x12x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{w_uv must have shape [2, 16, 8], got 'tensor<2x12x8xbf16>' (S5)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x12x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>
  return
}

// -----

// mla_decode S5
func.func @decode_lse(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>, %l: tensor<4x2xf32>) {
  // expected-error @below {{lse must have shape [4, 1, 2], got 'tensor<4x2xf32>' (S5)}}
  %0:2 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o, %l : tensor<4x16xbf16>, tensor<4x2xf32>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x16xbf16>, tensor<4x2xf32>
  return
}

// -----

// mla_decode S5
func.func @decode_rows(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x8xbf16>) {
  // expected-error @below {{output must have shape [4, 16], got 'tensor<4x8xbf16>' (S5)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x8xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<4x8xbf16>
  return
}

// -----

// mla_decode S6
func.func @decode_schedule(%qn: tensor<4x1x2x8xbf16>, %qp: tensor<4x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %bt: tensor<4x?xi32>, %sl: tensor<4xi32>, %o: tensor<4x16xbf16>) {
  // expected-error @below {{takes no 'tile_depth' in its schedule, but tile_rows, stages, block_keys, warpgroups, warps, groups, splits, split_overhead (S6)}}
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<4x1x2x8xbf16>, tensor<4x1x2x8xbf16>, tensor<2x8x16xbf16>, tensor<2x16x8xbf16>, tensor<8x16x24xbf16>) block_table(%bt : tensor<4x?xi32>) seq_lens(%sl : tensor<4xi32>)
    outs(%o : tensor<4x16xbf16>) {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<stages = 2, tile_depth = 64>} -> tensor<4x16xbf16>
  return
}
