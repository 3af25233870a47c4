// A pipeline that is given as text runs on a program that holds no dialect but its
// own: each pass declares what it makes. So does the whole pipeline.
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-decompose)' | FileCheck %s --check-prefix=DECOMPOSE
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-fuse,mlafuse-decompose{aggregates-only},mlafuse-bufferize,mlafuse-to-cpu)' | FileCheck %s --check-prefix=CPU
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-cpu-pipeline)' | FileCheck %s --check-prefix=LLVM
// DECOMPOSE: tensor.empty
// DECOMPOSE: mlafuse.head_projection
// CPU: scf.
// LLVM: llvm.func
func.func @decode(%qn: tensor<?x1x4x128xbf16>, %qp: tensor<?x1x4x64xbf16>, %wk: tensor<4x128x512xbf16>, %wv: tensor<4x512x128xbf16>, %cache: tensor<?x64x576xbf16>, %bt: tensor<?x?xi32>, %sl: tensor<?xi32>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x4xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {
  %o:2 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x4x128xbf16>, tensor<?x1x4x64xbf16>, tensor<4x128x512xbf16>, tensor<4x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %o#0, %o#1 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}
