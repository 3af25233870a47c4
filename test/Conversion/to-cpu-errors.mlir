// RUN: mlafuse-opt %s --mlafuse-to-cpu --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<4x64xbf16>) {
  // expected-error @below {{is still on tensors: bufferize first (--mlafuse-bufferize)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x64xbf16>) outs(%x : tensor<4x64xbf16>) {epsilon = 0.0 : f32} -> tensor<4x64xbf16>
  return
}

// -----

func.func @strides(%x: memref<4x64xbf16, strided<[?, ?]>>, %y: memref<4x64xbf16>) {
  // expected-error @below {{the CPU kernel needs a memref whose innermost stride is known to be 1, got 'memref<4x64xbf16, strided<[?, ?]>>'}}
  mlafuse.rms_norm ins(%x : memref<4x64xbf16, strided<[?, ?]>>) outs(%y : memref<4x64xbf16>) {epsilon = 0.0 : f32}
  return
}

// -----

func.func @heads(%q: memref<2x1x?x80xbf16>, %cache: memref<4x16x80xbf16>, %table: memref<2x3xi32>,
    %lens: memref<2xi32>, %o: memref<2x1x?x64xbf16>) {
  // expected-error @below {{the CPU kernel needs a static number of heads, got q of 'memref<2x1x?x80xbf16>'}}
  mlafuse.latent_attention ins(%q, %cache : memref<2x1x?x80xbf16>, memref<4x16x80xbf16>)
      block_table(%table : memref<2x3xi32>) seq_lens(%lens : memref<2xi32>) outs(%o : memref<2x1x?x64xbf16>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

func.func @whole_tensor_scale(%x: memref<4x1x2x16xbf16>, %w: memref<2x16x64xbf16>, %q: memref<4x128xf8E4M3FN>, %s: memref<1xf32>) {
  // expected-error @below {{has no CPU kernel with #mlafuse.quant_key<fp8_dynamic_tensor_sym>, whose scale needs all rows before the first code: quantize by an op of its own (mlafuse.quantize)}}
  mlafuse.head_projection ins(%x, %w : memref<4x1x2x16xbf16>, memref<2x16x64xbf16>) outs(%q, %s : memref<4x128xf8E4M3FN>, memref<1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>}
  return
}

// -----

func.func @whole_tensor_scale_of_norm(%x: memref<4x64xbf16>, %q: memref<4x64xf8E4M3FN>, %s: memref<1xf32>) {
  // expected-error @below {{has no CPU kernel with #mlafuse.quant_key<fp8_dynamic_tensor_sym>}}
  mlafuse.rms_norm_quantize ins(%x : memref<4x64xbf16>) outs(%q, %s : memref<4x64xf8E4M3FN>, memref<1xf32>)
      {epsilon = 0.0 : f32, key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>}
  return
}

// -----

func.func @whole_tensor_scale_of_side(%a: memref<4x64xbf16>, %w: memref<64xbf16>, %q: memref<4x64xf8E4M3FN>, %s: memref<1xf32>, %y: memref<4x64xbf16>) {
  // expected-error @below {{has no CPU kernel with #mlafuse.quant_key<fp8_dynamic_tensor_sym>}}
  mlafuse.dual_rms_norm_quantize ins(%a, %w, %a, %w : memref<4x64xbf16>, memref<64xbf16>, memref<4x64xbf16>, memref<64xbf16>)
      outs(%y, %q, %s : memref<4x64xbf16>, memref<4x64xf8E4M3FN>, memref<1xf32>)
      {q_epsilon = 0.0 : f32, kv_epsilon = 0.0 : f32, kv_key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>}
  return
}

// -----

func.func @aggregate(%qn: memref<2x1x2x16xbf16>, %qp: memref<2x1x2x16xbf16>, %wk: memref<2x16x64xbf16>, %wv: memref<2x64x32xbf16>,
    %cache: memref<4x16x80xbf16>, %table: memref<2x3xi32>, %lens: memref<2xi32>, %o: memref<2x64xbf16>) {
  // expected-error @below {{has no CPU kernel}}
  mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : memref<2x1x2x16xbf16>, memref<2x1x2x16xbf16>, memref<2x16x64xbf16>, memref<2x64x32xbf16>, memref<4x16x80xbf16>)
      block_table(%table : memref<2x3xi32>) seq_lens(%lens : memref<2xi32>) outs(%o : memref<2x64xbf16>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

func.func @stack(%x: memref<?x4000000xbf16>, %y: memref<?x4000000xbf16>) {
  // expected-error @below {{is too wide for the CPU kernel: it keeps 16000000 bytes of its rows on the stack, and may keep 4194304}}
  mlafuse.rms_norm ins(%x : memref<?x4000000xbf16>) outs(%y : memref<?x4000000xbf16>) {epsilon = 0.0 : f32}
  return
}
