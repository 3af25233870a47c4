// The fused op would overwrite a value that is still read; the cure is to read it
// before the first op, or to give each op a destination of its own.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x512xbf16>
!w = tensor<512xbf16>
!q = tensor<?x512xf8E4M3FN>
!s = tensor<?x1xf32>
!p = tensor<?x2112xbf16>
!qc = tensor<?x1536xbf16>
!qw = tensor<1536xbf16>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>

func.func @read_between(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %old: !x)
    -> (!q, !s, !x) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %o = mlafuse.dequantize ins(%q : !q) scale(%s : !s) outs(%old : !x) {key = #token} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F021 old-value in @read_between: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a destination would be overwritten while its old value is still read ('mlafuse.dequantize' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %o : !q, !s, !x
}

func.func @cure_read_before(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %old: !x)
    -> (!q, !s, !x) {
  %o = mlafuse.dequantize ins(%q : !q) scale(%s : !s) outs(%old : !x) {key = #token} -> !x
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_read_before: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %o : !q, !s, !x
}

// A size is no part of the value.
func.func @cure_of_a_size(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s)
    -> (!q, !s, index) {
  %c0 = arith.constant 0 : index
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %t = tensor.dim %q, %c0 : !q
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_of_a_size: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %t : !q, !s, index
}

// The read is of a slice of the destination, in a region.
func.func @read_in_a_region(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %old: !x, %if: i1)
    -> (!q, !s, !x) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : !x
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %o = scf.if %if -> !x {
    %slice = tensor.extract_slice %q[0, 0] [%t, 512] [1, 1] : !q to !q
    %d = mlafuse.dequantize ins(%slice : !q) scale(%s : !s) outs(%old : !x) {key = #token} -> !x
    scf.yield %d : !x
  } else {
    scf.yield %old : !x
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F021 old-value in @read_in_a_region: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a destination would be overwritten while its old value is still read ('mlafuse.dequantize' at {{.*}}:[[@LINE-5]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1, %o : !q, !s, !x
}

// The norm may not follow the call, which may write the input.
func.func private @scale(!x) -> tensor<1xf32>
func.func @read_moves_down(%x: !x, %w: !w, %y: !x, %q: !q)
    -> (!q) {
  // CHECK: :[[@LINE+3]]:{{[0-9]+}}: missed MLAFUSE-F021 old-value in @read_moves_down: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a destination would be overwritten while its old value is still read ('mlafuse.rms_norm' at {{.*}}:[[@LINE+1]]:{{[0-9]+}}){{$}}
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %scale = func.call @scale(%x) : (!x) -> tensor<1xf32>
  %c = mlafuse.quantize ins(%n : !x) scale(%scale : tensor<1xf32>) outs(%q : !q) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> !q
  return %c : !q
}

func.func @between_siblings(%p: !p, %qw: !qw, %kw: !w, %q_out: !qc, %kv_out: !x, %old: !x)
    -> (!qc, !x, !x) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : !p to !x
  %q = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  %o = mlafuse.rms_norm ins(%kv_out, %kw : !x, !w) outs(%old : !x) {epsilon = 1.0e-5 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F021 old-value in @between_siblings: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a destination would be overwritten while its old value is still read ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : !x, !w) outs(%kv_out : !x) {epsilon = 1.0e-5 : f32} -> !x
  return %q, %kv, %o : !qc, !x, !x
}

// One side is normalized where it is, in the memory that the other reads.
func.func @in_place(%p: !p, %qw: !qw, %kw: !w, %q_out: !qc)
    -> (!qc, !p) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : !p to !x
  %q = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F021 old-value in @in_place: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a destination would be overwritten while its old value is still read ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : !x, !w) outs(%kv_c : !x) {epsilon = 1.0e-5 : f32} -> !x
  %normed = tensor.insert_slice %kv into %p[0, 1536] [%t, 512] [1, 1] : !x into !p
  return %q, %normed : !qc, !p
}

func.func @cure_own_destination(%p: !p, %qw: !qw, %kw: !w, %q_out: !qc, %kv_out: !x)
    -> (!qc, !x) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : !p to !x
  %q = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_own_destination: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : !x, !w) outs(%kv_out : !x) {epsilon = 1.0e-5 : f32} -> !x
  return %q, %kv : !qc, !x
}
