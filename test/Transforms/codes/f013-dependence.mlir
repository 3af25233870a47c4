// One op needs a value that is computed from the other's result; the cure is to
// compute it beforehand.
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
!q8 = tensor<?x512xf8E4M3FN>
!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#static = #mlafuse.quant_key<fp8_static_tensor_sym>

func.func @scale_of_the_norm_itself(%x: !x, %w: !w, %y: !x, %q: !q)
    -> (!q) {
  %c0 = arith.constant 0 : index
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %scale_e = tensor.extract %n[%c0, %c0] : !x
  %scale_f = arith.extf %scale_e : bf16 to f32
  %scale = tensor.from_elements %scale_f : !one
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F013 dependence in @scale_of_the_norm_itself: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: one needs a value that is computed from the other's result ('tensor.extract' at {{.*}}:[[@LINE-3]]:{{[0-9]+}}){{$}}
  %c = mlafuse.quantize ins(%n : !x) scale(%scale : !one) outs(%q : !q) {key = #static} -> !q
  return %c : !q
}

func.func @cure_scale_given(%x: !x, %w: !w, %y: !x, %q: !q, %scale: !one)
    -> (!q) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_scale_given: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%n : !x) scale(%scale : !one) outs(%q : !q) {key = #static} -> !q
  return %c : !q
}

func.func @scale_of_the_output_itself(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %l_out: !lse)
    -> (!o8) {
  %c0 = arith.constant 0 : index
  %o, %l = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out, %l_out : !o, !lse) -> !o, !lse
  %e = tensor.extract %l[%c0, %c0] : !lse
  %scale = tensor.from_elements %e : !one
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F013 dependence in @scale_of_the_output_itself: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: one needs a value that is computed from the other's result ('tensor.extract' at {{.*}}:[[@LINE-2]]:{{[0-9]+}}){{$}}
  %c = mlafuse.quantize ins(%o : !o) scale(%scale : !one) outs(%q8 : !o8) {key = #static} -> !o8
  return %c : !o8
}

func.func @cure_scale_of_an_input(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %l_out: !lse)
    -> (!o8) {
  %c0 = arith.constant 0 : index
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  %e = tensor.extract %la[%c0, %c0] : !lse
  %scale = tensor.from_elements %e : !one
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_scale_of_an_input: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%o : !o) scale(%scale : !one) outs(%q8 : !o8) {key = #static} -> !o8
  return %c : !o8
}

func.func @scale_of_the_sibling(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %q8: !q8)
    -> (!q8, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F013 dependence in @scale_of_the_sibling: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' not fused: one needs a value that is computed from the other's result ('tensor.extract' at {{.*}}:[[@LINE+2]]:{{[0-9]+}}){{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  %scale_e = tensor.extract %kn[%c0, %c0] : !kc
  %scale_f = arith.extf %scale_e : bf16 to f32
  %scale = tensor.from_elements %scale_f : !one
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @scale_of_the_sibling: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%qn : !qc) scale(%scale : !one) outs(%q8 : !q8) {key = #static} -> !q8
  return %c, %kn : !q8, !kc
}

func.func @cure_scale_before_the_sibling(%p: !p, %qw: !qw, %kw: !kw, %q_out: !qc, %kv_out: !kc, %q8: !q8, %scale: !one)
    -> (!q8, !kc) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : !p
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : !p to !qc
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : !p to !kc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @cure_scale_before_the_sibling: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' fused: saves 1 launch{{$}}
  %kn = mlafuse.rms_norm ins(%kv_c, %kw : !kc, !kw) outs(%kv_out : !kc) {epsilon = 1.0e-6 : f32} -> !kc
  %qn = mlafuse.rms_norm ins(%q_c, %qw : !qc, !qw) outs(%q_out : !qc) {epsilon = 1.0e-6 : f32} -> !qc
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_scale_before_the_sibling: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c = mlafuse.quantize ins(%qn : !qc) scale(%scale : !one) outs(%q8 : !q8) {key = #static} -> !q8
  return %c, %kn : !q8, !kc
}
