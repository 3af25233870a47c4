// What instructions common kernels have: conversions that the chip knows, none that
// it knows by another meaning; accesses of 16 bytes; reductions without LDS where a
// wave suffices. `quantize_fnuz` and `quantize_ocp` tell the two flavours of FP8
// apart: gfx942 converts the one, gfx950 and gfx1201 the other. test/lib/kernel-check
// looks for missing and forbidden ones in all kernels of all cases.
//
// DEFINE: %{chip} =
// DEFINE: %{prefix} =
// DEFINE: %{build} = mlafuse-compile %s --target=rocdl:%{chip} --emit=hsaco -o %t.%{chip}
// DEFINE: %{disassemble} = llvm-objdump -d --no-show-raw-insn %t.%{chip} > %t.%{chip}.s
// DEFINE: %{check} = FileCheck %s --check-prefixes=%{prefix} --input-file=%t.%{chip}.s \
// DEFINE:   --implicit-check-not=scratch_ --implicit-check-not=flat_ --implicit-check-not=buffer_
//
// REDEFINE: %{chip} = gfx942
// REDEFINE: %{prefix} = GFX942
// RUN: %{build} && %{disassemble} && %{check}
// REDEFINE: %{chip} = gfx950
// REDEFINE: %{prefix} = GFX950
// RUN: %{build} && %{disassemble} && %{check}
// REDEFINE: %{chip} = gfx1201
// REDEFINE: %{prefix} = GFX1201
// RUN: %{build} && %{disassemble} && %{check}

// GFX942-LABEL: <norm_quantize_kernel>:
// GFX942-COUNT-8: global_load_dwordx4
// GFX942-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX942: v_add_f32_dpp {{.*}} quad_perm:[1,0,3,2]
// GFX942: v_add_f32_dpp {{.*}} quad_perm:[2,3,0,1]
// GFX942: row_half_mirror
// GFX942: row_ror:8
// GFX942: ds_swizzle_b32 {{.*}}swizzle(SWAP,16)
// GFX942: ds_bpermute_b32
// GFX942: ds_write_b32
// GFX942: s_barrier
// GFX942: ds_read_b64
// GFX942-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX942: global_store_dwordx4
// GFX950-LABEL: <norm_quantize_kernel>:
// GFX950: global_load_dwordx4
// GFX950: v_add_f32_dpp {{.*}} quad_perm:[1,0,3,2]
// GFX950: v_add_f32_dpp {{.*}} quad_perm:[2,3,0,1]
// GFX950: row_half_mirror
// GFX950: row_ror:8
// GFX950: v_permlane16_swap_b32
// GFX950: v_permlane32_swap_b32
// GFX950: ds_write_b32
// GFX950: s_barrier
// GFX950: ds_read_b64
// GFX950: v_cvt_pk_bf16_f32
// GFX950: v_cvt_pk_fp8_f32
// GFX950: global_store_dwordx4
// GFX1201-LABEL: <norm_quantize_kernel>:
// GFX1201-COUNT-8: global_load_b128
// GFX1201: v_add_f32_dpp {{.*}} row_xmask:1
// GFX1201: v_add_f32_dpp {{.*}} row_xmask:2
// GFX1201: v_add_f32_dpp {{.*}} row_xmask:4
// GFX1201: v_add_f32_dpp {{.*}} row_xmask:8
// GFX1201: v_permlanex16_b32
// GFX1201: ds_store_b32
// GFX1201: s_barrier_signal
// GFX1201: ds_load_b128
// GFX1201: v_cvt_pk_fp8_f32
// GFX1201: global_store_b128
func.func @norm_quantize(%x: tensor<?x7168xbf16>, %w: tensor<7168xbf16>, %q: tensor<?x7168xf8E4M3FN>, %s: tensor<?x56xf32>) -> (tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>) {
  %0:2 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x7168xbf16>, tensor<7168xbf16>) outs(%q, %s : tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>
  return %0#0, %0#1 : tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>
}

