// mla_cache_update against its golden file: slots of -1 are skipped, every other
// row stays.

// RUN: %compile
// RUN: %golden bf16 cache_update-bf16_p8

func.func @bf16(%kv: tensor<?x512xbf16> {mlafuse.name = "in_kv_c"},
    %pe: tensor<?x64xbf16> {mlafuse.name = "in_k_pe"},
    %slots: tensor<?xi64> {mlafuse.name = "in_slot_mapping"},
    %cache: tensor<?x8x576xbf16> {mlafuse.name = "in_cache"})
    -> (tensor<?x8x576xbf16> {mlafuse.name = "out_cache"}) {
  %new = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x8x576xbf16>)
      {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x8x576xbf16>
  return %new : tensor<?x8x576xbf16>
}
