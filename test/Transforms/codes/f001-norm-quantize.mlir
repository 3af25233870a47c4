// A norm takes over the quantization of its result.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!s = tensor<?x1xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>

func.func @norm(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @norm: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

// Of a sum, which keeps its destination.
func.func @residual(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %r: !x, %r_out: !x)
    -> (!q, !s, !x) {
  %n, %h = mlafuse.add_rms_norm ins(%x, %w : !x, !w) residual(%r : !x) outs(%y, %r_out : !x, !x) {epsilon = 1.0e-6 : f32} -> !x, !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @residual: 'mlafuse.add_rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %h : !q, !s, !x
}

// The value is still written, but not read again.
func.func @value_is_kept(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s)
    -> (!q, !s, !x) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @value_is_kept: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 512*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %n : !q, !s, !x
}
