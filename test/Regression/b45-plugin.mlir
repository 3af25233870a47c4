// The plugin in the distribution's mlir-opt: with either option or both a pipeline in
// text runs, and the interfaces that bufferization needs are there too.
// REQUIRES: stock-plugin
// RUN: mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(mlafuse-fuse,one-shot-bufferize{bufferize-function-boundaries})' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(mlafuse-fuse,one-shot-bufferize{bufferize-function-boundaries})' %s | FileCheck %s
// CHECK: mlafuse.rms_norm_quantize ins(%{{.*}} : memref<?x256xbf16
// CHECK-NOT: memref.copy
// CHECK-NOT: tensor
func.func @norm(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
