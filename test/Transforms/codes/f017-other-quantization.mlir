// Another quantization of the same norm is fused; the cure is to quantize once.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!s = tensor<?x1xf32>
!one = tensor<1xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>
#static = #mlafuse.quant_key<fp8_static_tensor_sym>

func.func @two_keys(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %q2: !q, %scale: !one)
    -> (!q, !s, !q) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @two_keys: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 512*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F017 other-quantization in @two_keys: 'mlafuse.rms_norm_quantize' and 'mlafuse.quantize' not fused: the norm is fused with another quantization ('mlafuse.rms_norm_quantize' at {{.*}}:[[@LINE-3]]:{{[0-9]+}}){{$}}
  %d = mlafuse.quantize ins(%n : !x) scale(%scale : !one) outs(%q2 : !q) {key = #static} -> !q
  return %c#0, %c#1, %d : !q, !s, !q
}

func.func @cure_one_key(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_one_key: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}
