// A sibling is paired with another norm: an op takes two. The third norm stays by
// itself, and the two are fused as they would be without it.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>
!ic = tensor<?x64xbf16>
!iw = tensor<64xbf16>

func.func @three(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %iw: !iw, %i_out: !ic)
    -> (!qc, !kc, !ic) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %i_c = tensor.extract_slice %p[0, 768] [%t, 64] [1, 1] : !p to !ic
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @three: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: missed MLAFUSE-F035 other-sibling in @three: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a sibling is paired with another norm ('mlafuse.dual_rms_norm' at {{.*}}:[[@LINE-3]]:{{[0-9]+}}){{$}}
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F035 other-sibling in @three: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a sibling is paired with another norm ('mlafuse.dual_rms_norm' at {{.*}}:[[@LINE-4]]:{{[0-9]+}}){{$}}
  %in = mlafuse.rms_norm ins(%i_c, %iw : !ic, !iw) outs(%i_out : !ic) {epsilon = 1.0e-6 : f32} -> !ic
  return %qn, %kn, %in : !qc, !kc, !ic
}

func.func @cure_two(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc)
    -> (!qc, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_two: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %qn, %kn : !qc, !kc
}
