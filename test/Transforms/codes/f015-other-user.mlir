// Another op reads the unquantized output; the cure is to let it read the codes.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!one = tensor<1xf32>
!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!g = tensor<?x4xf32>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#static = #mlafuse.quant_key<fp8_static_tensor_sym>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @returned(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g)
    -> (!o8, !g, !o) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F015 other-user in @returned: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: another op reads the unquantized output ('func.return' at {{.*}}:[[@LINE+2]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1, %o : !o8, !g, !o
}

func.func @cure_read_the_codes(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %d_out: !o)
    -> (!o8, !g, !o) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_read_the_codes: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  %d = mlafuse.dequantize ins(%c#0 : !o8) scale(%c#1 : !g) outs(%d_out : !o) {key = #group} -> !o
  return %c#0, %c#1, %d : !o8, !g, !o
}

func.func @quantized_twice(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g, %t8: !o8, %scale: !one)
    -> (!o8, !g, !o8) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F015 other-user in @quantized_twice: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: another op reads the unquantized output ('mlafuse.quantize' at {{.*}}:[[@LINE+3]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F015 other-user in @quantized_twice: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: another op reads the unquantized output ('mlafuse.quantize' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %d = mlafuse.quantize ins(%o : !o) scale(%scale : !one) outs(%t8 : !o8) {key = #static} -> !o8
  return %c#0, %c#1, %d : !o8, !g, !o8
}

func.func @cure_quantize_once(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_quantize_once: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}