// GFX942-LABEL: <quantize_ocp_kernel>:
// GFX942: global_load_dwordx4
// GFX942-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX942: global_store_dwordx4
// GFX950-LABEL: <quantize_ocp_kernel>:
// GFX950: global_load_dwordx4
// GFX950: v_mov_b32_dpp
// GFX950-COUNT-8: v_cvt_pk_fp8_f32
// GFX950: global_store_dwordx4
// GFX1201-LABEL: <quantize_ocp_kernel>:
// GFX1201: global_load_b128
// GFX1201: v_mov_b32_dpp
// GFX1201-COUNT-8: v_cvt_pk_fp8_f32
// GFX1201: global_store_b128
func.func @quantize_ocp(%x: tensor<?x1536xbf16>, %q: tensor<?x1536xf8E4M3FN>, %s: tensor<?x12xf32>) -> (tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>) {
  %0:2 = mlafuse.quantize ins(%x : tensor<?x1536xbf16>) outs(%q, %s : tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>
  return %0#0, %0#1 : tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>
}

// GFX942-LABEL: <quantize_fnuz_kernel>:
// GFX942: global_load_dwordx4
// GFX942: v_mov_b32_dpp
// GFX942: ds_swizzle_b32
// GFX942: ds_bpermute_b32
// GFX942-NOT: ds_write
// GFX942-COUNT-8: v_cvt_pk_fp8_f32
// GFX942: global_store_dwordx4
// GFX950-LABEL: <quantize_fnuz_kernel>:
// GFX950: global_load_dwordx4
// GFX950-NOT: ds_
// GFX950-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX950: global_store_dwordx4
// GFX1201-LABEL: <quantize_fnuz_kernel>:
// GFX1201: global_load_b128
// GFX1201-NOT: ds_
// GFX1201-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX1201: global_store_b128
func.func @quantize_fnuz(%x: tensor<?x768xbf16>, %q: tensor<?x768xf8E4M3FNUZ>, %s: tensor<?x1xf32>) -> (tensor<?x768xf8E4M3FNUZ>, tensor<?x1xf32>) {
  %0:2 = mlafuse.quantize ins(%x : tensor<?x768xbf16>) outs(%q, %s : tensor<?x768xf8E4M3FNUZ>, tensor<?x1xf32>) {key = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym>} -> tensor<?x768xf8E4M3FNUZ>, tensor<?x1xf32>
  return %0#0, %0#1 : tensor<?x768xf8E4M3FNUZ>, tensor<?x1xf32>
}

// GFX942-LABEL: <quantize_e5m2_kernel>:
// GFX942-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX942: global_store_dwordx4
// GFX950-LABEL: <quantize_e5m2_kernel>:
// GFX950-COUNT-8: v_cvt_pk_bf8_f32
// GFX950: global_store_dwordx4
// GFX1201-LABEL: <quantize_e5m2_kernel>:
// GFX1201-COUNT-8: v_cvt_pk_bf8_f32
// GFX1201: global_store_b128
func.func @quantize_e5m2(%x: tensor<?x768xbf16>, %q: tensor<?x768xf8E5M2>, %s: tensor<?x24xf8E8M0FNU>) -> (tensor<?x768xf8E5M2>, tensor<?x24xf8E8M0FNU>) {
  %0:2 = mlafuse.quantize ins(%x : tensor<?x768xbf16>) outs(%q, %s : tensor<?x768xf8E5M2>, tensor<?x24xf8E8M0FNU>) {key = #mlafuse.quant_key<f8E5M2, scale = f8E8M0FNU, dynamic, group = [1, 32], sym>} -> tensor<?x768xf8E5M2>, tensor<?x24xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x768xf8E5M2>, tensor<?x24xf8E8M0FNU>
}

// GFX942-LABEL: <quantize_nvfp4_kernel>:
// GFX942-COUNT-2: global_load_dwordx4
// GFX942-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX942: global_store_dwordx2
// GFX950-LABEL: <quantize_nvfp4_kernel>:
// GFX950-COUNT-2: global_load_dwordx4
// GFX950-COUNT-8: v_cvt_scalef32_pk_fp4_f32
// GFX950: global_store_dwordx2
// GFX1201-LABEL: <quantize_nvfp4_kernel>:
// GFX1201-COUNT-2: global_load_b128
// GFX1201-NOT: v_cvt_{{.*}}fp4
// GFX1201: global_store_b64
func.func @quantize_nvfp4(%x: tensor<?x1536xbf16>, %g: tensor<1xf32>, %q: tensor<?x768xi8>, %s: tensor<?x96xf8E4M3FN>) -> (tensor<?x768xi8>, tensor<?x96xf8E4M3FN>) {
  %0:2 = mlafuse.quantize ins(%x : tensor<?x1536xbf16>) global_scale(%g : tensor<1xf32>) outs(%q, %s : tensor<?x768xi8>, tensor<?x96xf8E4M3FN>) {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x768xi8>, tensor<?x96xf8E4M3FN>
  return %0#0, %0#1 : tensor<?x768xi8>, tensor<?x96xf8E4M3FN>
}

// GFX942-LABEL: <dequantize_ocp_kernel>:
// GFX942: global_load_dwordx4
// GFX942-NOT: v_cvt_{{.*}}{{fp8|bf8|fp4}}
// GFX942-COUNT-2: global_store_dwordx4
// GFX950-LABEL: <dequantize_ocp_kernel>:
// GFX950: global_load_dwordx4
// GFX950-COUNT-8: v_cvt_pk_f32_fp8
// GFX950: global_store_dwordx4
// GFX1201-LABEL: <dequantize_ocp_kernel>:
// GFX1201: global_load_b128
// GFX1201-COUNT-8: v_cvt_pk_f32_fp8
// GFX1201: global_store_b128
func.func @dequantize_ocp(%q: tensor<?x768xf8E4M3FN>, %s: tensor<?x1xf32>, %y: tensor<?x768xbf16>) -> tensor<?x768xbf16> {
  %0 = mlafuse.dequantize ins(%q : tensor<?x768xf8E4M3FN>) scale(%s : tensor<?x1xf32>) outs(%y : tensor<?x768xbf16>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x768xbf16>
  return %0 : tensor<?x768xbf16>
}
