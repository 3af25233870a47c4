// A quantization that equals another is done once: its read and its writes go.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!s = tensor<?x1xf32>
!one = tensor<1xf32>
!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!g = tensor<?x4xf32>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>
#tensor = #mlafuse.quant_key<fp8_dynamic_tensor_sym>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @of_a_norm(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %t: index)
    -> (!q, !s, !q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @of_a_norm: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  %q2 = tensor.empty(%t) : !q
  %s2 = tensor.empty(%t) : !s
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F004 equal-quantize in @of_a_norm: 'mlafuse.quantize' and 'mlafuse.quantize' fused: saves 772*T bytes and 1 launch{{$}}
  %d:2 = mlafuse.quantize ins(%n : !x) outs(%q2, %s2 : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %d#0, %d#1 : !q, !s, !q, !s
}

func.func @of_an_output(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %t: index)
    -> (!o8, !g, !o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @of_an_output: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  %q2 = tensor.empty(%t) : !o8
  %s2 = tensor.empty(%t) : !g
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F004 equal-quantize in @of_an_output: 'mlafuse.quantize' and 'mlafuse.quantize' fused: saves 1552*T bytes and 1 launch{{$}}
  %d:2 = mlafuse.quantize ins(%o : !o) outs(%q2, %s2 : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1, %d#0, %d#1 : !o8, !g, !o8, !g
}

// Of two that are not fused either.
func.func @not_fused(%x: !x, %w: !w, %y: !x, %q: !q, %s: !one, %t: index)
    -> (!q, !q, !one, !one) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F012 whole-tensor-scale in @not_fused: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a dynamic per-tensor scale needs all rows before the first code ('mlafuse.quantize' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !one) {key = #tensor} -> !q, !one
  %q2 = tensor.empty(%t) : !q
  %s2 = tensor.empty() : !one
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F004 equal-quantize in @not_fused: 'mlafuse.quantize' and 'mlafuse.quantize' fused: saves 768*T bytes and 1 launch{{$}}
  %d:2 = mlafuse.quantize ins(%n : !x) outs(%q2, %s2 : !q, !one) {key = #tensor} -> !q, !one
  return %c#0, %d#0, %c#1, %d#1 : !q, !q, !one, !one
}
