// Decode attention of one KV head over a paged latent cache (latent 512, rope 64, page
// 64), alone and as the whole op, and the projections around it, at the shapes of
// attention.py. Functions are named after heads, queries of a request, cache and output.

func.func @latent_h128_s1_bf16(%q: tensor<?x1x128x576xbf16> {mlafuse.name = "q", mlafuse.dims = ["B", "", "", ""]},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x1x128x512xbf16> {mlafuse.name = "o"},
    %lse: tensor<?x1x128xf32> {mlafuse.name = "lse"}) -> (tensor<?x1x128x512xbf16>, tensor<?x1x128xf32>) {
  %r0, %r1 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x128x576xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o, %lse : tensor<?x1x128x512xbf16>, tensor<?x1x128xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x128x512xbf16>, tensor<?x1x128xf32>
  return %r0, %r1 : tensor<?x1x128x512xbf16>, tensor<?x1x128xf32>
}

func.func @latent_h128_s2_bf16(%q: tensor<?x2x128x576xbf16> {mlafuse.name = "q", mlafuse.dims = ["B", "", "", ""]},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x2x128x512xbf16> {mlafuse.name = "o"},
    %lse: tensor<?x2x128xf32> {mlafuse.name = "lse"}) -> (tensor<?x2x128x512xbf16>, tensor<?x2x128xf32>) {
  %r0, %r1 = mlafuse.latent_attention ins(%q, %cache : tensor<?x2x128x576xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o, %lse : tensor<?x2x128x512xbf16>, tensor<?x2x128xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2x128x512xbf16>, tensor<?x2x128xf32>
  return %r0, %r1 : tensor<?x2x128x512xbf16>, tensor<?x2x128xf32>
}

func.func @latent_h64_s1_bf16(%q: tensor<?x1x64x576xbf16> {mlafuse.name = "q", mlafuse.dims = ["B", "", "", ""]},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x1x64x512xbf16> {mlafuse.name = "o"},
    %lse: tensor<?x1x64xf32> {mlafuse.name = "lse"}) -> (tensor<?x1x64x512xbf16>, tensor<?x1x64xf32>) {
  %r0, %r1 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x64x576xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o, %lse : tensor<?x1x64x512xbf16>, tensor<?x1x64xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x64x512xbf16>, tensor<?x1x64xf32>
  return %r0, %r1 : tensor<?x1x64x512xbf16>, tensor<?x1x64xf32>
}

func.func @latent_h16_s1_bf16(%q: tensor<?x1x16x576xbf16> {mlafuse.name = "q", mlafuse.dims = ["B", "", "", ""]},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x1x16x512xbf16> {mlafuse.name = "o"},
    %lse: tensor<?x1x16xf32> {mlafuse.name = "lse"}) -> (tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {
  %r0, %r1 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x576xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o, %lse : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
  return %r0, %r1 : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
}

func.func @latent_h16_s1_fp8(%q: tensor<?x1x16x576xbf16> {mlafuse.name = "q", mlafuse.dims = ["B", "", "", ""]},
    %cache: tensor<?x64x576xf8E4M3FN> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "k_scale"},
    %o: tensor<?x1x16x512xbf16> {mlafuse.name = "o"},
    %lse: tensor<?x1x16xf32> {mlafuse.name = "lse"}) -> (tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {
  %r0, %r1 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x576xbf16>, tensor<?x64x576xf8E4M3FN>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o, %lse : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
  return %r0, %r1 : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
}

func.func @latent_h16_s1_fp8_ds_mla(%q: tensor<?x1x16x576xbf16> {mlafuse.name = "q", mlafuse.dims = ["B", "", "", ""]},
    %cache: tensor<?x64x656xi8> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x1x16x512xbf16> {mlafuse.name = "o"},
    %lse: tensor<?x1x16xf32> {mlafuse.name = "lse"}) -> (tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {
  %r0, %r1 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x576xbf16>, tensor<?x64x656xi8>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o, %lse : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
  return %r0, %r1 : tensor<?x1x16x512xbf16>, tensor<?x1x16xf32>
}

func.func @decode_h128_s1_bf16(%qn: tensor<?x1x128x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x1x128x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<128x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<128x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x16384xbf16> {mlafuse.name = "o"}) -> (tensor<?x16384xbf16>) {
  %r0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x128x128xbf16>, tensor<?x1x128x64xbf16>, tensor<128x128x512xbf16>, tensor<128x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x16384xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16384xbf16>
  return %r0 : tensor<?x16384xbf16>
}

func.func @decode_h128_s1_g128(%qn: tensor<?x1x128x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x1x128x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<128x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<128x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %codes: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes"},
    %scales: tensor<?x128xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {
  %r0, %r1 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x128x128xbf16>, tensor<?x1x128x64xbf16>, tensor<128x128x512xbf16>, tensor<128x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%codes, %scales : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
  return %r0, %r1 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
}

func.func @decode_h128_s2_bf16(%qn: tensor<?x2x128x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x2x128x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<128x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<128x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x16384xbf16> {mlafuse.name = "o"}) -> (tensor<?x16384xbf16>) {
  %r0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x2x128x128xbf16>, tensor<?x2x128x64xbf16>, tensor<128x128x512xbf16>, tensor<128x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x16384xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16384xbf16>
  return %r0 : tensor<?x16384xbf16>
}

func.func @decode_h128_s2_g128(%qn: tensor<?x2x128x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x2x128x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<128x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<128x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %codes: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes"},
    %scales: tensor<?x128xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {
  %r0, %r1 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x2x128x128xbf16>, tensor<?x2x128x64xbf16>, tensor<128x128x512xbf16>, tensor<128x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%codes, %scales : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
  return %r0, %r1 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
}

func.func @decode_h64_s1_bf16(%qn: tensor<?x1x64x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x1x64x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<64x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<64x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x8192xbf16> {mlafuse.name = "o"}) -> (tensor<?x8192xbf16>) {
  %r0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x64x128xbf16>, tensor<?x1x64x64xbf16>, tensor<64x128x512xbf16>, tensor<64x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x8192xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x8192xbf16>
  return %r0 : tensor<?x8192xbf16>
}

func.func @decode_h64_s1_g128(%qn: tensor<?x1x64x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x1x64x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<64x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<64x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %codes: tensor<?x8192xf8E4M3FN> {mlafuse.name = "codes"},
    %scales: tensor<?x64xf32> {mlafuse.name = "scales"}) -> (tensor<?x8192xf8E4M3FN>, tensor<?x64xf32>) {
  %r0, %r1 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x64x128xbf16>, tensor<?x1x64x64xbf16>, tensor<64x128x512xbf16>, tensor<64x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%codes, %scales : tensor<?x8192xf8E4M3FN>, tensor<?x64xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x8192xf8E4M3FN>, tensor<?x64xf32>
  return %r0, %r1 : tensor<?x8192xf8E4M3FN>, tensor<?x64xf32>
}

func.func @decode_h16_s1_bf16(%qn: tensor<?x1x16x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x1x16x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<16x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<16x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %o: tensor<?x2048xbf16> {mlafuse.name = "o"}) -> (tensor<?x2048xbf16>) {
  %r0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x2048xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2048xbf16>
  return %r0 : tensor<?x2048xbf16>
}

func.func @decode_h16_s1_g128(%qn: tensor<?x1x16x128xbf16> {mlafuse.name = "q_nope", mlafuse.dims = ["B", "", "", ""]},
    %qp: tensor<?x1x16x64xbf16> {mlafuse.name = "q_pe"},
    %wk: tensor<16x128x512xbf16> {mlafuse.name = "w_uk"},
    %wv: tensor<16x512x128xbf16> {mlafuse.name = "w_uv"},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["B", "table"]},
    %lens: tensor<?xi32> {mlafuse.name = "seq_lens"},
    %codes: tensor<?x2048xf8E4M3FN> {mlafuse.name = "codes"},
    %scales: tensor<?x16xf32> {mlafuse.name = "scales"}) -> (tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {
  %r0, %r1 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%codes, %scales : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
  return %r0, %r1 : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
}

func.func @v_up_bf16(%x: tensor<?x1x128x512xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", "", "", ""]},
    %w: tensor<128x512x128xbf16> {mlafuse.name = "w"},
    %o: tensor<?x16384xbf16> {mlafuse.name = "o"}) -> (tensor<?x16384xbf16>) {
  %r0 = mlafuse.head_projection ins(%x, %w : tensor<?x1x128x512xbf16>, tensor<128x512x128xbf16>) outs(%o : tensor<?x16384xbf16>) -> tensor<?x16384xbf16>
  return %r0 : tensor<?x16384xbf16>
}

func.func @v_up_g128(%x: tensor<?x1x128x512xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", "", "", ""]},
    %w: tensor<128x512x128xbf16> {mlafuse.name = "w"},
    %codes: tensor<?x16384xf8E4M3FN> {mlafuse.name = "codes"},
    %scales: tensor<?x128xf32> {mlafuse.name = "scales"}) -> (tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {
  %r0, %r1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x128x512xbf16>, tensor<128x512x128xbf16>) outs(%codes, %scales : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
  return %r0, %r1 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
}
