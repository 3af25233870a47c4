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

// -----

func.func @odd_heads(%oa: memref<?x16x17xbf16>, %la: memref<?x16xf32>, %ob: memref<?x16x17xbf16>, %lb: memref<?x16xf32>, %g: memref<1xf32>, %q: memref<?x136xi8>, %s: memref<?x17xf8E4M3FN>) {
  // expected-error @below {{has no kernel for gfx1201 with #mlafuse.quant_key<nvfp4_dynamic> and heads of an odd width: two codes share a byte, and a thread's elements lie in one head}}
  mlafuse.merge_attn_states ins(%oa, %la, %ob, %lb : memref<?x16x17xbf16>, memref<?x16xf32>, memref<?x16x17xbf16>, memref<?x16xf32>)
      global_scale(%g : memref<1xf32>) outs(%q, %s : memref<?x136xi8>, memref<?x17xf8E4M3FN>) {key = #mlafuse.quant_key<nvfp4_dynamic>}
  return
}

// -----

func.func @many_groups(%x: memref<?x16384xbf16>, %q: memref<?x16384xf8E4M3FN>, %s: memref<4096x?xi32>) {
  // expected-error @below {{the kernel for gfx1201 needs 65600 bytes of shared memory, for the maxima of a row's groups; a block has 49152: take larger groups, or quantize apart (--no-fuse)}}
  mlafuse.rms_norm_quantize ins(%x : memref<?x16384xbf16>) outs(%q, %s : memref<?x16384xf8E4M3FN>, memref<4096x?xi32>)
      {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 1], sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>}
  return
}

// -----

// Dynamic shared memory is checked together with what the kernel declares.
func.func @much_shared_memory(%n: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %fits = arith.constant 65408 : i32
  %many = arith.constant 65409 : i32
  gpu.launch blocks(%b, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%i, %j, %k) in (%bx = %c128, %bby = %c1, %bbz = %c1)
      dynamic_shared_memory_size %fits workgroup(%s : memref<1xf32, #gpu.address_space<workgroup>>) {
    gpu.terminator
  }
  // expected-error @below {{the kernel for gfx1201 needs 65537 bytes of shared memory; a block has 65536}}
  gpu.launch blocks(%b, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%i, %j, %k) in (%bx = %c128, %bby = %c1, %bbz = %c1)
      dynamic_shared_memory_size %many workgroup(%s : memref<1xf32, #gpu.address_space<workgroup>>) {
    gpu.terminator
  }
  return
}
