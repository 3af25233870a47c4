// Several norms read the same columns; the cure is to normalize each range once.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>

func.func @same_columns_twice(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %q2_out: !qc, %qw2: !qw)
    -> (!qc, !kc, !qc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  %q2 = mlafuse.rms_norm ins(%q_c, %qw2 : !qc, !qw) outs(%q2_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: missed MLAFUSE-F034 overlap in @same_columns_twice: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: several norms read the same columns ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F034 overlap in @same_columns_twice: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: several norms read the same columns ('mlafuse.rms_norm' at {{.*}}:[[@LINE-3]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn, %q2 : !qc, !kc, !qc
}

func.func @cure_normalize_once(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_normalize_once: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}

// Two norms that overlap are no q and kv side of each other: no candidate.
func.func @columns_in_common(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %iw: !kw, %i_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %i_c = tensor.extract_slice %p[0, 384] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  %in = mlafuse.rms_norm ins(%i_c, %iw : !kc, !kw) outs(%i_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %in : !qc, !kc
}
