// One library for several targets, called as the runtime would.
//
// RUN: mlafuse-compile %s -o %t.so --target=cpu:x86-64-v3,rocdl:gfx942,rocdl:gfx1201 --report=text | FileCheck %s --check-prefix=REPORT
// The program is fused once.
// REPORT: passed MLAFUSE-F
// REPORT-NOT: passed MLAFUSE-F

// RUN: llvm-nm -D --defined-only %t.so | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS-NOT: {{ [A-Z] }}
// SYMBOLS: T mlafuse_entry_norm
// SYMBOLS-NEXT: T mlafuse_gfx1201_entry_norm
// SYMBOLS-NEXT: R mlafuse_gfx1201_hsaco
// SYMBOLS-NEXT: T mlafuse_gfx1201_workspace_norm
// SYMBOLS-NEXT: T mlafuse_gfx942_entry_norm
// SYMBOLS-NEXT: R mlafuse_gfx942_hsaco
// SYMBOLS-NEXT: T mlafuse_gfx942_workspace_norm
// SYMBOLS-NEXT: R mlafuse_manifest
// SYMBOLS-NEXT: T mlafuse_workspace_norm
// SYMBOLS-NOT: {{ [A-Z] }}
// RUN: llvm-readelf -d %t.so | FileCheck %s --check-prefix=NEEDED
// NEEDED-NOT: (NEEDED)

// RUN: llvm-readelf -p .rodata %t.so | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: "targets":[{"backend":"cpu","chip":"x86-64-v3","entries":[{"name":"norm","workspace":"0"}],"prefix":"mlafuse"},{"backend":"hip","chip":"gfx942","entries":[{"kernels":["norm_kernel"{{.*}}],"launches":1,"name":"norm","workspace":"0"}],"images":[{"bytes":{{[0-9]+}},"format":"hsaco","symbol":"mlafuse_gfx942_hsaco"}],"kernels":[{"name":"norm_kernel"}{{.*}}],"prefix":"mlafuse_gfx942"},{"backend":"hip","chip":"gfx1201"

// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir -o %t.two.so --target=rocdl:gfx942,rocdl:gfx950
// RUN: %cc -I%runtime_include -UNDEBUG %S/Inputs/call-launches.c -o %t.exe -ldl
// RUN: %t.exe %t.two.so mlafuse_gfx942 | FileCheck %s --check-prefix=LAUNCHES
// RUN: %t.exe %t.two.so mlafuse_gfx950 | FileCheck %s --check-prefix=LAUNCHES
// LAUNCHES: all launches are right

// An object is a target's whole part.
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir -o %t.o --target=rocdl:gfx942 --emit=obj
// RUN: llvm-nm --defined-only --extern-only %t.o | FileCheck %s --check-prefix=OBJECT
// OBJECT-DAG: T mlafuse_gfx942_entry_f
// OBJECT-DAG: R mlafuse_gfx942_hsaco
// OBJECT-DAG: R mlafuse_manifest
// RUN: llvm-nm --undefined-only %t.o | count 0

func.func @norm(%x: tensor<?x512xbf16>, %tmp: tensor<?x512xbf16>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%tmp : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %0:2 = mlafuse.quantize ins(%n : tensor<?x512xbf16>) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  return %0#0, %0#1 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
}
