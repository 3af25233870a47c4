// A fused norm or quantization holds no buffer larger than one row, here of 512 f32,
// and allocates nothing.

// RUN: mlafuse-compile %s --target=cpu --emit=lowered -o - | grep -E "memref\.alloc" > %t.buffers
// RUN: FileCheck %s --input-file=%t.buffers
// CHECK: memref.alloca() {{.*}} : memref<512xf32>
// RUN: not grep -vE "memref\.alloca\(\) .* : memref<512xf32>$" %t.buffers

func.func @norm_quantize(%x: tensor<?x512xbf16>, %w: tensor<512xbf16>, %r: tensor<?x512xbf16>,
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<4x?xf32>, %h_out: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN>, tensor<4x?xf32>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %y_tmp = tensor.empty(%t) : tensor<?x512xbf16>
  %y, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) residual(%r : tensor<?x512xbf16>)
      outs(%y_tmp, %h_out : tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>, tensor<?x512xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s, %h : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>, tensor<?x512xbf16>
}

func.func @dual(%p: tensor<?x1024xbf16>, %qw: tensor<512xbf16>, %kw: tensor<512xbf16>,
    %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x1024xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x1024xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 512] [1, 1] : tensor<?x1024xbf16> to tensor<?x512xbf16>
  %q_tmp = tensor.empty(%t) : tensor<?x512xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%q_tmp : tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-5 : f32} -> tensor<?x512xbf16>
  return %q8, %qs, %kv : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

func.func @nvfp4(%x: tensor<?x512xbf16>, %g: tensor<1xf32>, %q_out: tensor<?x256xi8>, %s_out: tensor<?x32xf8E4M3FN>)
    -> (tensor<?x256xi8>, tensor<?x32xf8E4M3FN>) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) global_scale(%g : tensor<1xf32>)
      outs(%q_out, %s_out : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
  return %q, %s : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
}

func.func @token(%x: tensor<?x512xbf16>, %q_out: tensor<?x512xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
