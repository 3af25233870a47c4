// The producer has no such form; the cure is a destination that it supports.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!s = tensor<?x1xf32>
!o = tensor<?x512xbf16>
!o8 = tensor<?x512xf8E4M3FN>
!g = tensor<?x4xf32>
!part = tensor<?x4x128xbf16>
!lse = tensor<?x4xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>
#group = #mlafuse.quant_key<fp8_dynamic_128_sym>

func.func @per_head(%x: tensor<?x1x4x512xbf16>, %w: tensor<4x512x128xbf16>, %out: tensor<?x1x4x128xbf16>, %q8: tensor<?x1x4x128xf8E4M3FN>, %s: !s)
    -> (tensor<?x1x4x128xf8E4M3FN>, !s) {
  %o = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x512xbf16>, tensor<4x512x128xbf16>) outs(%out : tensor<?x1x4x128xbf16>) -> tensor<?x1x4x128xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F019 unsupported in @per_head: 'mlafuse.head_projection' and 'mlafuse.quantize' not fused: its destination is per head, not rows of H*V ('mlafuse.head_projection' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : tensor<?x1x4x128xbf16>) outs(%q8, %s : tensor<?x1x4x128xf8E4M3FN>, !s) {key = #token} -> tensor<?x1x4x128xf8E4M3FN>, !s
  return %c#0, %c#1 : tensor<?x1x4x128xf8E4M3FN>, !s
}

func.func @cure_rows(%x: tensor<?x1x4x512xbf16>, %w: tensor<4x512x128xbf16>, %out: !o, %q8: !o8, %s: !s)
    -> (!o8, !s) {
  %o = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x512xbf16>, tensor<4x512x128xbf16>) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_rows: 'mlafuse.head_projection' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !s) {key = #token} -> !o8, !s
  return %c#0, %c#1 : !o8, !s
}

// The dynamic size between hides that 32 is not 16.
func.func @other_sizes(%x: tensor<32x256xbf16>, %w: !w, %y: !x, %q: tensor<16x256xf8E4M3FN>, %s: tensor<16x1xf32>)
    -> (tensor<16x256xf8E4M3FN>, tensor<16x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<32x256xbf16>, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F019 unsupported in @other_sizes: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: the producer's rows do not fit the quantized destinations ('mlafuse.rms_norm' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : tensor<16x256xf8E4M3FN>, tensor<16x1xf32>) {key = #token} -> tensor<16x256xf8E4M3FN>, tensor<16x1xf32>
  return %c#0, %c#1 : tensor<16x256xf8E4M3FN>, tensor<16x1xf32>
}

func.func @cure_one_size(%x: tensor<32x256xbf16>, %w: !w, %y: !x, %q: tensor<32x256xf8E4M3FN>, %s: tensor<32x1xf32>)
    -> (tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<32x256xbf16>, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_one_size: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {key = #token} -> tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
  return %c#0, %c#1 : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
}

func.func @other_sizes_of_an_output(%a: tensor<32x4x128xbf16>, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: tensor<16x512xf8E4M3FN>, %s: tensor<16x4xf32>)
    -> (tensor<16x512xf8E4M3FN>, tensor<16x4xf32>) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<32x4x128xbf16>, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F019 unsupported in @other_sizes_of_an_output: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' not fused: the producer's rows do not fit the quantized destinations ('mlafuse.merge_attn_states' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : tensor<16x512xf8E4M3FN>, tensor<16x4xf32>) {key = #group} -> tensor<16x512xf8E4M3FN>, tensor<16x4xf32>
  return %c#0, %c#1 : tensor<16x512xf8E4M3FN>, tensor<16x4xf32>
}

func.func @cure_one_size_of_an_output(%a: tensor<32x4x128xbf16>, %la: !lse, %b: !part, %lb: !lse, %out: !o, %q8: !o8, %s: !g)
    -> (!o8, !g) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<32x4x128xbf16>, !lse, !part, !lse) outs(%out : !o) -> !o
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @cure_one_size_of_an_output: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 2048*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%o : !o) outs(%q8, %s : !o8, !g) {key = #group} -> !o8, !g
  return %c#0, %c#1 : !o8, !g
}
