// Attention and projections that quantize their output collect one row at a time,
// here of 256 f32, however many rows the product's tile has.

// RUN: mlafuse-compile %s --target=cpu --emit=lowered -o - | grep -E "memref\.alloc" > %t.buffers
// RUN: FileCheck %s --input-file=%t.buffers
// CHECK: memref.alloca() {{.*}} : memref<1x256xf32>
// RUN: not grep -vE "memref\.alloca\(\) .* : memref<1x(256|64)xf32>$" %t.buffers

func.func @token(%x: tensor<?x1x4x32xbf16>, %w: tensor<4x32x64xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %r:2 = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x32xbf16>, tensor<4x32x64xbf16>)
      outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %r#0, %r#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}

func.func @group(%x: tensor<?x1x4x32xbf16>, %w: tensor<4x32x64xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x4xf32>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x4xf32>) {
  %r:2 = mlafuse.head_projection ins(%x, %w : tensor<?x1x4x32xbf16>, tensor<4x32x64xbf16>)
      outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_64_sym>}
      -> tensor<?x256xf8E4M3FN>, tensor<?x4xf32>
  return %r#0, %r#1 : tensor<?x256xf8E4M3FN>, tensor<?x4xf32>
}
