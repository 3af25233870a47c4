// Pages of 1, 16, 64 and 128 rows, in reverse order: 64 positions whose values all
// differ, among rows of NaN. The page size known to the compiler, and not.

// CASE page1: in_q BF16 [1, 1, 2, 24] = 0.0
// CASE page1: in_cache BF16 [128, 1, 24] = nan if ((128 - 1 - t // 1) * 1 + t % 1) > 63 else ((128 - 1 - t // 1) * 1 + t % 1) + i
// CASE page1: in_block_table I32 [1, 128] = 128 - 1 - i
// CASE page1: in_seq_lens I32 [1] = 64
// CASE page1: out_o F32 [1, 1, 2, 16] = 31.5 + i
// CASE page1: out_lse F32 [1, 1, 2] = f32(log(64))

// CASE page16: in_q BF16 [1, 1, 2, 24] = 0.0
// CASE page16: in_cache BF16 [8, 16, 24] = nan if ((8 - 1 - t // 16) * 16 + t % 16) > 63 else ((8 - 1 - t // 16) * 16 + t % 16) + i
// CASE page16: in_block_table I32 [1, 8] = 8 - 1 - i
// CASE page16: in_seq_lens I32 [1] = 64
// CASE page16: out_o F32 [1, 1, 2, 16] = 31.5 + i
// CASE page16: out_lse F32 [1, 1, 2] = f32(log(64))

// CASE page64: in_q BF16 [1, 1, 2, 24] = 0.0
// CASE page64: in_cache BF16 [2, 64, 24] = nan if ((2 - 1 - t // 64) * 64 + t % 64) > 63 else ((2 - 1 - t // 64) * 64 + t % 64) + i
// CASE page64: in_block_table I32 [1, 2] = 2 - 1 - i
// CASE page64: in_seq_lens I32 [1] = 64
// CASE page64: out_o F32 [1, 1, 2, 16] = 31.5 + i
// CASE page64: out_lse F32 [1, 1, 2] = f32(log(64))

// CASE page128: in_q BF16 [1, 1, 2, 24] = 0.0
// CASE page128: in_cache BF16 [1, 128, 24] = nan if ((1 - 1 - t // 128) * 128 + t % 128) > 63 else ((1 - 1 - t // 128) * 128 + t % 128) + i
// CASE page128: in_block_table I32 [1, 1] = 1 - 1 - i
// CASE page128: in_seq_lens I32 [1] = 64
// CASE page128: out_o F32 [1, 1, 2, 16] = 31.5 + i
// CASE page128: out_lse F32 [1, 1, 2] = f32(log(64))

// RUN: %compile
// RUN: %case any page1
// RUN: %case fixed1 page1
// RUN: %case any page16
// RUN: %case fixed16 page16
// RUN: %case any page64
// RUN: %case fixed64 page64
// RUN: %case any page128
// RUN: %case fixed128 page128

func.func @any(%q: tensor<?x1x2x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x16xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x16xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x24xbf16>, tensor<?x?x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
}

func.func @fixed1(%q: tensor<?x1x2x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x1x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x16xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x16xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x24xbf16>, tensor<?x1x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
}

func.func @fixed16(%q: tensor<?x1x2x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x16x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x16xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x16xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x24xbf16>, tensor<?x16x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
}

func.func @fixed64(%q: tensor<?x1x2x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x64x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x16xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x16xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x24xbf16>, tensor<?x64x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
}

func.func @fixed128(%q: tensor<?x1x2x24xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x128x24xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x2x16xf32>, %lse_out: tensor<?x1x2xf32>)
    -> (tensor<?x1x2x16xf32> {mlafuse.name = "out_o"}, tensor<?x1x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x2x24xbf16>, tensor<?x128x24xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
  return %o, %lse : tensor<?x1x2x16xf32>, tensor<?x1x2xf32>
}
