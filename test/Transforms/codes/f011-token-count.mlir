// The two ops do not cover the same rows; the cure is one num_actual_tokens value on both.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!s = tensor<?x1xf32>
!count = tensor<1xi32>
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

func.func @on_the_norm_only(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %count: !count)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) num_actual_tokens(%count : !count) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F011 token-count in @on_the_norm_only: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: the quantization also covers rows past the producer's num_actual_tokens ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

func.func @two_counts(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %count: !count, %other: !count)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) num_actual_tokens(%count : !count) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F011 token-count in @two_counts: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: they have different num_actual_tokens ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) num_actual_tokens(%other : !count) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

// The fused op would leave rows of %n that the caller sees.
func.func @on_the_quantization_and_another_user(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %count: !count)
    -> (!q, !s, !x) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F011 token-count in @on_the_quantization_and_another_user: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: the producer has no num_actual_tokens and another op reads all of its rows ('func.return' at {{.*}}:[[@LINE+2]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) num_actual_tokens(%count : !count) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %n : !q, !s, !x
}

func.func @cure_one_count(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %count: !count)
    -> (!q, !s, !x) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) num_actual_tokens(%count : !count) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_one_count: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 512*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) num_actual_tokens(%count : !count) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %n : !q, !s, !x
}

func.func @on_the_quantization_of_an_output(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %count: !count, %l_out: !lse)
    -> (!o8, !g, !lse) {
  %o, %l = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out, %l_out : !o, !lse) -> !o, !lse
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F011 token-count in @on_the_quantization_of_an_output: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: the producer has no num_actual_tokens and another op reads all of its rows ('func.return' at {{.*}}:[[@LINE+2]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) num_actual_tokens(%count : !count) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1, %l : !o8, !g, !lse
}

func.func @cure_one_count_of_an_output(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %count: !count, %l_out: !lse)
    -> (!o8, !g, !lse) {
  %o, %l = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) num_actual_tokens(%count : !count) outs(%out, %l_out : !o, !lse) -> !o, !lse
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_one_count_of_an_output: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) num_actual_tokens(%count : !count) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1, %l : !o8, !g, !lse
}

func.func @siblings(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %count: !count)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) num_actual_tokens(%count : !count) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F011 token-count in @siblings: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: the siblings do not have the same num_actual_tokens ('mlafuse.rms_norm' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}

func.func @cure_one_count_of_siblings(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %count: !count)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) num_actual_tokens(%count : !count) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_one_count_of_siblings: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) num_actual_tokens(%count : !count) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}
