// The golden files that say expect=error: each call is rejected in words, and no
// library is written.

// RUN: split-file %s %t

// Case quantize-error_g128_n200.
// RUN: not mlafuse-compile %t/quantize.mlir --target=cpu -o %t/out.so 2>&1 | FileCheck %s --check-prefix=QUANTIZE
// QUANTIZE: quantize.mlir:3:{{.*}} error: 'mlafuse.quantize' op rows of 200 do not divide into groups of 128

// Case decode-error_h3_v96_g128, as one op and as a chain.
// RUN: not mlafuse-compile %t/decode.mlir --target=cpu -o %t/out.so 2>&1 | FileCheck %s --check-prefix=DECODE
// DECODE: decode.mlir:{{.*}} error: 'mlafuse.mla_decode' op rows of 288 do not divide into groups of 128
// RUN: not mlafuse-compile %t/chain.mlir --target=cpu -o %t/out.so 2>&1 | FileCheck %s --check-prefix=CHAIN
// CHAIN: chain.mlir:{{.*}} error: 'mlafuse.quantize' op rows of 288 do not divide into groups of 128

// RUN: not test -e %t/out.so

//--- quantize.mlir
func.func @quantize(%x: tensor<?x200xbf16>, %q: tensor<?x200xf8E4M3FN>, %s: tensor<?x1xf32>)
    -> (tensor<?x200xf8E4M3FN>, tensor<?x1xf32>) {
  %0, %1 = mlafuse.quantize ins(%x : tensor<?x200xbf16>) outs(%q, %s : tensor<?x200xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x200xf8E4M3FN>, tensor<?x1xf32>
  return %0, %1 : tensor<?x200xf8E4M3FN>, tensor<?x1xf32>
}

//--- decode.mlir
func.func @decode(%qn: tensor<?x1x3x32xbf16>, %qp: tensor<?x1x3x16xbf16>, %wk: tensor<3x32x16xbf16>,
    %wv: tensor<3x16x96xbf16>, %cache: tensor<?x16x32xbf16>, %table: tensor<?x?xi32>, %lens: tensor<?xi32>,
    %q: tensor<?x288xf8E4M3FN>, %s: tensor<?x2xf32>) -> (tensor<?x288xf8E4M3FN>, tensor<?x2xf32>) {
  %0, %1 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x3x32xbf16>, tensor<?x1x3x16xbf16>, tensor<3x32x16xbf16>, tensor<3x16x96xbf16>, tensor<?x16x32xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>)
      outs(%q, %s : tensor<?x288xf8E4M3FN>, tensor<?x2xf32>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x288xf8E4M3FN>, tensor<?x2xf32>
  return %0, %1 : tensor<?x288xf8E4M3FN>, tensor<?x2xf32>
}

//--- chain.mlir
func.func @decode(%qn: tensor<?x1x3x32xbf16>, %qp: tensor<?x1x3x16xbf16>, %wk: tensor<3x32x16xbf16>,
    %wv: tensor<3x16x96xbf16>, %cache: tensor<?x16x32xbf16>, %table: tensor<?x?xi32>, %lens: tensor<?xi32>,
    %o: tensor<?x288xbf16>, %q: tensor<?x288xf8E4M3FN>, %s: tensor<?x2xf32>) -> (tensor<?x288xf8E4M3FN>, tensor<?x2xf32>) {
  %0 = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x3x32xbf16>, tensor<?x1x3x16xbf16>, tensor<3x32x16xbf16>, tensor<3x16x96xbf16>, tensor<?x16x32xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x288xbf16>)
      {softmax_scale = 0.14433756729740643 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x288xbf16>
  %1, %2 = mlafuse.quantize ins(%0 : tensor<?x288xbf16>) outs(%q, %s : tensor<?x288xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x288xf8E4M3FN>, tensor<?x2xf32>
  return %1, %2 : tensor<?x288xf8E4M3FN>, tensor<?x2xf32>
}
