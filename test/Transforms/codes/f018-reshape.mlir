// A reshape or slice between the two does not keep the rows, or could cost a copy;
// the cure is to apply it before the norm, or to the codes.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --implicit-check-not=MLAFUSE-

!x = tensor<?x256xbf16>
!w = tensor<256xbf16>
!q = tensor<?x256xf8E4M3FN>
!s = tensor<?x1xf32>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>

func.func @slice(%x: !x, %w: !w, %y: !x, %q: tensor<?x128xf8E4M3FN>, %s: !s, %t: index)
    -> (tensor<?x128xf8E4M3FN>, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  %h = tensor.extract_slice %n[0, 0] [%t, 128] [1, 1] : !x to tensor<?x128xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F018 reshape in @slice: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: only a slice of the result is quantized ('tensor.extract_slice' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%h : tensor<?x128xbf16>) outs(%q, %s : tensor<?x128xf8E4M3FN>, !s) {key = #token} -> tensor<?x128xf8E4M3FN>, !s
  return %c#0, %c#1 : tensor<?x128xf8E4M3FN>, !s
}

func.func @cure_slice_of_the_codes(%x: !x, %w: !w, %y: !x, %q: !q, %s: !s, %t: index)
    -> (tensor<?x128xf8E4M3FN>, !s) {
  %n = mlafuse.rms_norm ins(%x, %w : !x, !w) outs(%y : !x) {epsilon = 1.0e-6 : f32} -> !x
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_slice_of_the_codes: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : !x) outs(%q, %s : !q, !s) {key = #token} -> !q, !s
  %h = tensor.extract_slice %c#0[0, 0] [%t, 128] [1, 1] : !q to tensor<?x128xf8E4M3FN>
  return %h, %c#1 : tensor<?x128xf8E4M3FN>, !s
}

// A scale would be of half a row.
func.func @rows_are_split(%x: tensor<32x256xbf16>, %w: !w, %y: tensor<32x256xbf16>, %q: tensor<32x2x128xf8E4M3FN>, %s: tensor<64x1xf32>)
    -> (tensor<32x2x128xf8E4M3FN>, tensor<64x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<32x256xbf16>, !w) outs(%y : tensor<32x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<32x256xbf16>
  %r = tensor.expand_shape %n [[0], [1, 2]] output_shape [32, 2, 128] : tensor<32x256xbf16> into tensor<32x2x128xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F018 reshape in @rows_are_split: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a reshape between does not keep the rows ('tensor.expand_shape' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%r : tensor<32x2x128xbf16>) outs(%q, %s : tensor<32x2x128xf8E4M3FN>, tensor<64x1xf32>) {key = #token} -> tensor<32x2x128xf8E4M3FN>, tensor<64x1xf32>
  return %c#0, %c#1 : tensor<32x2x128xf8E4M3FN>, tensor<64x1xf32>
}

func.func @cure_reshape_of_the_codes(%x: tensor<32x256xbf16>, %w: !w, %y: tensor<32x256xbf16>, %q: tensor<32x256xf8E4M3FN>, %s: tensor<32x1xf32>)
    -> (tensor<32x2x128xf8E4M3FN>, tensor<32x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<32x256xbf16>, !w) outs(%y : tensor<32x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<32x256xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_reshape_of_the_codes: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%n : tensor<32x256xbf16>) outs(%q, %s : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {key = #token} -> tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
  %r = tensor.expand_shape %c#0 [[0], [1, 2]] output_shape [32, 2, 128] : tensor<32x256xf8E4M3FN> into tensor<32x2x128xf8E4M3FN>
  return %r, %c#1 : tensor<32x2x128xf8E4M3FN>, tensor<32x1xf32>
}

// Neither the input nor the codes can be reshaped for free.
func.func @strided(%x: tensor<4x8x256xbf16> {mlafuse.strided}, %w: !w, %y: tensor<4x8x256xbf16>, %q: tensor<32x256xf8E4M3FN> {mlafuse.strided}, %s: tensor<32x1xf32>)
    -> (tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<4x8x256xbf16>, !w) outs(%y : tensor<4x8x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x256xbf16>
  %r = tensor.collapse_shape %n [[0, 1], [2]] : tensor<4x8x256xbf16> into tensor<32x256xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F018 reshape in @strided: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a reshape between cannot move to the other side of the quantization without the risk of a copy ('tensor.collapse_shape' at {{.*}}:[[@LINE-1]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%r : tensor<32x256xbf16>) outs(%q, %s : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {key = #token} -> tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
  return %c#0, %c#1 : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
}

func.func @cure_contiguous(%x: tensor<4x8x256xbf16>, %w: !w, %y: tensor<4x8x256xbf16>, %q: tensor<32x256xf8E4M3FN>, %s: tensor<32x1xf32>)
    -> (tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<4x8x256xbf16>, !w) outs(%y : tensor<4x8x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x256xbf16>
  %r = tensor.collapse_shape %n [[0, 1], [2]] : tensor<4x8x256xbf16> into tensor<32x256xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_contiguous: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%r : tensor<32x256xbf16>) outs(%q, %s : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {key = #token} -> tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
  return %c#0, %c#1 : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
}

func.func @row_range(%x: tensor<4x8x256xbf16>, %w: !w, %y: tensor<4x8x256xbf16>, %q: tensor<32x256xf8E4M3FN>, %s: tensor<32x1xf32>, %row: index)
    -> (tensor<32x256xf8E4M3FN>, tensor<32x1xf32>, tensor<4x8x256xbf16>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<4x8x256xbf16>, !w) outs(%y : tensor<4x8x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x256xbf16>
  %r = tensor.collapse_shape %n [[0, 1], [2]] : tensor<4x8x256xbf16> into tensor<32x256xbf16>
  %u = arith.negf %n : tensor<4x8x256xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: missed MLAFUSE-F018 reshape in @row_range: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: a reshape between cannot move below a quantization into a row range ('tensor.collapse_shape' at {{.*}}:[[@LINE-2]]:{{[0-9]+}}){{$}}
  %c:2 = mlafuse.quantize ins(%r : tensor<32x256xbf16>) row_offset(%row : index) outs(%q, %s : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {key = #token} -> tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
  return %c#0, %c#1, %u : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>, tensor<4x8x256xbf16>
}

func.func @cure_whole_buffer(%x: tensor<4x8x256xbf16>, %w: !w, %y: tensor<4x8x256xbf16>, %q: tensor<32x256xf8E4M3FN>, %s: tensor<32x1xf32>, %row: index)
    -> (tensor<32x256xf8E4M3FN>, tensor<32x1xf32>, tensor<4x8x256xbf16>) {
  %n = mlafuse.rms_norm ins(%x, %w : tensor<4x8x256xbf16>, !w) outs(%y : tensor<4x8x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x8x256xbf16>
  %r = tensor.collapse_shape %n [[0, 1], [2]] : tensor<4x8x256xbf16> into tensor<32x256xbf16>
  %u = arith.negf %n : tensor<4x8x256xbf16>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @cure_whole_buffer: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 512*T bytes and 1 launch{{$}}
  %c:2 = mlafuse.quantize ins(%r : tensor<32x256xbf16>) outs(%q, %s : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>) {key = #token} -> tensor<32x256xf8E4M3FN>, tensor<32x1xf32>
  return %c#0, %c#1, %u : tensor<32x256xf8E4M3FN>, tensor<32x1xf32>, tensor<4x8x256xbf16>
}
