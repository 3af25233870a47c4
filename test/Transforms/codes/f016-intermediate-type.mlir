// The value between has a type that no numerics mode has; the cure is the input's
// type, or f32 with rounding = result.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!s = tensor<?x1xf32>
!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!g = tensor<?x4xf32>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @f32_rounded_twice(%x: !x, %w: !w, %y: tensor<?x256xf32>, %q: !q, %s: !s)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xf32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F016 intermediate-type in @f32_rounded_twice: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: an f32 value between goes with rounding = result only ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : tensor<?x256xf32>) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

func.func @cure_rounded_once(%x: !x, %w: !w, %y: tensor<?x256xf32>, %q: !q, %s: !s)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x256xf32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_rounded_once: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : tensor<?x256xf32>) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

func.func @converted(%x: !x, %w: !w, %y: tensor<?x256xf32>, %q: !q, %s: !s)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : tensor<?x256xf32>) {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x256xf32>
  %h = arith.truncf %n : tensor<?x256xf32> to !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F016 intermediate-type in @converted: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: the value between is converted to another type ('arith.truncf' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%h : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

func.func @cure_quantize_the_value_itself(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s)
    -> (!q, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_quantize_the_value_itself: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  return %c#0, %c#1 : !q, !s
}

func.func @output_converted(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: tensor<?x512xf32>, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : tensor<?x512xf32>) -> tensor<?x512xf32>
  %h = arith.truncf %o : tensor<?x512xf32> to !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F016 intermediate-type in @output_converted: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: the value between is converted to another type ('arith.truncf' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%h : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}

func.func @output_of_another_type(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: tensor<?x512xf16>, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : tensor<?x512xf16>) -> tensor<?x512xf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F016 intermediate-type in @output_of_another_type: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: the value between has neither the input's type nor f32 ('mlafuse.merge_attn_states' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : tensor<?x512xf16>) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}

func.func @cure_the_type_of_the_inputs(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_the_type_of_the_inputs: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}

func.func @cure_quantize_the_output_itself(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: tensor<?x512xf32>, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : tensor<?x512xf32>) -> tensor<?x512xf32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_quantize_the_output_itself: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 4096*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : tensor<?x512xf32>) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}
