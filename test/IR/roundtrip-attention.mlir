// The attention ops, with every clause, on tensors and on memrefs.
// RUN: mlafuse-opt %s --verify-roundtrip -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mlafuse-opt %s --mlir-print-op-generic | mlafuse-opt | diff %t.mlir -
// RUN: mlafuse-opt %s --emit-bytecode | mlafuse-opt | diff %t.mlir -

!q = tensor<?x1x16x576xbf16>
!cache = tensor<?x64x576xbf16>
!bt = tensor<?x?xi32>
!sl = tensor<?xi32>
!lse4 = tensor<?x1x16xf32>
!lse = tensor<?x16xf32>
!one = tensor<1xf32>
!count = tensor<1xi32>
!o = tensor<?x2048xbf16>
!o8 = tensor<?x2048xf8E4M3FN>
!s = tensor<?x16xf32>
!qn = tensor<?x1x16x128xbf16>
!qp = tensor<?x1x16x64xbf16>
!wk = tensor<16x128x512xbf16>
!wv = tensor<16x512x128xbf16>
!pq = tensor<?x16x192xbf16>
!pv = tensor<?x16x128xbf16>

// CHECK-LABEL: @latent_attention
func.func @latent_attention(%q: !q, %c: !cache, %c8: tensor<?x64x576xf8E4M3FN>, %ds: tensor<?x64x656xi8>, %bt: !bt, %sl: !sl,
    %idx: tensor<?x1x2048xi32>, %ks: !one, %o: tensor<?x1x16x512xbf16>, %of: tensor<?x1x16x512xf32>, %l: !lse4)
    -> (tensor<?x1x16x512xbf16>, tensor<?x1x16x512xf32>, !lse4, tensor<?x1x16x512xbf16>) {
  // CHECK: mlafuse.latent_attention ins(%{{.*}}, %{{.*}} : tensor<?x1x16x576xbf16>, tensor<?x64x576xbf16>) block_table(%{{.*}} : tensor<?x?xi32>) seq_lens(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?x1x16x512xbf16>) {cache_format = #mlafuse.cache_format<bf16>, softmax_scale = 1.352000e-01 : f32} -> tensor<?x1x16x512xbf16>
  %0 = mlafuse.latent_attention ins(%q, %c : !q, !cache) block_table(%bt : !bt) seq_lens(%sl : !sl) outs(%o : tensor<?x1x16x512xbf16>)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x16x512xbf16>
  // CHECK: mlafuse.latent_attention ins({{.*}}) indices(%{{.*}} : tensor<?x1x2048xi32>) k_scale(%{{.*}} : tensor<1xf32>) outs(%{{.*}}, %{{.*}} : tensor<?x1x16x512xf32>, tensor<?x1x16xf32>) {cache_format = #mlafuse.cache_format<fp8>
  %1:2 = mlafuse.latent_attention ins(%q, %c8 : !q, tensor<?x64x576xf8E4M3FN>) indices(%idx : tensor<?x1x2048xi32>) k_scale(%ks : !one)
      outs(%of, %l : tensor<?x1x16x512xf32>, !lse4)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x16x512xf32>, !lse4
  // CHECK: tensor<?x64x656xi8>) indices({{.*}}) outs({{.*}}) {cache_format = #mlafuse.cache_format<fp8_ds_mla>
  %2 = mlafuse.latent_attention ins(%q, %ds : !q, tensor<?x64x656xi8>) indices(%idx : tensor<?x1x2048xi32>) outs(%0 : tensor<?x1x16x512xbf16>)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x16x512xbf16>
  return %0, %1#0, %1#1, %2 : tensor<?x1x16x512xbf16>, tensor<?x1x16x512xf32>, !lse4, tensor<?x1x16x512xbf16>
}

// CHECK-LABEL: @queries_in_two_parts
func.func @queries_in_two_parts(%q: tensor<?x1x16x512xbf16>, %qp: !qp, %c: !cache, %bt: !bt, %sl: !sl, %o: tensor<?x1x16x512xbf16>) -> tensor<?x1x16x512xbf16> {
  // CHECK: mlafuse.latent_attention ins(%{{.*}}, %{{.*}} : tensor<?x1x16x512xbf16>, tensor<?x64x576xbf16>) q_pe(%{{.*}} : tensor<?x1x16x64xbf16>) block_table(%{{.*}} : tensor<?x?xi32>) seq_lens(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?x1x16x512xbf16>) {cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<tile_rows = 64, stages = 2, block_keys = 64>, softmax_scale = 1.352000e-01 : f32} -> tensor<?x1x16x512xbf16>
  %0 = mlafuse.latent_attention ins(%q, %c : tensor<?x1x16x512xbf16>, !cache) q_pe(%qp : !qp) block_table(%bt : !bt) seq_lens(%sl : !sl) outs(%o : tensor<?x1x16x512xbf16>)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<tile_rows = 64, block_keys = 64, stages = 2>} -> tensor<?x1x16x512xbf16>
  return %0 : tensor<?x1x16x512xbf16>
}

