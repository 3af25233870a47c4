// RUN: mlafuse-opt %s --mlafuse-check-cache-updates --split-input-file --verify-diagnostics

func.func @unused(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16> {
  // expected-error@+1 {{has no user of its result, so the cache stays as it was}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
  return %cache : tensor<?x64x576xbf16>
}

// -----

func.func @used(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16> {
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
  return %0 : tensor<?x64x576xbf16>
}

// -----

// A memref is written in place; there is no result to use.
func.func @on_memrefs(%kv: memref<?x512xbf16>, %pe: memref<?x64xbf16>, %slots: memref<?xi64>, %cache: memref<?x64x576xbf16>) {
  mlafuse.mla_cache_update ins(%kv, %pe, %slots : memref<?x512xbf16>, memref<?x64xbf16>, memref<?xi64>) outs(%cache : memref<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>}
  return
}
