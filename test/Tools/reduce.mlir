// mlafuse-reduce keeps what shows the bug (here: any epsilon of 1.0) and drops
// the rest.
// RUN: printf '#!/bin/sh\n! grep -q "epsilon = 1.0" "$1"\n' > %t.sh
// RUN: chmod +x %t.sh
// RUN: mlafuse-reduce %s -reduction-tree='traversal-mode=0 test=%t.sh' | FileCheck %s

// CHECK-NOT: epsilon = 2.0
// CHECK: epsilon = 1.0
// CHECK-NOT: epsilon = 2.0
func.func @kept(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 1.0 : f32} -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}
func.func @dropped(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) outs(%x : tensor<4x8xbf16>) {epsilon = 2.0 : f32} -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}
