// An output whose width is no multiple of the group is an error in words; no other
// group is made up for it.

// RUN: split-file %s %t
// RUN: not mlafuse-compile %t/128-of-192.mlir --target=cpu -o %t/128-of-192.so 2>&1 | FileCheck %s --check-prefix=G128
// RUN: not test -e %t/128-of-192.so
// RUN: not mlafuse-compile %t/wrong-count.mlir --target=cpu -o %t/wrong-count.so 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not test -e %t/wrong-count.so
// RUN: mlafuse-compile %t/64-of-2048.mlir --target=cpu -o %t/64-of-2048.so
// RUN: mlafuse-run %t/64-of-2048.so --random=1 --dim=B=2 | FileCheck %s --check-prefix=FITS

// G128: error: {{.*}}rows of 192 do not divide into groups of 128
// COUNT: error: {{.*}}scale destination must be [?, 16] of 'f32', got 'tensor<?x32xf32>'
// FITS: result1: f32 [2, 32]

//--- 128-of-192.mlir
func.func @project(%x: tensor<?x1x2x64xbf16>, %w: tensor<2x64x96xbf16>, %q: tensor<?x192xf8E4M3FN>,
    %s: tensor<?x1xf32>) -> (tensor<?x192xf8E4M3FN>, tensor<?x1xf32>) {
  %0, %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x2x64xbf16>, tensor<2x64x96xbf16>)
      outs(%q, %s : tensor<?x192xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x192xf8E4M3FN>, tensor<?x1xf32>
  return %0, %1 : tensor<?x192xf8E4M3FN>, tensor<?x1xf32>
}

//--- wrong-count.mlir
func.func @project(%x: tensor<?x1x16x64xbf16>, %w: tensor<16x64x128xbf16>, %q: tensor<?x2048xf8E4M3FN>,
    %s: tensor<?x32xf32>) -> (tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>) {
  %0, %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x16x64xbf16>, tensor<16x64x128xbf16>)
      outs(%q, %s : tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>
  return %0, %1 : tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>
}

//--- 64-of-2048.mlir
func.func @project(%x: tensor<?x1x16x64xbf16>, %w: tensor<16x64x128xbf16>, %q: tensor<?x2048xf8E4M3FN>,
    %s: tensor<?x32xf32>) -> (tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>) {
  %0, %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x16x64xbf16>, tensor<16x64x128xbf16>)
      outs(%q, %s : tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>
  return %0, %1 : tensor<?x2048xf8E4M3FN>, tensor<?x32xf32>
}
