// A sibling has no weight; the cure is one of ones.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>

func.func @missing(%p: !p, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c : !qc) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F030 no-weight in @missing: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a sibling has no weight ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}

func.func @cure_ones(%p: !p, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %qw = arith.constant dense<1.0> : !qw
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_ones: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}
