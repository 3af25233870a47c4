// The two ops are in different blocks; the cure is to move both into one.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!s = tensor<?x1xf32>
!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>
!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!g = tensor<?x4xf32>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @quantized_in_a_branch(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %if: i1)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %r:2 = scf.if %if -> (!q, !s) {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F010 other-block in @quantized_in_a_branch: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: they are in different blocks ('mlafuse.rms_norm' at {{.*}}:[[@LINE-2]]:{{[0-9]+}}){{$}}
    %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
    scf.yield %c#0, %c#1 : !q, !s
  } else {
    scf.yield %q, %s : !q, !s
  }
  return %r#0, %r#1 : !q, !s
}

func.func @cure_both_in_the_branch(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %if: i1)
    -> (!q, !s) {
  %r:2 = scf.if %if -> (!q, !s) {
    %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_both_in_the_branch: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
    %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
    scf.yield %c#0, %c#1 : !q, !s
  } else {
    scf.yield %q, %s : !q, !s
  }
  return %r#0, %r#1 : !q, !s
}

func.func @output_quantized_in_a_branch(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %if: i1)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  %r:2 = scf.if %if -> (!o8, !g) {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F010 other-block in @output_quantized_in_a_branch: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: they are in different blocks ('mlafuse.merge_attn_states' at {{.*}}:[[@LINE-2]]:{{[0-9]+}}){{$}}
    %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
    scf.yield %c#0, %c#1 : !o8, !g
  } else {
    scf.yield %q8, %s : !o8, !g
  }
  return %r#0, %r#1 : !o8, !g
}

func.func @cure_both_outside(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %if: i1)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_both_outside: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  %r:2 = scf.if %if -> (!o8, !g) {
    scf.yield %c#0, %c#1 : !o8, !g
  } else {
    scf.yield %q8, %s : !o8, !g
  }
  return %r#0, %r#1 : !o8, !g
}

func.func @sibling_in_a_branch(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %if: i1)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  %r = scf.if %if -> !kc {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F010 other-block in @sibling_in_a_branch: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: they are in different blocks ('mlafuse.rms_norm' at {{.*}}:[[@LINE-2]]:{{[0-9]+}}){{$}}
    %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
    scf.yield %kn : !kc
  } else {
    scf.yield %kv_out : !kc
  }
  return %qn, %r : !qc, !kc
}

func.func @cure_both_siblings_outside(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %if: i1)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_both_siblings_outside: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  %r = scf.if %if -> !kc {
    scf.yield %kn : !kc
  } else {
    scf.yield %kv_out : !kc
  }
  return %qn, %r : !qc, !kc
}
