// Both fusions in the distribution's mlir-opt, with one option or both.
// REQUIRES: stock-plugin
// RUN: mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(mlafuse-fuse)' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(mlafuse-fuse)' %s | FileCheck %s
// And the way back.
// RUN: mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(mlafuse-fuse,mlafuse-decompose)' %s | FileCheck %s --check-prefix=BACK

// CHECK-LABEL: @pre_attention
// CHECK-NOT: mlafuse.rms_norm
// CHECK: mlafuse.dual_rms_norm_quantize
// BACK-LABEL: @pre_attention
// BACK-NOT: mlafuse.dual_rms_norm_quantize
// BACK-COUNT-2: mlafuse.rms_norm
func.func @pre_attention(%p: tensor<?x2112xbf16>, %qw: tensor<1536xbf16>, %kw: tensor<512xbf16>,
    %q8_out: tensor<?x1536xf8E4M3FN>, %qs_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %q_tmp: tensor<?x1536xbf16>)
    -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%q_tmp : tensor<?x1536xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x1536xbf16>) outs(%q8_out, %qs_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %q8, %qs, %kv : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

// CHECK-LABEL: @attention
// CHECK: mlafuse.mla_decode {{.*}}key = #mlafuse.quant_key<fp8_dynamic_128_sym>
// CHECK-NOT: mlafuse.quantize
// BACK-LABEL: @attention
// BACK: mlafuse.latent_attention
// BACK: mlafuse.quantize
func.func @attention(%qn: tensor<?x1x16x128xbf16>, %qp: tensor<?x1x16x64xbf16>, %wk: tensor<16x128x512xbf16>, %wv: tensor<16x512x128xbf16>,
    %c: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %o: tensor<?x2048xbf16>, %q: tensor<?x2048xf8E4M3FN>, %s: tensor<?x16xf32>)
    -> (tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %c : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>,
      tensor<16x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>)
      outs(%o : tensor<?x2048xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2048xbf16>
  %1:2 = mlafuse.quantize ins(%0 : tensor<?x2048xbf16>) outs(%q, %s : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
  return %1#0, %1#1 : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
}
