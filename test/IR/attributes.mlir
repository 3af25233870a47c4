// Text forms of the attributes.
// RUN: mlafuse-opt %s --verify-roundtrip | FileCheck %s

// Every known key prints by its name, whichever way it was written.
// CHECK-LABEL: @known_keys
// CHECK-SAME: a = #mlafuse.quant_key<fp8_static_tensor_sym>
// CHECK-SAME: b = #mlafuse.quant_key<fp8_dynamic_tensor_sym>
// CHECK-SAME: c = #mlafuse.quant_key<fp8_dynamic_token_sym>
// CHECK-SAME: d = #mlafuse.quant_key<fp8_dynamic_128_sym>
// CHECK-SAME: e = #mlafuse.quant_key<fp8_dynamic_64_sym>
// CHECK-SAME: f = #mlafuse.quant_key<nvfp4_dynamic>
// CHECK-SAME: g = #mlafuse.quant_key<mxfp8_dynamic>
// CHECK-SAME: h = #mlafuse.quant_key<mxfp4_dynamic>
// CHECK-SAME: i = #mlafuse.quant_key<fp8_static_channel_sym>
// CHECK-SAME: j = #mlafuse.quant_key<fp8_static_128_block_sym>
func.func private @known_keys() attributes {
  a = #mlafuse.quant_key<fp8_static_tensor_sym>,
  b = #mlafuse.quant_key<fp8_dynamic_tensor_sym>,
  c = #mlafuse.quant_key<fp8_dynamic_token_sym>,
  d = #mlafuse.quant_key<fp8_dynamic_128_sym>,
  e = #mlafuse.quant_key<fp8_dynamic_64_sym>,
  f = #mlafuse.quant_key<nvfp4_dynamic>,
  g = #mlafuse.quant_key<mxfp8_dynamic>,
  h = #mlafuse.quant_key<mxfp4_dynamic>,
  i = #mlafuse.quant_key<fp8_static_channel_sym>,
  j = #mlafuse.quant_key<fp8_static_128_block_sym>}

// CHECK-LABEL: @known_keys_in_full
// CHECK-SAME: a = #mlafuse.quant_key<fp8_static_tensor_sym>
// CHECK-SAME: b = #mlafuse.quant_key<fp8_dynamic_tensor_sym>
// CHECK-SAME: c = #mlafuse.quant_key<fp8_dynamic_token_sym>
// CHECK-SAME: d = #mlafuse.quant_key<fp8_dynamic_128_sym>
// CHECK-SAME: e = #mlafuse.quant_key<fp8_dynamic_64_sym>
// CHECK-SAME: f = #mlafuse.quant_key<nvfp4_dynamic>
// CHECK-SAME: g = #mlafuse.quant_key<mxfp8_dynamic>
// CHECK-SAME: h = #mlafuse.quant_key<mxfp4_dynamic>
// CHECK-SAME: i = #mlafuse.quant_key<fp8_static_channel_sym>
// CHECK-SAME: j = #mlafuse.quant_key<fp8_static_128_block_sym>
func.func private @known_keys_in_full() attributes {
  a = #mlafuse.quant_key<f8E4M3FN, scale = f32, static, group = [-1, -1], sym>,
  b = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [-1, -1], sym>,
  c = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, -1], sym>,
  d = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 128], sym>,
  e = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 64], sym>,
  f = #mlafuse.quant_key<f4E2M1FN, scale = f8E4M3FN, dynamic, group = [1, 16], scale2 = f32, sym>,
  g = #mlafuse.quant_key<f8E4M3FN, scale = f8E8M0FNU, dynamic, group = [1, 32], sym>,
  h = #mlafuse.quant_key<f4E2M1FN, scale = f8E8M0FNU, dynamic, group = [1, 32], sym>,
  i = #mlafuse.quant_key<f8E4M3FN, scale = f32, static, group = [-1, 1], sym>,
  j = #mlafuse.quant_key<f8E4M3FN, scale = f32, static, group = [128, 128], sym>}

// CHECK-LABEL: @other_keys
// CHECK-SAME: a = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym>
// CHECK-SAME: b = #mlafuse.quant_key<f8E5M2, scale = f32, static, group = [-1, -1], sym>
// CHECK-SAME: c = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 32], sym>
// CHECK-SAME: d = #mlafuse.quant_key<f8E5M2, scale = f8E8M0FNU, dynamic, group = [1, 32], sym>
func.func private @other_keys() attributes {
  a = #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym>,
  b = #mlafuse.quant_key<f8E5M2, scale = f32, static, group = [-1, -1], sym>,
  c = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 32], sym>,
  d = #mlafuse.quant_key<f8E5M2, scale = f8E8M0FNU, dynamic, group = [1, 32], sym>}

