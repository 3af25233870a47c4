// With a key the op launches no kernel more and takes no byte of workspace more
// than without, and no workspace grows with the cache.
//
// RUN: mlafuse-compile %s -o %t.so --target=nvvm:sm_90a
// RUN: mlafuse-run %t.so --list | sed -n -e 's/^  on cuda:sm_90a: \([0-9]* launches\) of .*; /\1, /p' > %t.calls
// RUN: FileCheck %s < %t.calls
// RUN: sort -u %t.calls | count 1
// CHECK: {{^[2-5]}} launches, workspace
// CHECK-NOT: {{table|pages}}
// CHECK: 16384 * T
// CHECK-NOT: {{table|pages}}

func.func @no_key(%qn: tensor<?x1x16x128xbf16> {mlafuse.dims = ["T", "", "", ""]}, %qp: tensor<?x1x16x64xbf16>, %wk: tensor<16x128x512xbf16>, %wv: tensor<16x512x128xbf16>,
    %cache: tensor<?x64x576xbf16> {mlafuse.dims = ["pages", "", ""]}, %table: tensor<?x?xi32> {mlafuse.dims = ["T", "table"]}, %lens: tensor<?xi32>, %o: tensor<?x2048xbf16>) -> (tensor<?x2048xbf16>) {
  %r0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x2048xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x2048xbf16>
  return %r0 : tensor<?x2048xbf16>
}

func.func @group(%qn: tensor<?x1x16x128xbf16> {mlafuse.dims = ["T", "", "", ""]}, %qp: tensor<?x1x16x64xbf16>, %wk: tensor<16x128x512xbf16>, %wv: tensor<16x512x128xbf16>,
    %cache: tensor<?x64x576xbf16> {mlafuse.dims = ["pages", "", ""]}, %table: tensor<?x?xi32> {mlafuse.dims = ["T", "table"]}, %lens: tensor<?xi32>, %q: tensor<?x2048xf8E4M3FN>, %s: tensor<?x16xf32>) -> (tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {
  %r0, %r1 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%q, %s : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
  return %r0, %r1 : tensor<?x2048xf8E4M3FN>, tensor<?x16xf32>
}

func.func @static(%qn: tensor<?x1x16x128xbf16> {mlafuse.dims = ["T", "", "", ""]}, %qp: tensor<?x1x16x64xbf16>, %wk: tensor<16x128x512xbf16>, %wv: tensor<16x512x128xbf16>,
    %cache: tensor<?x64x576xbf16> {mlafuse.dims = ["pages", "", ""]}, %table: tensor<?x?xi32> {mlafuse.dims = ["T", "table"]}, %lens: tensor<?xi32>, %scale: tensor<1xf32>, %q: tensor<?x2048xf8E4M3FN>) -> (tensor<?x2048xf8E4M3FN>) {
  %r0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) scale(%scale : tensor<1xf32>) outs(%q : tensor<?x2048xf8E4M3FN>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x2048xf8E4M3FN>
  return %r0 : tensor<?x2048xf8E4M3FN>
}
