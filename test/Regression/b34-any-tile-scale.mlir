// Rows of 656 bytes: the reader takes any f32 as a tile's scale, each tile its own, and
// whether the writer rounds it to a power of two is an attribute. Neither goes beyond a
// row: the cache ends where memory ends.

// CASE reader: in_q BF16 [2, 1, 3, 576] = 0.0 if i < 512 else 1.0
// CASE reader: in_cache U8 [2, 2, 656] = 0xFF if t % 2 else 0x38 if i < 512 else ([0x3EBD70A4, 0x37FBA882, 0x414570A4, 0x3F800000][(i - 512) // 4] >> 8 * (i % 4) & 0xFF) if i < 528 else (0x3F80 >> 8 * (i % 2) & 0xFF)
// CASE reader: in_block_table I32 [2, 1] = t
// CASE reader: in_seq_lens I32 [2] = 1
// CASE reader: out_o F32 [2, 1, 3, 512] = bf16(f32([0.37, 3e-05, 12.34, 1.0][i // 128]))
// CASE reader: out_lse F32 [2, 1, 3] = 64.0

// CASE exact: in_kv_c F32 [1, 512] = 448 * f32(0.37)
// CASE exact: in_k_pe BF16 [1, 64] = 3.0
// CASE exact: in_slot_mapping I64 [1] = 1
// CASE exact: in_cache U8 [1, 3, 656] = 0x55
// CASE exact: out_cache U8 [1, 3, 656] = 0x55 if t != 1 else 0x7E if i < 512 else (0x3EBD70A5 >> 8 * (i % 4) & 0xFF) if i < 528 else (0x4040 >> 8 * (i % 2) & 0xFF)

// CASE power: in_kv_c F32 [1, 512] = 448 * f32(0.37)
// CASE power: in_k_pe BF16 [1, 64] = 3.0
// CASE power: in_slot_mapping I64 [1] = 1
// CASE power: in_cache U8 [1, 3, 656] = 0x55
// CASE power: out_cache U8 [1, 3, 656] = 0x55 if t != 1 else 0x7A if i < 512 else (0x3F000000 >> 8 * (i % 4) & 0xFF) if i < 528 else (0x4040 >> 8 * (i % 2) & 0xFF)

// RUN: %compile
// RUN: %if sanitizers %{ %case read reader %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case read reader %}
// RUN: %if sanitizers %{ %case write exact %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case write exact %}
// RUN: %if sanitizers %{ %case write_ue8m0 power %} %else %{ env LD_PRELOAD=%mlafuse_build/lib/libmlafuse_guard_pages.so %case write_ue8m0 power %}

func.func @read(%q: tensor<?x1x3x576xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x?x656xi8> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1x3x512xf32>, %lse_out: tensor<?x1x3xf32>)
    -> (tensor<?x1x3x512xf32> {mlafuse.name = "out_o"}, tensor<?x1x3xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x3x576xbf16>, tensor<?x?x656xi8>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1x3x512xf32>, tensor<?x1x3xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x1x3x512xf32>, tensor<?x1x3xf32>
  return %o, %lse : tensor<?x1x3x512xf32>, tensor<?x1x3xf32>
}

func.func @write(%kv: tensor<?x512xf32> {mlafuse.name = "in_kv_c"}, %pe: tensor<?x64xbf16> {mlafuse.name = "in_k_pe"},
    %slots: tensor<?xi64> {mlafuse.name = "in_slot_mapping"}, %cache: tensor<?x?x656xi8> {mlafuse.name = "in_cache"})
    -> (tensor<?x?x656xi8> {mlafuse.name = "out_cache"}) {
  %new = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xf32>, tensor<?x64xbf16>, tensor<?xi64>)
      outs(%cache : tensor<?x?x656xi8>) {cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x?x656xi8>
  return %new : tensor<?x?x656xi8>
}

func.func @write_ue8m0(%kv: tensor<?x512xf32> {mlafuse.name = "in_kv_c"}, %pe: tensor<?x64xbf16> {mlafuse.name = "in_k_pe"},
    %slots: tensor<?xi64> {mlafuse.name = "in_slot_mapping"}, %cache: tensor<?x?x656xi8> {mlafuse.name = "in_cache"})
    -> (tensor<?x?x656xi8> {mlafuse.name = "out_cache"}) {
  %new = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xf32>, tensor<?x64xbf16>, tensor<?xi64>)
      outs(%cache : tensor<?x?x656xi8>) {cache_format = #mlafuse.cache_format<fp8_ds_mla>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x?x656xi8>
  return %new : tensor<?x?x656xi8>
}