// Rules: fields in any order; presets print as the fields that they set.
// CHECK-LABEL: @scale_rules
// CHECK-SAME: a = #mlafuse.scale_rule<floor = 1.000000e-10 on absmax, rounding = ue8m0, quotient = reciprocal, max = 2.240000e+02>
// CHECK-SAME: b = #mlafuse.scale_rule<floor = 5.000000e-01 on scale, quotient = divide>
// CHECK-SAME: c = #mlafuse.scale_rule<>
// CHECK-SAME: d = #mlafuse.scale_rule<max_fnuz = 2.240000e+02>
// CHECK-SAME: e = #mlafuse.scale_rule<floor = 1.000000e-04 on absmax, quotient = divide>
// CHECK-SAME: f = #mlafuse.scale_rule<floor = 1.000000e-10 on absmax, quotient = reciprocal>
// CHECK-SAME: g = #mlafuse.scale_rule<floor = 1.000000e-04 on absmax, rounding = ue8m0, quotient = divide, max = 4.480000e+02>
func.func private @scale_rules() attributes {
  a = #mlafuse.scale_rule<max = 224.0, quotient = reciprocal, floor = 1.0e-10 on absmax, rounding = ue8m0>,
  b = #mlafuse.scale_rule<floor = 0.5 on scale, rounding = none, quotient = divide>,
  c = #mlafuse.scale_rule<>,
  d = #mlafuse.scale_rule<vllm>,
  e = #mlafuse.scale_rule<deepseek>,
  f = #mlafuse.scale_rule<aiter>,
  g = #mlafuse.scale_rule<rounding = ue8m0, deepseek, max = 448.0>}

// CHECK-LABEL: @enums
// CHECK-SAME: a = [#mlafuse.scale_layout<row_major>, #mlafuse.scale_layout<column_major>, #mlafuse.scale_layout<tma_aligned>, #mlafuse.scale_layout<packed_ue8m0>, #mlafuse.scale_layout<swizzled_128x4>]
// CHECK-SAME: b = [#mlafuse.numerics<exact>, #mlafuse.numerics<contracted>]
// CHECK-SAME: c = [#mlafuse.rounding<normalized>, #mlafuse.rounding<result>]
// CHECK-SAME: d = [#mlafuse.rope_style<interleaved>, #mlafuse.rope_style<neox>]
// CHECK-SAME: e = [#mlafuse.cache_format<bf16>, #mlafuse.cache_format<fp8>, #mlafuse.cache_format<fp8_ds_mla>]
func.func private @enums() attributes {
  a = [#mlafuse.scale_layout<row_major>, #mlafuse.scale_layout<column_major>, #mlafuse.scale_layout<tma_aligned>,
       #mlafuse.scale_layout<packed_ue8m0>, #mlafuse.scale_layout<swizzled_128x4>],
  b = [#mlafuse.numerics<exact>, #mlafuse.numerics<contracted>],
  c = [#mlafuse.rounding<normalized>, #mlafuse.rounding<result>],
  d = [#mlafuse.rope_style<interleaved>, #mlafuse.rope_style<neox>],
  e = [#mlafuse.cache_format<bf16>, #mlafuse.cache_format<fp8>, #mlafuse.cache_format<fp8_ds_mla>]}

// Parameters of a schedule print in one order; none is a schedule, too.
// CHECK-LABEL: @schedules
// CHECK-SAME: a = #mlafuse.schedule<tile_rows = 1, stages = 2, block_keys = 3, warpgroups = 4, warps = 5, groups = 6, splits = 7, split_overhead = 8, tile_columns = 9, tile_depth = 10>
// CHECK-SAME: b = #mlafuse.schedule<tile_rows = 64, stages = 9223372036854775807>
// CHECK-SAME: c = #mlafuse.schedule<>
func.func private @schedules() attributes {
  a = #mlafuse.schedule<tile_depth = 10, tile_columns = 9, split_overhead = 8, splits = 7, groups = 6, warps = 5, warpgroups = 4, block_keys = 3, stages = 2, tile_rows = 1>,
  b = #mlafuse.schedule<stages = 9223372036854775807, tile_rows = 64>,
  c = #mlafuse.schedule<>}
