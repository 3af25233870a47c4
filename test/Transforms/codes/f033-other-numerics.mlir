// One sibling is exact, the other contracted; the cure is the same numerics on both.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!one = tensor<1xf32>
!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>
!q8 = tensor<?x512xf8E4M3FN>
!k8 = tensor<?x256xf8E4M3FN>
#static = #mlafuse.quant_key<fp8_static_tensor_sym>

func.func @both_kinds(%p: !p, %qw: !qw, %kw: !kw, %q_out: tensor<?x512xf32>, %kv_out: !kc, %q8: !q8, %k8: !k8, %scale: !one)
    -> (!q8, !k8) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : tensor<?x512xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x512xf32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @both_kinds: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 4096*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%qn : tensor<?x512xf32>) scale(%scale : !one) outs(%q8 : !q8) {key = #static} -> !q8
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F033 other-numerics in @both_kinds: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm_quantize' not fused: one sibling is exact, the other contracted ('mlafuse.rms_norm_quantize' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> !kc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @both_kinds: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %d = mlafuse.quantize ins(%kn : !kc) scale(%scale : !one) outs(%k8 : !k8) {key = #static} -> !k8
  return %c, %d : !q8, !k8
}

func.func @cure_both_exact(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %q8: !q8, %k8: !k8, %scale: !one)
    -> (!q8, !k8) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_both_exact: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%qn : !qc) scale(%scale : !one) outs(%q8 : !q8) {key = #static} -> !q8
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_both_exact: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm_quantize' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> !kc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_both_exact: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %d = mlafuse.quantize ins(%kn : !kc) scale(%scale : !one) outs(%k8 : !k8) {key = #static} -> !k8
  return %c, %d : !q8, !k8
}
