// The whole way leaves the LLVM dialect alone.
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-cpu-pipeline{chip=x86-64-v3})' | FileCheck %s
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-cpu-pipeline{no-fuse=true})' | FileCheck %s

// CHECK-NOT: unrealized_conversion_cast
// CHECK-DAG: llvm.func @mlafuse_entry_pair
// CHECK-DAG: llvm.func @mlafuse_workspace_pair
// CHECK-NOT: unrealized_conversion_cast

// Updates are checked before they can be dropped, sizes before fusion.
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-cpu-pipeline)' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: mlafuse-check-cache-updates,
// ORDER: inline{
// ORDER: mlafuse-describe,
// ORDER: mlafuse-fuse{
// ORDER: mlafuse-decompose{aggregates-only=true}
// ORDER: mlafuse-bufferize,
// ORDER: mlafuse-results-to-arguments,
// ORDER: mlafuse-place-workspace,
// ORDER: mlafuse-to-cpu,
// ORDER: mlafuse-outline-parallel,
// ORDER: mlafuse-make-entries{
// ORDER: reconcile-unrealized-casts

func.func private @norm(%x: tensor<?x64xbf16>, %o: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

func.func @pair(%x: tensor<?x64xbf16>, %tmp: tensor<?x64xbf16>, %q: tensor<?x64xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>) {
  %n = func.call @norm(%x, %tmp) : (tensor<?x64xbf16>, tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %0:2 = mlafuse.quantize ins(%n : tensor<?x64xbf16>) outs(%q, %s : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
  return %0#0, %0#1 : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}
