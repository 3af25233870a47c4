// The stages of a GPU target, in their order.
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-gpu-pipeline{chip=gfx950})' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefixes=ORDER,LAST
// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-gpu-kernels-pipeline{chip=gfx950})' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefixes=ORDER,NOT_LAST
// ORDER: mlafuse-check-cache-updates,
// ORDER: mlafuse-describe,
// ORDER: mlafuse-fuse{
// ORDER: mlafuse-decompose{aggregates-only=true}
// ORDER: mlafuse-bufferize,
// ORDER: mlafuse-results-to-arguments,
// ORDER: mlafuse-to-gpu{chip=gfx950}
// ORDER: mlafuse-place-workspace,
// ORDER: lower-affine,
// ORDER: mlafuse-outline-kernels,
// ORDER: gpu.module(
// LAST: mlafuse-check-host-code{chip=gfx950}
// LAST: mlafuse-kernels-to-llvm{chip=gfx950}
// LAST: gpu.module(
// LAST: mlafuse-launch-kernels,
// LAST: mlafuse-make-entries{prefix=mlafuse_gfx950}
// LAST: reconcile-unrealized-casts
// NOT_LAST-NOT: mlafuse-kernels-to-llvm

// RUN: mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-gpu-pipeline{chip=sm_80})' | FileCheck %s --check-prefix=LLVM
// LLVM-NOT: unrealized_conversion_cast
// LLVM-DAG: llvm.func @mlafuse_sm_80_entry_f
// LLVM-DAG: llvm.func @mlafuse_sm_80_workspace_f
// LLVM: gpu.module @mlafuse_kernels
// LLVM-NOT: unrealized_conversion_cast

// RUN: not mlafuse-opt %s --pass-pipeline='builtin.module(mlafuse-gpu-pipeline{chip=sm_90a no-fuse=perhaps})' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no-fuse

func.func @f(%x: tensor<?x64xbf16>, %o: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
