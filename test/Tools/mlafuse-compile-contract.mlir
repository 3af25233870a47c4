// A multiplication and an addition stay two operations, each rounded.
//
// RUN: mlafuse-compile %s --emit=obj --target=cpu:x86-64-v3 -o %t.o
// RUN: llvm-objdump -d %t.o | FileCheck %s
// CHECK-NOT: vfm
// CHECK: vmulps
// CHECK-NOT: vfm
// CHECK: vaddps
// CHECK-NOT: vfm

#map = affine_map<(i, j) -> (i, j)>
func.func @f(%x: tensor<?x256xf32>, %y: tensor<?x256xf32>, %z: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x256xf32>, tensor<?x256xf32>) outs(%z : tensor<?x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<?x256xf32>
  return %r : tensor<?x256xf32>
}
