// mla_cache_update against its golden files, one for each format: slots of -1 are
// skipped, every other row stays.

// RUN: %compile
// RUN: %golden bf16 cache_update-bf16_p8
// RUN: %golden fp8 cache_update-fp8_p8
// RUN: %golden ds_mla cache_update-ds_mla_p8

func.func @bf16(%kv: tensor<?x512xbf16> {mlafuse.name = "in_kv_c"},
    %pe: tensor<?x64xbf16> {mlafuse.name = "in_k_pe"},
    %slots: tensor<?xi64> {mlafuse.name = "in_slot_mapping"},
    %cache: tensor<?x8x576xbf16> {mlafuse.name = "in_cache"})
    -> (tensor<?x8x576xbf16> {mlafuse.name = "out_cache"}) {
  %new = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>)
      outs(%cache : tensor<?x8x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x8x576xbf16>
  return %new : tensor<?x8x576xbf16>
}

func.func @fp8(%kv: tensor<?x512xbf16> {mlafuse.name = "in_kv_c"},
    %pe: tensor<?x64xbf16> {mlafuse.name = "in_k_pe"},
    %slots: tensor<?xi64> {mlafuse.name = "in_slot_mapping"},
    %k_scale: tensor<1xf32> {mlafuse.name = "in_k_scale"},
    %cache: tensor<?x8x576xf8E4M3FN> {mlafuse.name = "in_cache"})
    -> (tensor<?x8x576xf8E4M3FN> {mlafuse.name = "out_cache"}) {
  %new = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) k_scale(%k_scale : tensor<1xf32>)
      outs(%cache : tensor<?x8x576xf8E4M3FN>) {cache_format = #mlafuse.cache_format<fp8>} -> tensor<?x8x576xf8E4M3FN>
  return %new : tensor<?x8x576xf8E4M3FN>
}

func.func @ds_mla(%kv: tensor<?x512xbf16> {mlafuse.name = "in_kv_c"},
    %pe: tensor<?x64xbf16> {mlafuse.name = "in_k_pe"},
    %slots: tensor<?xi64> {mlafuse.name = "in_slot_mapping"},
    %cache: tensor<?x8x656xi8> {mlafuse.name = "in_cache"})
    -> (tensor<?x8x656xi8> {mlafuse.name = "out_cache"}) {
  %new = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>)
      outs(%cache : tensor<?x8x656xi8>) {cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<?x8x656xi8>
  return %new : tensor<?x8x656xi8>
}