// CHECK-LABEL: @schedules
func.func @schedules(%x: tensor<?x1x16x512xbf16>, %w: !wv, %o: !o, %qn: !qn, %qp: !qp, %wk: !wk, %c: !cache, %bt: !bt, %sl: !sl) -> (!o, !o) {
  // CHECK: mlafuse.head_projection {{.*}} {schedule = #mlafuse.schedule<tile_rows = 128, tile_depth = 64>}
  %0 = mlafuse.head_projection ins(%x, %w : tensor<?x1x16x512xbf16>, !wv) outs(%o : !o) {schedule = #mlafuse.schedule<tile_rows = 128, tile_depth = 64>} -> !o
  // CHECK: mlafuse.mla_decode {{.*}} schedule = #mlafuse.schedule<splits = 4>
  %1 = mlafuse.mla_decode ins(%qn, %qp, %wk, %w, %c : !qn, !qp, !wk, !wv, !cache) block_table(%bt : !bt) seq_lens(%sl : !sl) outs(%0 : !o)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, schedule = #mlafuse.schedule<splits = 4>} -> !o
  return %0, %1 : !o, !o
}

// CHECK-LABEL: @head_projection
func.func @head_projection(%x: tensor<?x1x16x512xbf16>, %w: !wv, %o: !o, %o4: !qn, %o8: !o8, %s: !s, %n: !count, %off: index) -> (!o, !qn, !o8, !s) {
  // CHECK: mlafuse.head_projection ins(%{{.*}}, %{{.*}} : tensor<?x1x16x512xbf16>, tensor<16x512x128xbf16>) outs(%{{.*}} : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  %0 = mlafuse.head_projection ins(%x, %w : tensor<?x1x16x512xbf16>, !wv) outs(%o : !o) -> !o
  // CHECK: mlafuse.head_projection ins({{.*}}) outs(%{{.*}} : tensor<?x1x16x128xbf16>) -> tensor<?x1x16x128xbf16>
  %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x16x512xbf16>, !wv) outs(%o4 : !qn) -> !qn
  // CHECK: mlafuse.head_projection ins({{.*}}) num_actual_tokens(%{{.*}} : tensor<1xi32>) row_offset(%{{.*}} : index) outs(%{{.*}}, %{{.*}} : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
  %2:2 = mlafuse.head_projection ins(%x, %w : tensor<?x1x16x512xbf16>, !wv) num_actual_tokens(%n : !count) row_offset(%off : index)
      outs(%o8, %s : !o8, !s) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, numerics = #mlafuse.numerics<contracted>} -> !o8, !s
  return %0, %1, %2#0, %2#1 : !o, !qn, !o8, !s
}

// CHECK-LABEL: @mla_decode
func.func @mla_decode(%qn: !qn, %qp: !qp, %wk: !wk, %wv: !wv, %c: !cache, %c8: tensor<?x64x576xf8E4M3FN>, %bt: !bt, %sl: !sl,
    %idx: tensor<?x1x64xi32>, %ks: !one, %o: !o, %o8: !o8, %s: !s, %l: !lse4, %n: !count, %off: index) -> (!o, !o8, !s, !lse4, !o8) {
  // CHECK: mlafuse.mla_decode ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%{{.*}} : tensor<?x?xi32>) seq_lens(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?x2048xbf16>) {cache_format = #mlafuse.cache_format<bf16>, softmax_scale = 1.352000e-01 : f32} -> tensor<?x2048xbf16>
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : !qn, !qp, !wk, !wv, !cache) block_table(%bt : !bt) seq_lens(%sl : !sl) outs(%o : !o)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> !o
  // CHECK: mlafuse.mla_decode ins({{.*}}) indices(%{{.*}} : tensor<?x1x64xi32>) k_scale(%{{.*}} : tensor<1xf32>) num_actual_tokens({{.*}}) row_offset({{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>, tensor<?x1x16xf32>)
  %1:3 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c8 : !qn, !qp, !wk, !wv, tensor<?x64x576xf8E4M3FN>) indices(%idx : tensor<?x1x64xi32>)
      k_scale(%ks : !one) num_actual_tokens(%n : !count) row_offset(%off : index) outs(%o8, %s, %l : !o8, !s, !lse4)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<fp8>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> !o8, !s, !lse4
  // CHECK: mlafuse.mla_decode {{.*}} scale(%{{.*}} : tensor<1xf32>) outs({{.*}}) {{{.*}}key = #mlafuse.quant_key<fp8_static_tensor_sym>
  %2 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : !qn, !qp, !wk, !wv, !cache) block_table(%bt : !bt) seq_lens(%sl : !sl)
      scale(%ks : !one) outs(%1#0 : !o8)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> !o8
  return %0, %1#0, %1#1, %1#2, %2 : !o, !o8, !s, !lse4, !o8
}

