// A dynamic scale of the whole tensor needs all rows first; the cure is a static
// scale, or one per token or group.
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
#static = #mlafuse.quant_key<fp8_static_tensor_sym>
#tensor = #mlafuse.quant_key<fp8_dynamic_tensor_sym>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @norm(%x: !x, %w: !w, %y: !x, %q: !q, %s: !one)
    -> (!q, !one) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F012 whole-tensor-scale in @norm: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a dynamic per-tensor scale needs all rows before the first code ('mlafuse.quantize' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !one) {key = #tensor} -> !q, !one
  return %c#0, %c#1 : !q, !one
}

func.func @cure_static(%x: !x, %w: !w, %y: !x, %q: !q, %s: !one)
    -> (!q) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_static: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%n : !x) scale(%s : !one) outs(%q : !q) {key = #static} -> !q
  return %c : !q
}

func.func @cure_per_token(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_per_token: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

func.func @output(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !one)
    -> (!o8, !one) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F012 whole-tensor-scale in @output: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: a dynamic per-tensor scale needs all rows before the first code ('mlafuse.quantize' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !one) {key = #tensor} -> !o8, !one
  return %c#0, %c#1 : !o8, !one
}

func.func @cure_per_group(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_per_group: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}
