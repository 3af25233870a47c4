// A library needs libm and libc only where it calls them.
//
// RUN: split-file %s %t
// RUN: mlafuse-compile %t/exp.mlir -o %t/exp.so
// RUN: llvm-readelf -d %t/exp.so | FileCheck %s --check-prefix=EXP
// EXP: (NEEDED) Shared library: [libm.so.6]
// EXP-NOT: (NEEDED)
// RUN: llvm-nm -D --undefined-only %t/exp.so | FileCheck %s --check-prefix=EXPF
// EXPF: U expf
// EXPF-NOT: U
// RUN: mlafuse-run %t/exp.so --function=exp --random=1 --outputs=%t/exp.st

// RUN: mlafuse-compile %t/none.mlir -o %t/none.so
// RUN: llvm-readelf -d %t/none.so | FileCheck %s --check-prefix=NONE
// NONE-NOT: (NEEDED)

// What no library has is said, and nothing is written.
// RUN: not mlafuse-compile %t/f128.mlir -o %t/f128.so 2>&1 | FileCheck %s --check-prefix=F128
// F128: mlafuse-compile: error: the generated code calls '__{{.*}}', which neither libc nor libm has
// RUN: not ls %t/f128.so

//--- exp.mlir
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- none.mlir
func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- f128.mlir
func.func @f128(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    %w = arith.extf %a : f32 to f128
    %s = arith.mulf %w, %w : f128
    %t = arith.addf %s, %w : f128
    %n = arith.truncf %t : f128 to f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
