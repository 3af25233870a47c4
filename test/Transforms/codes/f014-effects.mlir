// An op with side effects stands between the two; the cure is to move it before or
// after both.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!one = tensor<1xf32>
!p = tensor<?x832xbf16>
!qc = tensor<?x512xbf16>
!qw = tensor<512xbf16>
!kc = tensor<?x256xbf16>
!kw = tensor<256xbf16>
#static = #mlafuse.quant_key<fp8_static_tensor_sym>

func.func private @look(!x)
func.func private @scale() -> !one

// The first call needs the norm, the quantization needs the second call.
func.func @between(%x: !x, %w: !w, %y: !x, %q: !q)
    -> (!q) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  func.call @look(%n) : (!x) -> ()
  %scale = func.call @scale() : () -> !one
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F014 effects in @between: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: an op with side effects uses the first before another makes what the second needs ('func.call' at {{.*}}:[[@LINE-2]]:{{[0-9]+}}){{$}}
  %c = mlafuse.quantize ins(%n : !x) scale(%scale : !one) outs(%q : !q) {key = #static} -> !q
  return %c : !q
}

func.func @cure_after(%x: !x, %w: !w, %y: !x, %q: !q)
    -> (!q) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %scale = func.call @scale() : () -> !one
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_after: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 512*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%n : !x) scale(%scale : !one) outs(%q : !q) {key = #static} -> !q
  func.call @look(%n) : (!x) -> ()
  return %c : !q
}

func.func @cure_before(%x: !x, %w: !w, %y: !x, %q: !q)
    -> (!q) {
  %scale = func.call @scale() : () -> !one
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  func.call @look(%n) : (!x) -> ()
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_before: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 512*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%n : !x) scale(%scale : !one) outs(%q : !q) {key = #static} -> !q
  return %c : !q
}

func.func private @look_at_q(!qc)
func.func private @weight() -> !kw

func.func @between_siblings(%p: !p, %qw: !qw, %q_out: !qc, %kv_out: !kc)
    -> (!kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  func.call @look_at_q(%qn) : (!qc) -> ()
  %kw = func.call @weight() : () -> !kw
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F014 effects in @between_siblings: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: an op with side effects uses the first before another makes what the second needs ('func.call' at {{.*}}:[[@LINE-2]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  return %kn : !kc
}

func.func @cure_after_siblings(%p: !p, %qw: !qw, %q_out: !qc, %kv_out: !kc)
    -> (!kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  %kw = func.call @weight() : () -> !kw
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_after_siblings: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  func.call @look_at_q(%qn) : (!qc) -> ()
  return %kn : !kc
}
