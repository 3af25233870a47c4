// Constraints of mla_prefill and of mla_attention; each case names its own.
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// mla_prefill C1
func.func @prefill_types(%q: tensor<?x2x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x8xf16>, %cq: tensor<3xi32>, %ck: tensor<3xi32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{q, k, v and k_pe must have one type, bf16, f16 or f32, got v of 'tensor<?x2x8xf16>' (C1)}}
  %0 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x8xf16>, tensor<3xi32>, tensor<3xi32>) 
    outs(%o : tensor<?x16xbf16>) {softmax_scale = 1.0 : f32} -> tensor<?x16xbf16>
  return
}

// -----

// mla_prefill C1
func.func @k_pe_type(%q: tensor<?x2x12xbf16>, %k: tensor<?x2x8xbf16>, %v: tensor<?x2x8xbf16>, %cq: tensor<3xi32>, %ck: tensor<3xi32>, %pe: tensor<?x4xf32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{q, k, v and k_pe must have one type, got k_pe of 'tensor<?x4xf32>' (C1)}}
  %0 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x12xbf16>, tensor<?x2x8xbf16>, tensor<?x2x8xbf16>, tensor<3xi32>, tensor<3xi32>) k_pe(%pe : tensor<?x4xf32>) 
    outs(%o : tensor<?x16xbf16>) {softmax_scale = 1.0 : f32} -> tensor<?x16xbf16>
  return
}

// -----

// mla_prefill C2
func.func @dynamic_prefill_heads(%q: tensor<?x?x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x8xbf16>, %cq: tensor<3xi32>, %ck: tensor<3xi32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{dimension 1 of q must be static, got 'tensor<?x?x12xbf16>' (C2)}}
  %0 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x?x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x8xbf16>, tensor<3xi32>, tensor<3xi32>) 
    outs(%o : tensor<?x16xbf16>) {softmax_scale = 1.0 : f32} -> tensor<?x16xbf16>
  return
}

// -----

// mla_prefill C3
func.func @cu_seqlens_type(%q: tensor<?x2x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x8xbf16>, %cq: tensor<3xi64>, %ck: tensor<3xi32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{cu_seqlens_q must be [?] of 'i32', got 'tensor<3xi64>' (C3)}}
  %0 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x8xbf16>, tensor<3xi64>, tensor<3xi32>) 
    outs(%o : tensor<?x16xbf16>) {softmax_scale = 1.0 : f32} -> tensor<?x16xbf16>
  return
}

// -----

// mla_prefill C3
func.func @cu_seqlens_sizes(%q: tensor<?x2x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x8xbf16>, %cq: tensor<3xi32>, %ck: tensor<4xi32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{cu_seqlens_k must be [3] of 'i32', got 'tensor<4xi32>' (C3)}}
  %0 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x8xbf16>, tensor<3xi32>, tensor<4xi32>) 
    outs(%o : tensor<?x16xbf16>) {softmax_scale = 1.0 : f32} -> tensor<?x16xbf16>
  return
}

// -----

// mla_prefill C4
func.func @prefill_softmax_scale(%q: tensor<?x2x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x8xbf16>, %cq: tensor<3xi32>, %ck: tensor<3xi32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{softmax_scale must be finite (C4)}}
  %0 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x8xbf16>, tensor<3xi32>, tensor<3xi32>) 
    outs(%o : tensor<?x16xbf16>) {softmax_scale = 0xFF800000 : f32} -> tensor<?x16xbf16>
  return
}

// -----

// mla_prefill S5
func.func @key_width(%q: tensor<?x2x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x8xbf16>, %cq: tensor<3xi32>, %ck: tensor<3xi32>, %pe: tensor<?x4xbf16>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{k must have shape [?, 2, 8], got 'tensor<?x2x12xbf16>' (S5)}}
  %0 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x2x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x8xbf16>, tensor<3xi32>, tensor<3xi32>) k_pe(%pe : tensor<?x4xbf16>) 
    outs(%o : tensor<?x16xbf16>) {softmax_scale = 1.0 : f32} -> tensor<?x16xbf16>
  return
}

// -----

// mla_attention C8
func.func @value_widths(%qn: tensor<?x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %q: tensor<?x2x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x4xbf16>,
    %cu: tensor<3xi32>, %n: index, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %o: tensor<?x16xbf16>) {
  // expected-error @below {{decode has 2 heads of 8, prefill 2 of 4: they must be the same (C8)}}
  %0 = mlafuse.mla_attention ins(%qn, %qn, %wk, %wv, %c, %q, %k, %v, %cu, %cu : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>,
    tensor<2x16x8xbf16>, tensor<8x16x24xbf16>, tensor<?x2x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x4xbf16>, tensor<3xi32>, tensor<3xi32>) decode_rows(%n : index)
    block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%o : tensor<?x16xbf16>)
    {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16xbf16>
  return
}

// -----

// mla_attention C8
func.func @batch_lse(%qn: tensor<?x1x2x8xbf16>, %wk: tensor<2x8x16xbf16>, %wv: tensor<2x16x8xbf16>, %c: tensor<8x16x24xbf16>, %q: tensor<?x2x12xbf16>, %k: tensor<?x2x12xbf16>, %v: tensor<?x2x8xbf16>,
    %cu: tensor<3xi32>, %n: index, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %o: tensor<?x16xbf16>, %l: tensor<?x2xf32>) {
  // expected-error @below {{takes destinations output, got 2 (S2)}}
  %0:2 = mlafuse.mla_attention ins(%qn, %qn, %wk, %wv, %c, %q, %k, %v, %cu, %cu : tensor<?x1x2x8xbf16>, tensor<?x1x2x8xbf16>, tensor<2x8x16xbf16>,
    tensor<2x16x8xbf16>, tensor<8x16x24xbf16>, tensor<?x2x12xbf16>, tensor<?x2x12xbf16>, tensor<?x2x8xbf16>, tensor<3xi32>, tensor<3xi32>) decode_rows(%n : index)
    block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%o, %l : tensor<?x16xbf16>, tensor<?x2xf32>)
    {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16xbf16>, tensor<?x2xf32>
  return
}
