// A program of a user's own builds against an installed mlafuse and runs, and the
// installed tools and plugin work.
// UNSUPPORTED: sanitizers
// RUN: rm -rf %t && mkdir %t
// RUN: cmake --install %mlafuse_build --prefix %t/prefix > %t/install.log
// RUN: cmake -S %S/Inputs/consumer -B %t/build -G Ninja -DCMAKE_PREFIX_PATH=%t/prefix \
// RUN:   -DCMAKE_C_COMPILER=%cc -DCMAKE_CXX_COMPILER=%cxx > %t/configure.log
// RUN: cmake --build %t/build > %t/build.log
// RUN: %t/build/consumer %s | FileCheck %s
// RUN: %t/build/runs | FileCheck %s --check-prefix=RUNTIME
// RUN: %t/prefix/bin/mlafuse-opt %s --mlafuse-fuse | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%t/prefix/lib/MLAFusePlugin.so --pass-pipeline='builtin.module(mlafuse-fuse)' %s | FileCheck %s
// Nothing of the build or source tree is needed or named.
// RUN: not grep -rl -e %mlafuse_build -e %mlafuse_source %t/prefix --include=*.cmake --include=*.h --include=*.inc

// CHECK: mlafuse.rms_norm_quantize
// RUNTIME: runtime {{[0-9]+}}.
func.func @norm(%x: tensor<?x512xbf16>, %y: tensor<?x512xbf16>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%y : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %1:2 = mlafuse.quantize ins(%0 : tensor<?x512xbf16>) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %1#0, %1#1 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
