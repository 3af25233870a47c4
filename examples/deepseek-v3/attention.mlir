// The attention block of DeepSeek-V3 for one decode step, as an engine sees it:
// T requests of different lengths, one new token each, over a paged latent cache.
// Nothing is fused. Weights are as in the checkpoints: f8E4M3FN with one f32 scale
// for each block of 128 x 128, except the per-head projections, which serving
// systems keep in bf16.
//
// hidden 7168, q_lora 1536, kv_lora 512, 128 heads, nope 128, rope 64, value 128,
// epsilon 1e-6; softmax scale 192^-0.5 * mscale^2 with YaRN's mscale for a factor
// of 40: 0.13523.
#act = #mlafuse.quant_key<fp8_dynamic_128_sym>
#token = #mlafuse.quant_key<fp8_dynamic_token_sym>
#weight = #mlafuse.quant_key<fp8_static_128_block_sym>
#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @attention(
    %hidden: tensor<?x7168xbf16> {mlafuse.name = "hidden", mlafuse.dims = ["T", ""]},
    %w_qkv_a: tensor<7168x2112xbf16> {mlafuse.name = "w_qkv_a"},
    %w_q_norm: tensor<1536xbf16> {mlafuse.name = "w_q_norm"},
    %w_kv_norm: tensor<512xbf16> {mlafuse.name = "w_kv_norm"},
    %w_q_b: tensor<1536x24576xf8E4M3FN> {mlafuse.name = "w_q_b"},
    %s_q_b: tensor<12x192xf32> {mlafuse.name = "s_q_b"},
    %w_uk: tensor<128x128x512xbf16> {mlafuse.name = "w_uk"},
    %w_uv: tensor<128x512x128xbf16> {mlafuse.name = "w_uv"},
    %w_o: tensor<16384x7168xf8E4M3FN> {mlafuse.name = "w_o"},
    %s_o: tensor<128x56xf32> {mlafuse.name = "s_o"},
    %positions: tensor<?xi64> {mlafuse.name = "positions", mlafuse.dims = ["T"]},
    %cos_sin: tensor<4096x64xf32> {mlafuse.name = "cos_sin"},
    %slot_mapping: tensor<?xi64> {mlafuse.name = "slot_mapping", mlafuse.dims = ["T"]},
    %block_table: tensor<?x?xi32> {mlafuse.name = "block_table", mlafuse.dims = ["T", "blocks"]},
    %seq_lens: tensor<?xi32> {mlafuse.name = "seq_lens", mlafuse.dims = ["T"]},
    %cache: tensor<?x64x576xbf16> {mlafuse.name = "cache", mlafuse.dims = ["pages", "", ""]},
    %output: tensor<?x7168xbf16> {mlafuse.dims = ["T", ""]})
    -> (tensor<?x7168xbf16> {mlafuse.name = "output"},
        tensor<?x64x576xbf16> {mlafuse.name = "updated_cache"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %T = tensor.dim %hidden, %c0 : tensor<?x7168xbf16>

  // One projection to both latents and the shared position part.
  %p_init = tensor.empty(%T) : tensor<?x2112xf32>
  %p_zero = linalg.fill ins(%zero : f32) outs(%p_init : tensor<?x2112xf32>) -> tensor<?x2112xf32>
  %p_f32 = linalg.matmul ins(%hidden, %w_qkv_a : tensor<?x7168xbf16>, tensor<7168x2112xbf16>)
      outs(%p_zero : tensor<?x2112xf32>) -> tensor<?x2112xf32>
  %p_out = tensor.empty(%T) : tensor<?x2112xbf16>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p_f32 : tensor<?x2112xf32>) outs(%p_out : tensor<?x2112xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x2112xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%T, 1536] [1, 1] : tensor<?x2112xbf16> to tensor<?x1536xbf16>
  %kv_c = tensor.extract_slice %p[0, 1536] [%T, 512] [1, 1] : tensor<?x2112xbf16> to tensor<?x512xbf16>
  %k_pe = tensor.extract_slice %p[0, 2048] [%T, 64] [1, 1] : tensor<?x2112xbf16> to tensor<?x64xbf16>

  // The q side: norm, per-token FP8, and back for the reference product q_b.
  %q_norm_out = tensor.empty(%T) : tensor<?x1536xbf16>
  %q_norm = mlafuse.rms_norm ins(%q_c, %w_q_norm : tensor<?x1536xbf16>, tensor<1536xbf16>)
      outs(%q_norm_out : tensor<?x1536xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %q8_out = tensor.empty(%T) : tensor<?x1536xf8E4M3FN>
  %qs_out = tensor.empty(%T) : tensor<?x1xf32>
  %q8, %qs = mlafuse.quantize ins(%q_norm : tensor<?x1536xbf16>)
      outs(%q8_out, %qs_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {key = #token}
      -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
  %q_deq_out = tensor.empty(%T) : tensor<?x1536xf32>
  %q_deq = mlafuse.dequantize ins(%q8 : tensor<?x1536xf8E4M3FN>) scale(%qs : tensor<?x1xf32>)
      outs(%q_deq_out : tensor<?x1536xf32>) {key = #token} -> tensor<?x1536xf32>
  %w_q_b_out = tensor.empty() : tensor<1536x24576xbf16>
  %w_q_b_deq = mlafuse.dequantize ins(%w_q_b : tensor<1536x24576xf8E4M3FN>) scale(%s_q_b : tensor<12x192xf32>)
      outs(%w_q_b_out : tensor<1536x24576xbf16>) {key = #weight} -> tensor<1536x24576xbf16>
  %q_init = tensor.empty(%T) : tensor<?x24576xf32>
  %q_zero = linalg.fill ins(%zero : f32) outs(%q_init : tensor<?x24576xf32>) -> tensor<?x24576xf32>
  %q_f32 = linalg.matmul ins(%q_deq, %w_q_b_deq : tensor<?x1536xf32>, tensor<1536x24576xbf16>)
      outs(%q_zero : tensor<?x24576xf32>) -> tensor<?x24576xf32>
  %q_out = tensor.empty(%T) : tensor<?x24576xbf16>
  %q_flat = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q_f32 : tensor<?x24576xf32>) outs(%q_out : tensor<?x24576xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x24576xbf16>
  %q = tensor.expand_shape %q_flat [[0], [1, 2]] output_shape [%T, 128, 192]
      : tensor<?x24576xbf16> into tensor<?x128x192xbf16>
  %q_nope = tensor.extract_slice %q[0, 0, 0] [%T, 128, 128] [1, 1, 1]
      : tensor<?x128x192xbf16> to tensor<?x128x128xbf16>
  %q_pe = tensor.extract_slice %q[0, 0, 128] [%T, 128, 64] [1, 1, 1]
      : tensor<?x128x192xbf16> to tensor<?x128x64xbf16>

  // The kv side: norm, rotary embedding, cache.
  %kv_out = tensor.empty(%T) : tensor<?x512xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %w_kv_norm : tensor<?x512xbf16>, tensor<512xbf16>)
      outs(%kv_out : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q_pe_out = tensor.empty(%T) : tensor<?x128x64xbf16>
  %q_rope = mlafuse.rope ins(%q_pe, %positions, %cos_sin : tensor<?x128x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>)
      outs(%q_pe_out : tensor<?x128x64xbf16>) {style = #mlafuse.rope_style<interleaved>} -> tensor<?x128x64xbf16>
  %k_pe_head = tensor.expand_shape %k_pe [[0], [1, 2]] output_shape [%T, 1, 64]
      : tensor<?x64xbf16> into tensor<?x1x64xbf16>
  %k_pe_out = tensor.empty(%T) : tensor<?x1x64xbf16>
  %k_rope_head = mlafuse.rope ins(%k_pe_head, %positions, %cos_sin : tensor<?x1x64xbf16>, tensor<?xi64>, tensor<4096x64xf32>)
      outs(%k_pe_out : tensor<?x1x64xbf16>) {style = #mlafuse.rope_style<interleaved>} -> tensor<?x1x64xbf16>
  %k_rope = tensor.collapse_shape %k_rope_head [[0], [1, 2]] : tensor<?x1x64xbf16> into tensor<?x64xbf16>
  %updated = mlafuse.mla_cache_update ins(%kv, %k_rope, %slot_mapping : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>)
      outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>

  // Attention, FP8 in groups of 128 for o_proj, and the reference product o_proj.
  %qn = tensor.expand_shape %q_nope [[0, 1], [2], [3]] output_shape [%T, 1, 128, 128]
      : tensor<?x128x128xbf16> into tensor<?x1x128x128xbf16>
  %qp = tensor.expand_shape %q_rope [[0, 1], [2], [3]] output_shape [%T, 1, 128, 64]
      : tensor<?x128x64xbf16> into tensor<?x1x128x64xbf16>
  %o_out = tensor.empty(%T) : tensor<?x16384xbf16>
  %o = mlafuse.mla_decode ins(%qn, %qp, %w_uk, %w_uv, %updated : tensor<?x1x128x128xbf16>, tensor<?x1x128x64xbf16>,
        tensor<128x128x512xbf16>, tensor<128x512x128xbf16>, tensor<?x64x576xbf16>)
      block_table(%block_table : tensor<?x?xi32>) seq_lens(%seq_lens : tensor<?xi32>)
      outs(%o_out : tensor<?x16384xbf16>)
      {softmax_scale = 0.1352338 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16384xbf16>
  %o8_out = tensor.empty(%T) : tensor<?x16384xf8E4M3FN>
  %os_out = tensor.empty(%T) : tensor<?x128xf32>
  %o8, %os = mlafuse.quantize ins(%o : tensor<?x16384xbf16>)
      outs(%o8_out, %os_out : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {key = #act}
      -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
  %o_deq_out = tensor.empty(%T) : tensor<?x16384xf32>
  %o_deq = mlafuse.dequantize ins(%o8 : tensor<?x16384xf8E4M3FN>) scale(%os : tensor<?x128xf32>)
      outs(%o_deq_out : tensor<?x16384xf32>) {key = #act} -> tensor<?x16384xf32>
  %w_o_out = tensor.empty() : tensor<16384x7168xbf16>
  %w_o_deq = mlafuse.dequantize ins(%w_o : tensor<16384x7168xf8E4M3FN>) scale(%s_o : tensor<128x56xf32>)
      outs(%w_o_out : tensor<16384x7168xbf16>) {key = #weight} -> tensor<16384x7168xbf16>
  %y_init = tensor.empty(%T) : tensor<?x7168xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_init : tensor<?x7168xf32>) -> tensor<?x7168xf32>
  %y_f32 = linalg.matmul ins(%o_deq, %w_o_deq : tensor<?x16384xf32>, tensor<16384x7168xbf16>)
      outs(%y_zero : tensor<?x7168xf32>) -> tensor<?x7168xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_f32 : tensor<?x7168xf32>) outs(%output : tensor<?x7168xbf16>) {
  ^bb0(%x: f32, %z: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x7168xbf16>
  return %y, %updated : tensor<?x7168xbf16>, tensor<?x64x576xbf16>
}
