// What a compiled library promises to its caller (mlafuse/runtime/abi.h).
//
// RUN: mlafuse-compile %s -o %t.so
// RUN: %cc -I%runtime_include -UNDEBUG %S/Inputs/call-entry.c -o %t.exe -ldl
// RUN: %t.exe %t.so | FileCheck %s --check-prefix=RIGHT
// RIGHT: all rows are right

// Only entries and the manifest are seen; nothing but libc and libm is needed.
// RUN: llvm-nm -D --defined-only %t.so | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS-NOT: {{ [A-Z] }}
// SYMBOLS: T mlafuse_entry_fma
// SYMBOLS-NEXT: R mlafuse_manifest
// SYMBOLS-NEXT: T mlafuse_workspace_fma
// SYMBOLS-NOT: {{ [A-Z] }}
// RUN: llvm-nm -D --undefined-only %t.so | FileCheck %s --check-prefix=CALLS --allow-empty
// CALLS-NOT: {{U (mem(cpy|set|move)$)?.}}
// RUN: llvm-readelf -d %t.so | FileCheck %s --check-prefix=SONAME
// SONAME: (SONAME) Library soname: [mlafuse-compile-entry.mlir.tmp.so]

#map = affine_map<(i, j) -> (i, j)>
func.func @fma(%x: tensor<?x8xf32> {mlafuse.strided}, %y: tensor<?x8xf32>, %out: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%t) : tensor<?x8xf32>
  %s = linalg.mul ins(%x, %x : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%s, %y : tensor<?x8xf32>, tensor<?x8xf32>) outs(%out : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
