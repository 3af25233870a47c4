// The fused op could not carry a row_offset; the cure is to write whole buffers.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!s = tensor<?x1xf32>
!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>
!q8 = tensor<?x512xf8E4M3FN>
!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!g = tensor<?x4xf32>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @output_into_a_row_range(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %row: index)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) row_offset(%row : index) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F020 row-offset in @output_into_a_row_range: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: the producer writes a row range of the buffer that is quantized whole ('mlafuse.merge_attn_states' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}

// The fused op may write a row range: of the codes.
func.func @cure_whole_output(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %row: index)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_whole_output: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) row_offset(%row : index) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}

func.func @sibling_into_a_row_range(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %q8: !q8, %s: !s, %row: index)
    -> (!q8, !s, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @sibling_into_a_row_range: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%qn : !qc) row_offset(%row : index) outs(%q8, %s : !q8, !s) {key = #token} -> !q8, !s
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F020 row-offset in @sibling_into_a_row_range: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' not fused: a sibling quantizes into a row range of a whole buffer ('mlafuse.rms_norm_quantize' at {{.*}}:[[@LINE-3]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %c#0, %c#1, %kn : !q8, !s, !kc
}

func.func @cure_whole_sibling(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %q8: !q8, %s: !s)
    -> (!q8, !s, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_whole_sibling: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%qn : !qc) outs(%q8, %s : !q8, !s) {key = #token} -> !q8, !s
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_whole_sibling: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %c#0, %c#1, %kn : !q8, !s, !kc
}
