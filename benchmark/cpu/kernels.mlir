// What the CPU benchmarks run: DeepSeek-V3's dual norm over one projection, and
// decode and prefill attention.
#bf16 = #mlafuse.cache_format<bf16>

func.func @dual_norm(%p: tensor<?x2112xbf16> {mlafuse.dims = ["T", ""]},
    %qw: tensor<1536xbf16>, %kw: tensor<512xbf16>, %q8: tensor<?x1536xf8E4M3FN>,
    %qs: tensor<?x1xf32>, %kv: tensor<?x512xbf16>)
    -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %T = tensor.dim %p, %c0 : tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%T, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%T, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %r:3 = mlafuse.dual_rms_norm_quantize ins(%q_c, %qw, %kv_c, %kw : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%q8, %qs, %kv : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>)
      {q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32}
      -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
  return %r#0, %r#1, %r#2 : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}

func.func @decode(%qn: tensor<?x1x128x128xbf16> {mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x1x128x64xbf16>, %wk: tensor<128x128x512xbf16>, %wv: tensor<128x512x128xbf16>,
    %cache: tensor<?x64x576xbf16> {mlafuse.dims = ["pages", "", ""]},
    %bt: tensor<?x?xi32> {mlafuse.dims = ["B", "blocks"]}, %sl: tensor<?xi32>,
    %o: tensor<?x16384xbf16>) -> tensor<?x16384xbf16> {
  %r = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x128x128xbf16>, tensor<?x1x128x64xbf16>,
        tensor<128x128x512xbf16>, tensor<128x512x128xbf16>, tensor<?x64x576xbf16>)
      block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%o : tensor<?x16384xbf16>)
      {softmax_scale = 0.1352338 : f32, cache_format = #bf16} -> tensor<?x16384xbf16>
  return %r : tensor<?x16384xbf16>
}

func.func @prefill(%q: tensor<?x16x192xbf16> {mlafuse.dims = ["T", "", ""]}, %k: tensor<?x16x192xbf16> {mlafuse.dims = ["T", "", ""]},
    %v: tensor<?x16x128xbf16>, %cq: tensor<2xi32>, %ck: tensor<2xi32>, %o: tensor<?x2048xbf16>) -> tensor<?x2048xbf16> {
  %r = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x16x192xbf16>, tensor<?x16x192xbf16>, tensor<?x16x128xbf16>, tensor<2xi32>, tensor<2xi32>)
      outs(%o : tensor<?x2048xbf16>) {softmax_scale = 0.1352338 : f32, causal} -> tensor<?x2048xbf16>
  return %r : tensor<?x2048xbf16>
}
