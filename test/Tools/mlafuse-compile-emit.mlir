// Every form that can be written, from a file or from standard input.
//
// RUN: mlafuse-compile %s --emit=mlir | FileCheck %s --check-prefix=MLIR
// RUN: mlafuse-compile - --emit=mlir < %s | FileCheck %s --check-prefix=MLIR
// MLIR-LABEL: func.func @norm
// MLIR-NOT: mlafuse.signature
// MLIR: mlafuse.rms_norm_quantize
// RUN: mlafuse-compile %s --emit=mlir --no-fuse | FileCheck %s --check-prefix=UNFUSED
// UNFUSED: mlafuse.rms_norm ins
// UNFUSED: mlafuse.quantize ins

// RUN: mlafuse-compile %s --emit=lowered -o %t.lowered
// RUN: FileCheck %s --check-prefix=LOWERED < %t.lowered
// LOWERED-LABEL: func.func @norm
// LOWERED-NOT: mlafuse.rms_norm
// LOWERED: scf.parallel
// LOWERED-NOT: memref.alloc(

// RUN: mlafuse-compile %s --emit=llvm --target=cpu:x86-64-v3 | FileCheck %s --check-prefix=LLVM
// LLVM: define {{.*}} @mlafuse_entry_norm({{.*}} #[[A:[0-9]+]] {
// LLVM: attributes #[[A]] = { {{.*}}"target-cpu"="x86-64-v3"

// RUN: mlafuse-compile %s --emit=obj -o %t.o
// RUN: llvm-readelf -h %t.o | FileCheck %s --check-prefix=OBJ
// RUN: mlafuse-compile %t.lowered --emit=obj -o %t.lowered.o
// RUN: cmp %t.lowered.o %t.o
// OBJ: Type: REL
// RUN: mlafuse-compile %s -o %t.so
// RUN: llvm-readelf -h %t.so | FileCheck %s --check-prefix=SO
// SO: Type: DYN

// RUN: mlafuse-compile %s -o %t.so --report=text | FileCheck %s --check-prefix=REPORT
// REPORT: passed MLAFUSE-F
// RUN: mlafuse-compile %s -o %t.so --report=json --report-file=%t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "MLAFUSE-F

// A program that is described, but on tensors still, is not lowered.
// RUN: mlafuse-opt %s --mlafuse-describe | mlafuse-compile - --emit=obj -o %t.described.o
// RUN: cmp %t.described.o %t.o

// Bytecode is read as text is.
// RUN: mlafuse-opt %s --emit-bytecode -o %t.mlirbc
// RUN: mlafuse-compile %t.mlirbc --emit=mlir | FileCheck %s --check-prefix=MLIR

// One input gives one library.
// RUN: mlafuse-compile %s -o %t.again.so --target=cpu:x86-64-v3
// RUN: mv %t.again.so %t.first
// RUN: mlafuse-compile %s -o %t.again.so --target=cpu:x86-64-v3
// RUN: cmp %t.again.so %t.first

// RUN: mlafuse-compile --version | FileCheck %s --check-prefix=VERSION
// VERSION: mlafuse-compile {{[0-9.]+}}, LLVM 22.1
// RUN: mlafuse-compile --help | FileCheck %s --check-prefix=HELP
// HELP: USAGE: mlafuse-compile [options] <input .mlir file, or ->
// HELP-NOT: x86
// HELP: --target

func.func @norm(%x: tensor<?x512xbf16>, %tmp: tensor<?x512xbf16>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%tmp : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %0:2 = mlafuse.quantize ins(%n : tensor<?x512xbf16>) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %0#0, %0#1 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
