// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-describe,mlafuse-bufferize,mlafuse-results-to-arguments,mlafuse-outline-parallel,mlafuse-make-entries)' --verify-diagnostics

// expected-error@+1 {{the name 'mlafuse_entry_f' of a compiled entry is taken by another symbol}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

func.func @mlafuse_entry_f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
