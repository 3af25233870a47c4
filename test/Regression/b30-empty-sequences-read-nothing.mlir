// Sequences of length 0 read neither their table, all -1 or of no columns, nor the
// cache, which ends, as the table does, where memory ends. The caches of one page are as
// large as a page of memory, so that what lies ahead of them is none either.

// CASE bf16: in_q BF16 [3, 1, 2, 128] = 1.0
// CASE bf16: in_cache BF16 [1, 16, 128] = nan
// CASE bf16: in_block_table I32 [3, 2] = -1
// CASE bf16: in_seq_lens I32 [3] = 0
// CASE bf16: out_o F32 [3, 1, 2, 64] = 0.0
// CASE bf16: out_lse F32 [3, 1, 2] = -inf

// CASE bf16-none: in_q BF16 [3, 1, 2, 128] = 1.0
// CASE bf16-none: in_cache BF16 [0, 16, 128] = nan
// CASE bf16-none: in_block_table I32 [3, 0] = -1
// CASE bf16-none: in_seq_lens I32 [3] = 0
// CASE bf16-none: out_o F32 [3, 1, 2, 64] = 0.0
// CASE bf16-none: out_lse F32 [3, 1, 2] = -inf

// CASE fp8: in_q BF16 [3, 1, 2, 256] = 1.0
// CASE fp8: in_cache F8_E4M3 [1, 16, 256] = nan
// CASE fp8: in_block_table I32 [3, 2] = -1
// CASE fp8: in_seq_lens I32 [3] = 0
// CASE fp8: in_k_scale F32 [1] = 0.5
// CASE fp8: out_o F32 [3, 1, 2, 192] = 0.0
// CASE fp8: out_lse F32 [3, 1, 2] = -inf

// CASE fp8-none: in_q BF16 [3, 1, 2, 256] = 1.0
// CASE fp8-none: in_cache F8_E4M3 [0, 16, 256] = nan
// CASE fp8-none: in_block_table I32 [3, 0] = -1
// CASE fp8-none: in_seq_lens I32 [3] = 0
// CASE fp8-none: in_k_scale F32 [1] = 0.5
// CASE fp8-none: out_o F32 [3, 1, 2, 192] = 0.0
// CASE fp8-none: out_lse F32 [3, 1, 2] = -inf

// CASE fp8-ds-mla: in_q BF16 [3, 1, 2, 190] = 1.0
// CASE fp8-ds-mla: in_cache U8 [1, 16, 256] = 0xFF
// CASE fp8-ds-mla: in_block_table I32 [3, 2] = -1
// CASE fp8-ds-mla: in_seq_lens I32 [3] = 0
// CASE fp8-ds-mla: out_o F32 [3, 1, 2, 128] = 0.0
// CASE fp8-ds-mla: out_lse F32 [3, 1, 2] = -inf

// CASE fp8-ds-mla-none: in_q BF16 [3, 1, 2, 190] = 1.0
// CASE fp8-ds-mla-none: in_cache U8 [0, 16, 256] = 0xFF
// CASE fp8-ds-mla-none: in_block_table I32 [3, 0] = -1
// CASE fp8-ds-mla-none: in_seq_lens I32 [3] = 0
// CASE fp8-ds-mla-none: out_o F32 [3, 1, 2, 128] = 0.0
// CASE fp8-ds-mla-none: out_lse F32 [3, 1, 2] = -inf

// RUN: %compile
// RUN: %if sanitizers %{ %case bf16 bf16 %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case bf16 bf16 %}
// RUN: %if sanitizers %{ %case bf16 bf16-none %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case bf16 bf16-none %}
// RUN: %if sanitizers %{ %case fp8 fp8 %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case fp8 fp8 %}
// RUN: %if sanitizers %{ %case fp8 fp8-none %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case fp8 fp8-none %}
// RUN: %if sanitizers %{ %case fp8_ds_mla fp8-ds-mla %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case fp8_ds_mla fp8-ds-mla %}
// RUN: %if sanitizers %{ %case fp8_ds_mla fp8-ds-mla-none %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case fp8_ds_mla fp8-ds-mla-none %}

func.func @bf16(%q: tensor<?x1x2x128xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x128xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x64xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x64xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x128xbf16>, tensor<?x?x128xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x64xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x64xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x64xf32>, tensor<?x1x2xf32>
}

func.func @fp8(%q: tensor<?x1x2x256xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x256xf8E4M3FN> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %o_out: tensor<?x1x2x192xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x192xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x256xbf16>, tensor<?x?x256xf8E4M3FN>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) k_scale(%k_scale : tensor<1xf32>) outs(%o_out, %lse_out : tensor<?x1x2x192xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x1x2x192xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x192xf32>, tensor<?x1x2xf32>
}

func.func @fp8_ds_mla(%q: tensor<?x1x2x190xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x256xi8> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x128xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x128xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x190xbf16>, tensor<?x?x256xi8>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x128xf32>, tensor<?x1x2xf32>
}
