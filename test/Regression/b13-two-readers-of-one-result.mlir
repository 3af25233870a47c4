// Several readers of a norm's value: it is computed once, whatever is fused.
// RUN: mlafuse-opt %s --mlafuse-fuse | FileCheck %s
// RUN: mlafuse-opt %s --mlafuse-fuse | grep -c mlafuse.rms_norm | FileCheck %s --check-prefix=ONCE
// ONCE: {{^1$}}

// CHECK: %[[R:.*]]:3 = mlafuse.rms_norm_quantize {{.*}} outs(%{{.*}}, %{{.*}}, %arg1 :
// CHECK: linalg.add ins(%[[R]]#2, %[[R]]#2 :
// CHECK: mlafuse.quantize ins(%[[R]]#2 :
func.func @readers(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>, %q2: tensor<?x256xf8E4M3FN>, %scale: tensor<1xf32>, %sum_out: tensor<?x256xbf16>)
    -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %sum = linalg.add ins(%n, %n : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%sum_out : tensor<?x256xbf16>) -> tensor<?x256xbf16>
  %b = mlafuse.quantize ins(%n : tensor<?x256xbf16>) scale(%scale : tensor<1xf32>) outs(%q2 : tensor<?x256xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x256xf8E4M3FN>
  %a:2 = mlafuse.quantize ins(%n : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %a#0, %a#1, %b, %sum : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x256xf8E4M3FN>, tensor<?x256xbf16>
}
