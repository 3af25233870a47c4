// An attention op quantizes its output.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!g = tensor<?x4xf32>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @merge(%a: !part, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : !part, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @merge: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}

func.func @project(%x: tensor<?x1x4x512xbf16>, %w: tensor<4x512x128xbf16>, %out: !o, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x512xbf16>, tensor<4x512x128xbf16>) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @project: 'mlafuse.head_projection' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}
