// The dialect in the distribution's mlir-opt.
// REQUIRES: stock-plugin
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --verify-roundtrip | FileCheck %s
// Without the plugin the op is unknown: it is the plugin that brings it.
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// Verifiers run.
// RUN: sed 's/1.0e-6/-1.0/' %s | not mlir-opt --load-dialect-plugin=%plugin 2>&1 | FileCheck %s --check-prefix=VERIFIED

// CHECK: mlafuse.rms_norm ins(%{{.*}} : tensor<?x512xbf16>)
// WITHOUT: Dialect `mlafuse' not found
// VERIFIED: epsilon must be finite and not negative (C3)
func.func @norm(%x: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%x : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %0 : tensor<?x512xbf16>
}
