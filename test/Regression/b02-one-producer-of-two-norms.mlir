// Two norms of one projection become one op; two readers of the quantized latent, a
// third of the value, and one of the projection itself keep what they read.
// RUN: mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=text | FileCheck %s

// CHECK-LABEL: func.func @latents(
// CHECK: %[[PE:.*]] = tensor.extract_slice %arg0[0, 2048]
// CHECK: %[[R:.*]]:4 = mlafuse.dual_rms_norm_quantize {{.*}} outs(%arg5, %arg6, %arg3, %arg4 :
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#0, %[[R]]#1, %[[R]]#2, %[[R]]#3, %[[PE]]
// CHECK: passed MLAFUSE-F002 siblings in @latents
// CHECK-NEXT: passed MLAFUSE-F001 norm-quantize in @latents
// CHECK-NEXT: passed MLAFUSE-F004 equal-quantize in @latents
func.func @latents(%p: tensor<?x2112xbf16>, %qw: tensor<1536xbf16>, %kw: tensor<512xbf16>, %qo: tensor<?x1536xbf16>, %ko: tensor<?x512xbf16>, %q8: tensor<?x1536xf8E4M3FN>, %s: tensor<?x1xf32>)
    -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>, tensor<?x512xbf16>, tensor<?x64xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %pe = tensor.extract_slice %p[0, 2048] [%t, 64] [1, 1] : tensor<?x2112xbf16> to tensor<?x64xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%ko : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%qo : tensor<?x1536xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %a:2 = mlafuse.quantize ins(%q : tensor<?x1536xbf16>) outs(%q8, %s : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  %b_codes = tensor.empty(%t) : tensor<?x1536xf8E4M3FN>
  %b_scale = tensor.empty(%t) : tensor<?x1xf32>
  %b:2 = mlafuse.quantize ins(%q : tensor<?x1536xbf16>) outs(%b_codes, %b_scale : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  return %a#0, %a#1, %b#0, %b#1, %q, %kv, %pe : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>, tensor<?x512xbf16>, tensor<?x64xbf16>
}
