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

// -----

// The caller of a private function may drop its result.
func.func private @update(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16> {
  // expected-error@+1 {{has no user of its result, so the cache stays as it was}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
  return %0 : tensor<?x64x576xbf16>
}
func.func @drops(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16> {
  %0 = call @update(%kv, %pe, %slots, %cache) : (tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>, tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16>
  return %cache : tensor<?x64x576xbf16>
}

// -----

func.func private @update(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16> {
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
  return %0 : tensor<?x64x576xbf16>
}
func.func @returns(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16> {
  %0 = call @update(%kv, %pe, %slots, %cache) : (tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>, tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16>
  return %0 : tensor<?x64x576xbf16>
}

// -----

// Iterations hand the cache on, and nobody takes it in the end.
func.func @loop(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>) -> tensor<?x64x576xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %cache) -> (tensor<?x64x576xbf16>) {
    // expected-error@+1 {{has no user of its result, so the cache stays as it was}}
    %u = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%a : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
    scf.yield %u : tensor<?x64x576xbf16>
  }
  return %cache : tensor<?x64x576xbf16>
}

// -----

func.func @loop_and_branch(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>, %n: index) -> tensor<?x64x576xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is = arith.cmpi ne, %n, %c0 : index
  %b = scf.if %is -> tensor<?x64x576xbf16> {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %cache) -> (tensor<?x64x576xbf16>) {
      %u = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%a : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
      scf.yield %u : tensor<?x64x576xbf16>
    }
    scf.yield %r : tensor<?x64x576xbf16>
  } else {
    scf.yield %cache : tensor<?x64x576xbf16>
  }
  return %b : tensor<?x64x576xbf16>
}

// -----

func.func @branch(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>, %is: i1) -> index {
  %c0 = arith.constant 0 : index
  %b = scf.if %is -> tensor<?x64x576xbf16> {
    // expected-error@+1 {{has no user of its result, so the cache stays as it was}}
    %u = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
    scf.yield %u : tensor<?x64x576xbf16>
  } else {
    scf.yield %cache : tensor<?x64x576xbf16>
  }
  %s = tensor.extract_slice %b[0, 0, 0] [1, 64, 576] [1, 1, 1] : tensor<?x64x576xbf16> to tensor<1x64x576xbf16>
  %n = tensor.dim %b, %c0 : tensor<?x64x576xbf16>
  return %n : index
}
