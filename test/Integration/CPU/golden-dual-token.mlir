// A q norm with per-token quantization and its sibling, the kv norm, both
// read in place as slices of one projection: against golden files, written as a
// chain that is compiled unfused and fused, and as one op (functions in _op).

// RUN: %compile_both
// RUN: %golden_both token_1536 dual-token_t0_1536
// RUN: %golden_both token_1536_op dual-token_t0_1536
// RUN: %golden_both token_1536 dual-token_t1_1536
// RUN: %golden_both token_1536_op dual-token_t1_1536
// RUN: %golden_both token_1536 dual-token_t7_1536
// RUN: %golden_both token_1536_op dual-token_t7_1536
// RUN: %golden_both token_768 dual-token_t1_768
// RUN: %golden_both token_768_op dual-token_t1_768
// RUN: %golden_both token_256 dual-token_t257_256
// RUN: %golden_both token_256_op dual-token_t257_256

// The chains do fuse.
// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s --implicit-check-not=mlafuse.quantize --implicit-check-not=rms_norm
// CHECK-COUNT-6: mlafuse.dual_rms_norm_quantize

func.func @token_1536(%p: tensor<?x2112xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<1536xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x1536xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>,
    %y_out: tensor<?x1536xbf16>)
    -> (tensor<?x1536xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}, tensor<?x1536xbf16> {mlafuse.name = "out_q_normed"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 2048] [%t, 64] [1, 1] : tensor<?x2112xbf16> to tensor<?x64xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%y_out : tensor<?x1536xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x1536xbf16>) outs(%q_out, %s_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-5 : f32} -> tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe, %q : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?x1536xbf16>
}

func.func @token_1536_op(%p: tensor<?x2112xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<1536xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x1536xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>,
    %y_out: tensor<?x1536xbf16>)
    -> (tensor<?x1536xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}, tensor<?x1536xbf16> {mlafuse.name = "out_q_normed"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%t, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 2048] [%t, 64] [1, 1] : tensor<?x2112xbf16> to tensor<?x64xbf16>
  %q8, %qs, %q, %kv = mlafuse.dual_rms_norm_quantize
      ins(%q_c, %qw, %kv_c, %kw : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q_out, %s_out, %y_out, %kv_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>, tensor<?x512xbf16>)
      {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-5 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1536xbf16>, tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe, %q : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?x1536xbf16>
}

func.func @token_768(%p: tensor<?x1344xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<768xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x768xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>,
    %y_out: tensor<?x768xbf16>)
    -> (tensor<?x768xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}, tensor<?x768xbf16> {mlafuse.name = "out_q_normed"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x1344xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 768] [1, 1] : tensor<?x1344xbf16> to tensor<?x768xbf16>
  %kv_c = tensor.extract_slice %p[0, 768] [%t, 512] [1, 1] : tensor<?x1344xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 1280] [%t, 64] [1, 1] : tensor<?x1344xbf16> to tensor<?x64xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x768xbf16>, tensor<768xbf16>) outs(%y_out : tensor<?x768xbf16>)
      {epsilon = 1.0e-5 : f32} -> tensor<?x768xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x768xbf16>) outs(%q_out, %s_out : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x768xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe, %q : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?x768xbf16>
}

func.func @token_768_op(%p: tensor<?x1344xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<768xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<512xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x768xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %pe_out: tensor<?x64xbf16>,
    %y_out: tensor<?x768xbf16>)
    -> (tensor<?x768xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x512xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}, tensor<?x768xbf16> {mlafuse.name = "out_q_normed"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x1344xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 768] [1, 1] : tensor<?x1344xbf16> to tensor<?x768xbf16>
  %kv_c = tensor.extract_slice %p[0, 768] [%t, 512] [1, 1] : tensor<?x1344xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 1280] [%t, 64] [1, 1] : tensor<?x1344xbf16> to tensor<?x64xbf16>
  %q8, %qs, %q, %kv = mlafuse.dual_rms_norm_quantize
      ins(%q_c, %qw, %kv_c, %kw : tensor<?x768xbf16>, tensor<768xbf16>, tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q_out, %s_out, %y_out, %kv_out : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x768xbf16>, tensor<?x512xbf16>)
      {q_epsilon = 1.0e-5 : f32, kv_epsilon = 1.0e-6 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x768xbf16>, tensor<?x512xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe, %q : tensor<?x768xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?x768xbf16>
}

func.func @token_256(%p: tensor<?x448xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<256xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<128xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x128xbf16>, %pe_out: tensor<?x64xbf16>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x128xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x448xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 256] [1, 1] : tensor<?x448xbf16> to tensor<?x256xbf16>
  %kv_c = tensor.extract_slice %p[0, 256] [%t, 128] [1, 1] : tensor<?x448xbf16> to tensor<?x128xbf16>
  %k_pe = tensor.extract_slice %p[0, 384] [%t, 64] [1, 1] : tensor<?x448xbf16> to tensor<?x64xbf16>
  %q_tmp = tensor.empty(%t) : tensor<?x256xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%q_tmp : tensor<?x256xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x128xbf16>, tensor<128xbf16>) outs(%kv_out : tensor<?x128xbf16>)
      {epsilon = 1.0e-5 : f32} -> tensor<?x128xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>, tensor<?x64xbf16>
}

func.func @token_256_op(%p: tensor<?x448xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<256xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<128xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x1xf32>, %kv_out: tensor<?x128xbf16>, %pe_out: tensor<?x64xbf16>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_q_scale"}, tensor<?x128xbf16> {mlafuse.name = "out_kv"}, tensor<?x64xbf16> {mlafuse.name = "out_k_pe"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x448xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 256] [1, 1] : tensor<?x448xbf16> to tensor<?x256xbf16>
  %kv_c = tensor.extract_slice %p[0, 256] [%t, 128] [1, 1] : tensor<?x448xbf16> to tensor<?x128xbf16>
  %k_pe = tensor.extract_slice %p[0, 384] [%t, 64] [1, 1] : tensor<?x448xbf16> to tensor<?x64xbf16>
  %q8, %qs, %kv = mlafuse.dual_rms_norm_quantize
      ins(%q_c, %qw, %kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>, tensor<?x128xbf16>, tensor<128xbf16>)
      outs(%q_out, %s_out, %kv_out : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>)
      {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-5 : f32, q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>
  %pe = linalg.copy ins(%k_pe : tensor<?x64xbf16>) outs(%pe_out : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %q8, %qs, %kv, %pe : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x128xbf16>, tensor<?x64xbf16>
}
