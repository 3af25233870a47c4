// A sibling adds a residual; the cure is to add it before the projection is split.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>

func.func @added_by_the_norm(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %r: !qc, %r_out: !qc)
    -> (!qc, !kc, !qc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn, %h = mlafuse.add_rms_norm ins(%q_c, %qw : !qc, !qw) residual(%r : !qc) outs(%q_out, %r_out : !qc, !qc) {epsilon = 1.0e-6 : f32} -> !qc, !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F031 residual in @added_by_the_norm: 'mlafuse.add_rms_norm' and 'mlafuse.rms_norm' not fused: a sibling adds a residual ('mlafuse.add_rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn, %h : !qc, !kc, !qc
}

func.func @cure_added_before(%p0: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %r: !p, %sum: !p)
    -> (!qc, !kc, !qc) {
  %p = linalg.add ins(%p0, %r : !p, !p) outs(%sum : !p) -> !p
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_added_before: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn, %q_c : !qc, !kc, !qc
}
