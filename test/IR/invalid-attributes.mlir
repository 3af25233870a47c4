// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// An unknown name lists the known ones, and shows the full form.
// expected-error @below {{unknown quantization key 'fp8_dynamic_token'; known: fp8_static_tensor_sym, fp8_dynamic_tensor_sym, fp8_dynamic_token_sym, fp8_dynamic_128_sym, fp8_dynamic_64_sym, nvfp4_dynamic, mxfp8_dynamic, mxfp4_dynamic, fp8_static_channel_sym, fp8_static_128_block_sym; or in full: f8E4M3FN, scale = f32, dynamic, group = [1, 128], sym}}
func.func private @f() attributes {k = #mlafuse.quant_key<fp8_dynamic_token>}

// -----

// expected-error @below {{expected the name of a quantization key, or its data type}}
func.func private @f() attributes {k = #mlafuse.quant_key<>}

// -----

// expected-error @below {{expected '>'}}
func.func private @f() attributes {k = #mlafuse.quant_key<fp8_dynamic_token_sym, sym>}

// -----

// expected-error @below {{expected 'scale'}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scales = f32, dynamic, group = [1, -1], sym>}

// -----

// expected-error @below {{expected 'static' or 'dynamic', got 'dynamical'}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamical, group = [1, -1], sym>}

// -----

// expected-error @below {{expected 'group'}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, groups = [1, -1], sym>}

// -----

// expected-error @below {{expected a group of [rows, columns]}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [128], sym>}

// -----

// expected-error @below {{expected 'sym' or 'asym', got 'symmetric'}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, -1], symmetric>}

// -----

// expected-error @below {{only symmetric quantization is known ('sym')}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, -1], asym>}

// -----

// expected-error @below {{data type must be f8E4M3FN, f8E4M3FNUZ, f8E5M2 or f4E2M1FN, got 'i8'}}
func.func private @f() attributes {k = #mlafuse.quant_key<i8, scale = f32, dynamic, group = [1, -1], sym>}

// -----

// expected-error @below {{scale type must be f32, f8E8M0FNU or f8E4M3FN, got 'bf16'}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = bf16, dynamic, group = [1, -1], sym>}

// -----

// expected-error @below {{group sizes are at least 1, or -1 for all, got 0}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 0], sym>}

// -----

// expected-error @below {{group sizes are at least 1, or -1 for all, got -2}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [-2, 1], sym>}

// -----

// expected-error @below {{a dynamic scale is shared by a whole tensor ([-1, -1]) or within one row ([1, n]), got group = [128, 128]}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [128, 128], sym>}

// -----

// expected-error @below {{f8E8M0FNU scales are dynamic, over groups of [1, 32], without a second scale}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f8E8M0FNU, dynamic, group = [1, 64], sym>}

// -----

// expected-error @below {{f8E4M3FN scales are dynamic, for f4E2M1FN in groups of [1, 16], with scale2 = f32}}
func.func private @f() attributes {k = #mlafuse.quant_key<f4E2M1FN, scale = f8E4M3FN, dynamic, group = [1, 16], sym>}

// -----

// expected-error @below {{f4E2M1FN data takes scales of f8E4M3FN or f8E8M0FNU, got f32}}
func.func private @f() attributes {k = #mlafuse.quant_key<f4E2M1FN, scale = f32, dynamic, group = [1, 16], sym>}

// -----

// expected-error @below {{a second scale goes with f8E4M3FN scales only}}
func.func private @f() attributes {k = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 16], scale2 = f32, sym>}

// -----

// expected-error @below {{unknown scale rule field 'flor'; known: floor, rounding, quotient, max, max_fnuz, and the presets vllm, deepseek, aiter}}
func.func private @f() attributes {r = #mlafuse.scale_rule<flor = 1.0e-4 on absmax>}

// -----

// expected-error @below {{'floor' is given twice}}
func.func private @f() attributes {r = #mlafuse.scale_rule<floor = 1.0e-4 on absmax, floor = 1.0e-4 on scale>}

// -----

// expected-error @below {{'quotient' is given twice}}
func.func private @f() attributes {r = #mlafuse.scale_rule<quotient = divide, quotient = divide>}

// -----

// expected-error @below {{'rounding' is given twice}}
func.func private @f() attributes {r = #mlafuse.scale_rule<rounding = none, rounding = ue8m0>}

// -----

// expected-error @below {{'max' is given twice}}
func.func private @f() attributes {r = #mlafuse.scale_rule<max = 1.0, max = 1.0>}

// -----

// expected-error @below {{'floor' is given twice: the preset 'deepseek' sets it}}
func.func private @f() attributes {r = #mlafuse.scale_rule<floor = 1.0e-10 on scale, deepseek>}

// -----

// expected-error @below {{'floor' is given twice}}
func.func private @f() attributes {r = #mlafuse.scale_rule<deepseek, floor = 1.0e-10 on scale>}

// -----

// expected-error @below {{'quotient' is given twice: the preset 'aiter' sets it}}
func.func private @f() attributes {r = #mlafuse.scale_rule<quotient = divide, aiter>}

// -----

// expected-error @below {{'max_fnuz' is given twice: the preset 'vllm' sets it}}
func.func private @f() attributes {r = #mlafuse.scale_rule<vllm, vllm>}

// -----

// expected-error @below {{'rounding' is 'none' or 'ue8m0', got 'up'}}
func.func private @f() attributes {r = #mlafuse.scale_rule<rounding = up>}

// -----

// expected-error @below {{'on' is 'absmax' or 'scale', got 'max'}}
func.func private @f() attributes {r = #mlafuse.scale_rule<floor = 1.0 on max>}

// -----

// expected-error @below {{'floor' must be a positive number that f32 holds, got -1}}
func.func private @f() attributes {r = #mlafuse.scale_rule<floor = -1.0 on scale>}

// -----

// expected-error @below {{'max' must be a positive number that f32 holds, got 1.0}}
func.func private @f() attributes {r = #mlafuse.scale_rule<max = 1.0e39>}

// -----

// expected-error @below {{failed to parse MLAFuse_ScaleLayoutAttr parameter 'value'}}
// expected-error @below {{expected ::mlafuse::ScaleLayout to be one of: row_major, column_major, tma_aligned, packed_ue8m0, swizzled_128x4}}
func.func private @f() attributes {l = #mlafuse.scale_layout<linear>}

// -----

// expected-error @below {{unknown schedule parameter 'tile_row'; known: tile_rows, stages, block_keys, warpgroups, warps, groups, splits, split_overhead, tile_columns, tile_depth}}
func.func private @f() attributes {s = #mlafuse.schedule<tile_row = 64>}

// -----

// expected-error @below {{'stages' is given twice}}
func.func private @f() attributes {s = #mlafuse.schedule<stages = 2, tile_rows = 64, stages = 2>}

// -----

// expected-error @below {{'stages' must be positive, got 0}}
func.func private @f() attributes {s = #mlafuse.schedule<stages = 0>}

// -----

// expected-error @below {{'split_overhead' must be positive, got -1}}
func.func private @f() attributes {s = #mlafuse.schedule<split_overhead = -1>}

// -----

// expected-error @below {{expected integer value}}
func.func private @f() attributes {s = #mlafuse.schedule<stages = two>}
