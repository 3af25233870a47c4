// A q norm with per-token quantization and its sibling, the kv norm, with
// contracted numerics: the chain keeps the normalized q in f32, and its norms
// round once. Against golden files, written as a
// chain that is compiled unfused and fused, and as one op (functions in _op).

// RUN: %compile_both
// RUN: %golden_both token_1536 dual-token_t0_1536 --against-contracted --partial
// RUN: %golden_both token_1536_op dual-token_t0_1536 --against-contracted --partial
// RUN: %golden_both token_1536 dual-token_t1_1536 --against-contracted --partial
// RUN: %golden_both token_1536_op dual-token_t1_1536 --against-contracted --partial
// RUN: %golden_both token_1536 dual-token_t7_1536 --against-contracted --partial
// RUN: %golden_both token_1536_op dual-token_t7_1536 --against-contracted --partial
// RUN: %golden_both token_768 dual-token_t1_768 --against-contracted --partial
// RUN: %golden_both token_768_op dual-token_t1_768 --against-contracted --partial

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize --implicit-check-not=rms_norm
// CHECK-COUNT-4: mlafuse.dual_rms_norm_quantize

func.func @token_1536(%p: tensor<?x2112xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<1536xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x1536xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>)
    -> (tensor<?x1536xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 2048] [%t, 64] [1, 1] : tensor<?x2112xbf16> to tensor<?x64xbf16>
  %q_tmp = tensor.empty(%t) : tensor<?x1536xf32>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%q_tmp : tensor<?x1536xf32>)
      {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x1536xf32>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x1536xf32>) outs(%q_out, %s_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-5 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>
}

func.func @token_1536_op(%p: tensor<?x2112xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<1536xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x1536xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>)
    -> (tensor<?x1536xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 2048] [%t, 64] [1, 1] : tensor<?x2112xbf16> to tensor<?x64xbf16>
  %q8, %qs, %kv = mlafuse.dual_rms_norm_quantize
      ins(%q_c, %qw, %kv_c, %kw : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q_out, %s_out, %kv_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
      {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-5 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, rounding = #mlafuse.rounding<result>, numerics = #mlafuse.numerics<contracted>}
      -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>
}

func.func @token_768(%p: tensor<?x1344xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<768xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x768xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>)
    -> (tensor<?x768xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x1344xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 768] [1, 1] : tensor<?x1344xbf16> to tensor<?x768xbf16>
  %kv_c = tensor.extract_slice %p[0, 768] [%t, 512] [1, 1] : tensor<?x1344xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 1280] [%t, 64] [1, 1] : tensor<?x1344xbf16> to tensor<?x64xbf16>
  %q_tmp = tensor.empty(%t) : tensor<?x768xf32>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x768xbf16>, tensor<768xbf16>) outs(%q_tmp : tensor<?x768xf32>)
      {epsilon = 1.0e-5 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x768xf32>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x768xf32>) outs(%q_out, %s_out : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x768xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32, rounding = #mlafuse.rounding<result>} -> tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>
}

func.func @token_768_op(%p: tensor<?x1344xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<768xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x768xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>)
    -> (tensor<?x768xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x1344xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 768] [1, 1] : tensor<?x1344xbf16> to tensor<?x768xbf16>
  %kv_c = tensor.extract_slice %p[0, 768] [%t, 512] [1, 1] : tensor<?x1344xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 1280] [%t, 64] [1, 1] : tensor<?x1344xbf16> to tensor<?x64xbf16>
  %q8, %qs, %kv = mlafuse.dual_rms_norm_quantize
      ins(%q_c, %qw, %kv_c, %kw : tensor<?x768xbf16>, tensor<768xbf16>, tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q_out, %s_out, %kv_out : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
      {q_epsilon = 1.0e-5 : f32, kv_epsilon = 1.0e-6 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, rounding = #mlafuse.rounding<result>, numerics = #mlafuse.numerics<contracted>}
      -> tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>
}
