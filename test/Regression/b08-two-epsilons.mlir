// Each side of a dual norm has its own epsilon, which shows in tiny rows.

// CASE tiny: in_projected BF16 [5, 384] = 2**-13 * (1 + t)
// CASE tiny: in_q_weight BF16 [256] = 1.0
// CASE tiny: in_kv_weight BF16 [128] = 1.0
// CASE tiny: out_q BF16 [5, 256] = bf16(f32(2**-13 * (1 + t) * f32(1 / f32(sqrt(f32((2**-13 * (1 + t)) ** 2 + f32(1e-6)))))))
// CASE tiny: out_kv BF16 [5, 128] = bf16(f32(2**-13 * (1 + t) * f32(1 / f32(sqrt(f32((2**-13 * (1 + t)) ** 2 + f32(1e-5)))))))

// RUN: %compile_both
// RUN: %case_both dual tiny

// RUN: mlafuse-opt --mlafuse-fuse %s | FileCheck %s
// CHECK: mlafuse.dual_rms_norm ins
// CHECK-NOT: mlafuse.rms_norm

func.func @dual(%p: tensor<?x384xbf16> {mlafuse.name = "in_projected"},
    %qw: tensor<256xbf16> {mlafuse.name = "in_q_weight"},
    %kw: tensor<128xbf16> {mlafuse.name = "in_kv_weight"}, %q_out: tensor<?x256xbf16>,
    %kv_out: tensor<?x128xbf16>)
    -> (tensor<?x256xbf16> {mlafuse.name = "out_q"}, tensor<?x128xbf16> {mlafuse.name = "out_kv"}) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x384xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 256] [1, 1] : tensor<?x384xbf16> to tensor<?x256xbf16>
  %kv_c = tensor.extract_slice %p[0, 256] [%t, 128] [1, 1] : tensor<?x384xbf16> to tensor<?x128xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%q_out : tensor<?x256xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x128xbf16>, tensor<128xbf16>) outs(%kv_out : tensor<?x128xbf16>)
      {epsilon = 1.0e-5 : f32} -> tensor<?x128xbf16>
  return %q, %kv : tensor<?x256xbf16>, tensor<?x128xbf16>
}
