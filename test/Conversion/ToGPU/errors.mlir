// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics --mlafuse-to-gpu=chip=gfx1201
// RUN: not mlafuse-opt %s --mlafuse-to-gpu=chip=sm_75 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: unknown chip 'sm_75'; known are sm_80, sm_89, sm_90a, sm_100a, gfx942, gfx950, gfx1201

func.func @attention(%q: memref<2x1x16x576xbf16>, %cache: memref<8x64x576xbf16>, %table: memref<2x4xi32>, %lens: memref<2xi32>, %o: memref<2x1x16x512xbf16>) {
  // expected-error @below {{has no kernel for gfx1201}}
  mlafuse.latent_attention ins(%q, %cache : memref<2x1x16x576xbf16>, memref<8x64x576xbf16>) block_table(%table : memref<2x4xi32>) seq_lens(%lens : memref<2xi32>) outs(%o : memref<2x1x16x512xbf16>) {softmax_scale = 0.1 : f32, cache_format = #mlafuse.cache_format<bf16>}
  return
}

// -----

func.func @too_wide(%x: memref<?x1048576xbf16>, %y: memref<?x1048576xbf16>) {
  // expected-error @below {{is too wide for the gfx1201 kernel: a row has 1048576 elements, and a block holds 262144 at most}}
  mlafuse.rms_norm ins(%x : memref<?x1048576xbf16>) outs(%y : memref<?x1048576xbf16>) {epsilon = 1.0e-6 : f32}
  return
}

// -----

func.func @tensors(%x: tensor<?x512xbf16>, %y: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  // expected-error @below {{is still on tensors: bufferize first (--mlafuse-bufferize)}}
  %0 = mlafuse.rms_norm ins(%x : tensor<?x512xbf16>) outs(%y : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %0 : tensor<?x512xbf16>
}
