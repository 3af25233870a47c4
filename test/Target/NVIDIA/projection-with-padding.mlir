// Projections whose kernels write the padding of scales too, assembled: the roles
// keep what they have in registers.
// REQUIRES: ptxas
//
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=ptx -o %t.ptx
// RUN: %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s

// Three functions, and each kernel in two forms, by alignment.
// CHECK-NOT: setmaxnreg
// CHECK-COUNT-6: 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: spill

func.func @packed(%x: tensor<?x1x128x512xbf16>, %w: tensor<128x512x128xbf16>, %o: tensor<?x16384xf8E4M3FN>, %s: tensor<32x?xi32>) -> (tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>) {
  %0, %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x128x512xbf16>, tensor<128x512x128xbf16>) outs(%o, %s : tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>
  return %0, %1 : tensor<?x16384xf8E4M3FN>, tensor<32x?xi32>
}

// The last word of a row is not full.
func.func @packed_in_part(%x: tensor<?x1x9x512xbf16>, %w: tensor<9x512x128xbf16>, %o: tensor<?x1152xf8E4M3FN>, %s: tensor<3x?xi32>) -> (tensor<?x1152xf8E4M3FN>, tensor<3x?xi32>) {
  %0, %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x9x512xbf16>, tensor<9x512x128xbf16>) outs(%o, %s : tensor<?x1152xf8E4M3FN>, tensor<3x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x1152xf8E4M3FN>, tensor<3x?xi32>
  return %0, %1 : tensor<?x1152xf8E4M3FN>, tensor<3x?xi32>
}

func.func @swizzled(%x: tensor<?x1x32x512xbf16>, %w: tensor<32x512x128xbf16>, %g: tensor<1xf32>, %o: tensor<?x2048xi8>, %s: tensor<?x256xf8E4M3FN>) -> (tensor<?x2048xi8>, tensor<?x256xf8E4M3FN>) {
  %0, %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x32x512xbf16>, tensor<32x512x128xbf16>) global_scale(%g : tensor<1xf32>) outs(%o, %s : tensor<?x2048xi8>, tensor<?x256xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x2048xi8>, tensor<?x256xf8E4M3FN>
  return %0, %1 : tensor<?x2048xi8>, tensor<?x256xf8E4M3FN>
}
