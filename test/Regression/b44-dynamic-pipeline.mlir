// A pass that a running pass starts finds the dialects that it makes ops of.
// RUN: mlafuse-opt %s --transform-interpreter | FileCheck %s
// CHECK: func.func @norm
// CHECK-NEXT: arith.constant
// CHECK-NEXT: tensor.dim
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: mlafuse.rms_norm ins
// CHECK-NEXT: mlafuse.quantize
module attributes {transform.with_named_sequence} {
  module {
    func.func @norm(%x: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
      %0:2 = mlafuse.rms_norm_quantize ins(%x : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
      return %0#0, %0#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %norm = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %payload = transform.get_parent_op %norm {op_name = "builtin.module"} : (!transform.any_op) -> !transform.any_op
    %fused = transform.apply_registered_pass "mlafuse-fuse" to %payload : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "mlafuse-decompose" to %fused : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