// CHECK-LABEL: @mla_prefill
func.func @mla_prefill(%q: !pq, %k: !pq, %kn: !pv, %pe: tensor<?x64xbf16>, %v: !pv, %cq: !sl, %ck: !sl, %o: !o, %l: !lse, %ub: !one,
    %o8: !o8, %s1: tensor<?x1xf32>) -> (!o, !lse, !o8, tensor<?x1xf32>) {
  // CHECK: mlafuse.mla_prefill ins({{.*}} : tensor<?x16x192xbf16>, tensor<?x16x192xbf16>, tensor<?x16x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%{{.*}}, %{{.*}} : tensor<?x2048xbf16>, tensor<?x16xf32>) {causal, softmax_scale = 1.352000e-01 : f32}
  %0:2 = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : !pq, !pq, !pv, !sl, !sl) outs(%o, %l : !o, !lse)
      {softmax_scale = 0.1352 : f32, causal} -> !o, !lse
  // CHECK: mlafuse.mla_prefill ins({{.*}}) k_pe(%{{.*}} : tensor<?x64xbf16>) scale_ub(%{{.*}} : tensor<1xf32>) outs({{.*}} : tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>, softmax_scale = {{.*}}}
  %1:2 = mlafuse.mla_prefill ins(%q, %kn, %v, %cq, %ck : !pq, !pv, !pv, !sl, !sl) k_pe(%pe : tensor<?x64xbf16>) scale_ub(%ub : !one)
      outs(%o8, %s1 : !o8, tensor<?x1xf32>) {softmax_scale = 0.1352 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> !o8, tensor<?x1xf32>
  return %0#0, %0#1, %1#0, %1#1 : !o, !lse, !o8, tensor<?x1xf32>
}

// CHECK-LABEL: @merge_attn_states
func.func @merge_attn_states(%a: !pv, %la: !lse, %b: !pv, %lb: !lse, %g: !one, %o: !o, %l: !lse, %o4: tensor<?x1024xi8>, %s: tensor<?x128xf8E4M3FN>)
    -> (!o, !lse, tensor<?x1024xi8>, tensor<?x128xf8E4M3FN>) {
  // CHECK: mlafuse.merge_attn_states ins({{.*}} : tensor<?x16x128xbf16>, tensor<?x16xf32>, tensor<?x16x128xbf16>, tensor<?x16xf32>) outs(%{{.*}}, %{{.*}} : tensor<?x2048xbf16>, tensor<?x16xf32>) -> tensor<?x2048xbf16>, tensor<?x16xf32>
  %0:2 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !pv, !lse, !pv, !lse) outs(%o, %l : !o, !lse) -> !o, !lse
  // CHECK: mlafuse.merge_attn_states ins({{.*}}) global_scale(%{{.*}} : tensor<1xf32>) outs({{.*}}) {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<row_major>}
  %1:2 = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !pv, !lse, !pv, !lse) global_scale(%g : !one)
      outs(%o4, %s : tensor<?x1024xi8>, tensor<?x128xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<?x1024xi8>, tensor<?x128xf8E4M3FN>
  return %0#0, %0#1, %1#0, %1#1 : !o, !lse, tensor<?x1024xi8>, tensor<?x128xf8E4M3FN>
}

