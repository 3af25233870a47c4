// What a call takes on each target: how many kernels it launches at most, which
// ones, and how much workspace it needs.
//
// RUN: mlafuse-compile %s -o %t.so --target=cpu:x86-64-v3,rocdl:gfx942
// RUN: mlafuse-run %t.so --list | FileCheck %s
// RUN: mlafuse-compile %s -o %t.unfused.so --target=rocdl:gfx942 --no-fuse
// RUN: mlafuse-run %t.unfused.so --list | FileCheck %s --check-prefix=UNFUSED

// A fused key costs no launch and no byte.
// CHECK-LABEL: norm_then_quantize
// CHECK: on cpu:x86-64-v3: workspace 0 bytes
// CHECK: on hip:gfx942: 1 launch of norm_then_quantize_kernel, norm_then_quantize_kernel_{{[0-9]}}; workspace 0 bytes
// UNFUSED-LABEL: norm_then_quantize
// UNFUSED: on hip:gfx942: 2 launches of {{.*}}; workspace align(1024 * T, 64) bytes
func.func @norm_then_quantize(%x: tensor<?x512xbf16> {mlafuse.name = "x", mlafuse.dims = ["T", ""]}, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x4xf32>) -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %e = tensor.empty(%t) : tensor<?x512xbf16>
  %n = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%e : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %0, %1 = mlafuse.quantize ins(%n : tensor<?x512xbf16>) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %0, %1 : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}

// A loop's launches count as often as it runs, of branches the one with more.
// CHECK-LABEL: loop
// CHECK: on hip:gfx942: 9 launches of {{.*}}; workspace 1024 bytes
func.func @loop(%x: tensor<4x64xf32>, %y: tensor<?x64xf32>) -> (tensor<4x64xf32>, tensor<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> tensor<4x64xf32> {
    %e = tensor.empty() : tensor<4x64xf32>
    %n = mlafuse.rms_norm ins(%a : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
    %m = mlafuse.rms_norm ins(%n : tensor<4x64xf32>) outs(%a : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
    scf.yield %m : tensor<4x64xf32>
  }
  %t = tensor.dim %y, %c0 : tensor<?x64xf32>
  %many = arith.cmpi ugt, %t, %c4 : index
  %z = scf.if %many -> tensor<?x64xf32> {
    %n = mlafuse.rms_norm ins(%y : tensor<?x64xf32>) outs(%y : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
    scf.yield %n : tensor<?x64xf32>
  } else {
    scf.yield %y : tensor<?x64xf32>
  }
  return %r, %z : tensor<4x64xf32>, tensor<?x64xf32>
}

// CHECK-LABEL: unknown_loop
// CHECK: on hip:gfx942: launches in a loop of {{.*}}; workspace 0 bytes
func.func @unknown_loop(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf32>
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%a = %x) -> tensor<?x64xf32> {
    %m = mlafuse.rms_norm ins(%a : tensor<?x64xf32>) outs(%a : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
    scf.yield %m : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}
