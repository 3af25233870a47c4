// The siblings differ in rounding or weight_offset; the cure is one form on both.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>

func.func @other_rounding(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F032 other-form in @other_rounding: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: the siblings differ in rounding ('mlafuse.rms_norm' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}

func.func @cure_one_rounding(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_one_rounding: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> !kc
  return %qn, %kn : !qc, !kc
}

func.func @other_offset(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32, weight_offset} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F032 other-form in @other_offset: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: one sibling adds 1 to its weight, the other does not ('mlafuse.rms_norm' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}

func.func @cure_one_offset(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32, weight_offset} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_one_offset: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32, weight_offset} -> !kc
  return %qn, %kn : !qc, !kc
}