// CHECK-LABEL: @mla_attention
func.func @mla_attention(%qn: !qn, %qp: !qp, %wk: !wk, %wv: !wv, %c: !cache, %q: !pq, %kn: !pv, %v: !pv, %cq: !sl, %ck: !sl, %n: index,
    %bt: !bt, %sl: !sl, %pe: tensor<?x64xbf16>, %sc: !one, %cnt: !count, %o8: !o8) -> !o8 {
  // CHECK: mlafuse.mla_attention ins({{.*}}) decode_rows(%{{.*}} : index) block_table(%{{.*}} : tensor<?x?xi32>) seq_lens(%{{.*}} : tensor<?xi32>) k_pe(%{{.*}} : tensor<?x64xbf16>) scale(%{{.*}} : tensor<1xf32>) num_actual_tokens(%{{.*}} : tensor<1xi32>) outs(%{{.*}} : tensor<?x2048xf8E4M3FN>) {cache_format = #mlafuse.cache_format<bf16>, causal, key = #mlafuse.quant_key<fp8_static_tensor_sym>, softmax_scale = 1.352000e-01 : f32} -> tensor<?x2048xf8E4M3FN>
  %0 = mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %c, %q, %kn, %v, %cq, %ck : !qn, !qp, !wk, !wv, !cache, !pq, !pv, !pv, !sl, !sl)
      decode_rows(%n : index) block_table(%bt : !bt) seq_lens(%sl : !sl) k_pe(%pe : tensor<?x64xbf16>) scale(%sc : !one)
      num_actual_tokens(%cnt : !count) outs(%o8 : !o8)
      {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, causal, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> !o8
  return %0 : !o8
}

// CHECK-LABEL: @on_memrefs
func.func @on_memrefs(%q: memref<?x1x16x576xbf16>, %qn: memref<?x1x16x128xbf16>, %qp: memref<?x1x16x64xbf16, strided<[?, ?, 192, 1], offset: 128>>,
    %wk: memref<16x128x512xbf16>, %wv: memref<16x512x128xbf16>, %c: memref<?x64x576xbf16>, %bt: memref<?x?xi32>, %sl: memref<?xi32>,
    %a: memref<?x1x16x512xbf16>, %o: memref<?x2048xbf16>, %v: memref<?x16x128xbf16>, %k: memref<?x16x192xbf16>, %l: memref<?x16xf32>, %n: index) {
  // CHECK: mlafuse.latent_attention {{.*}}}{{$}}
  mlafuse.latent_attention ins(%q, %c : memref<?x1x16x576xbf16>, memref<?x64x576xbf16>) block_table(%bt : memref<?x?xi32>) seq_lens(%sl : memref<?xi32>)
      outs(%a : memref<?x1x16x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>}
  // CHECK: mlafuse.head_projection {{.*}} memref<?x2048xbf16>){{$}}
  mlafuse.head_projection ins(%a, %wv : memref<?x1x16x512xbf16>, memref<16x512x128xbf16>) outs(%o : memref<?x2048xbf16>)
  // CHECK: mlafuse.mla_decode {{.*}}}{{$}}
  mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : memref<?x1x16x128xbf16>, memref<?x1x16x64xbf16, strided<[?, ?, 192, 1], offset: 128>>,
      memref<16x128x512xbf16>, memref<16x512x128xbf16>, memref<?x64x576xbf16>) block_table(%bt : memref<?x?xi32>) seq_lens(%sl : memref<?xi32>)
      outs(%o : memref<?x2048xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>}
  // CHECK: mlafuse.mla_prefill {{.*}}}{{$}}
  mlafuse.mla_prefill ins(%k, %k, %v, %sl, %sl : memref<?x16x192xbf16>, memref<?x16x192xbf16>, memref<?x16x128xbf16>, memref<?xi32>, memref<?xi32>)
      outs(%o : memref<?x2048xbf16>) {softmax_scale = 0.1352 : f32}
  // CHECK: mlafuse.merge_attn_states {{.*}} memref<?x2048xbf16>){{$}}
  mlafuse.merge_attn_states ins(%v, %l, %v, %l : memref<?x16x128xbf16>, memref<?x16xf32>, memref<?x16x128xbf16>, memref<?x16xf32>)
      outs(%o : memref<?x2048xbf16>)
  // CHECK: mlafuse.mla_attention {{.*}}}{{$}}
  mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %c, %k, %k, %v, %sl, %sl : memref<?x1x16x128xbf16>, memref<?x1x16x64xbf16, strided<[?, ?, 192, 1], offset: 128>>,
      memref<16x128x512xbf16>, memref<16x512x128xbf16>, memref<?x64x576xbf16>, memref<?x16x192xbf16>, memref<?x16x192xbf16>, memref<?x16x128xbf16>,
      memref<?xi32>, memref<?xi32>) decode_rows(%n : index) block_table(%bt : memref<?x?xi32>) seq_lens(%sl : memref<?xi32>)
      outs(%o : memref<?x2048xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}
