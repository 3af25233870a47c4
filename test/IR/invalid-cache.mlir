// C labels of dequantize, rope and the cache update.
// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics

// dequantize C1
func.func @dequantize_to_codes(%q: tensor<4x128xf8E4M3FN>, %s: tensor<4x1xf32>) {
  // expected-error @below {{destination must be bf16, f16 or f32, got 'tensor<4x128xf8E4M3FN>' (C1)}}
  %0 = mlafuse.dequantize ins(%q : tensor<4x128xf8E4M3FN>) scale(%s : tensor<4x1xf32>) outs(%q : tensor<4x128xf8E4M3FN>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xf8E4M3FN>
  return
}

// -----

// dequantize C1
func.func @dequantize_packed_shape(%q: tensor<4x64xi8>, %s: tensor<4x8xf8E4M3FN>, %g: tensor<1xf32>, %x: tensor<4x64xbf16>) {
  // expected-error @below {{destination must have shape [4, 128], got 'tensor<4x64xbf16>' (C1)}}
  %0 = mlafuse.dequantize ins(%q : tensor<4x64xi8>) scale(%s : tensor<4x8xf8E4M3FN>) global_scale(%g : tensor<1xf32>) outs(%x : tensor<4x64xbf16>)
    {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<4x64xbf16>
  return
}

// -----

// dequantize C2
func.func @dequantize_without_scale(%q: tensor<4x128xf8E4M3FN>, %x: tensor<4x128xbf16>) {
  // expected-error @below {{needs scale(...), for every key (C2)}}
  %0 = mlafuse.dequantize ins(%q : tensor<4x128xf8E4M3FN>) outs(%x : tensor<4x128xbf16>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xbf16>
  return
}

// -----

// dequantize Q2
func.func @dequantize_other_codes(%q: tensor<4x128xi8>, %s: tensor<4x1xf32>, %x: tensor<4x128xbf16>) {
  // expected-error @below {{codes of #mlafuse.quant_key<fp8_dynamic_token_sym> are of 'f8E4M3FN', got 'tensor<4x128xi8>' (Q2)}}
  %0 = mlafuse.dequantize ins(%q : tensor<4x128xi8>) scale(%s : tensor<4x1xf32>) outs(%x : tensor<4x128xbf16>)
    {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<4x128xbf16>
  return
}

// -----

// dequantize Q2
func.func @weight_of_rank_1(%q: tensor<128xf8E4M3FN>, %s: tensor<1x128xf32>, %x: tensor<128xbf16>) {
  // expected-error @below {{a weight's key needs codes of rank 2 or more (Q2)}}
  %0 = mlafuse.dequantize ins(%q : tensor<128xf8E4M3FN>) scale(%s : tensor<1x128xf32>) outs(%x : tensor<128xbf16>)
    {key = #mlafuse.quant_key<fp8_static_channel_sym>} -> tensor<128xbf16>
  return
}

// -----

// dequantize Q3
func.func @dequantize_cut_group(%q: tensor<4x100xf8E4M3FN>, %s: tensor<4x1xf32>, %x: tensor<4x100xbf16>) {
  // expected-error @below {{rows of 100 do not divide into groups of 128 (Q3)}}
  %0 = mlafuse.dequantize ins(%q : tensor<4x100xf8E4M3FN>) scale(%s : tensor<4x1xf32>) outs(%x : tensor<4x100xbf16>)
    {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<4x100xbf16>
  return
}

// -----

// dequantize Q4
func.func @weight_layout(%q: tensor<128x128xf8E4M3FN>, %s: tensor<1x128xf32>, %x: tensor<128x128xbf16>) {
  // expected-error @below {{scale_layout does not go with a weight's key (Q4)}}
  %0 = mlafuse.dequantize ins(%q : tensor<128x128xf8E4M3FN>) scale(%s : tensor<1x128xf32>) outs(%x : tensor<128x128xbf16>)
    {key = #mlafuse.quant_key<fp8_static_channel_sym>, scale_layout = #mlafuse.scale_layout<row_major>} -> tensor<128x128xbf16>
  return
}

// -----

// dequantize Q5
func.func @weight_blocks(%q: tensor<200x300xf8E4M3FN>, %s: tensor<1x2xf32>, %x: tensor<200x300xbf16>) {
  // expected-error @below {{scale must be [2, 3] of 'f32', got 'tensor<1x2xf32>' (Q5)}}
  %0 = mlafuse.dequantize ins(%q : tensor<200x300xf8E4M3FN>) scale(%s : tensor<1x2xf32>) outs(%x : tensor<200x300xbf16>)
    {key = #mlafuse.quant_key<fp8_static_128_block_sym>} -> tensor<200x300xbf16>
  return
}

// -----

// dequantize Q8
func.func @dequantize_global(%q: tensor<4x64xi8>, %s: tensor<4x8xf8E4M3FN>, %x: tensor<4x128xbf16>) {
  // expected-error @below {{global_scale(...) is given for NVFP4 and for no other key (Q8)}}
  %0 = mlafuse.dequantize ins(%q : tensor<4x64xi8>) scale(%s : tensor<4x8xf8E4M3FN>) outs(%x : tensor<4x128xbf16>)
    {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<4x128xbf16>
  return
}

// -----

// rope C1
func.func @rope_type(%x: tensor<4x2x8xbf16>, %p: tensor<4xi64>, %cs: tensor<64x8xf32>, %y: tensor<4x2x8xf32>) {
  // expected-error @below {{destination must have the type and shape of the input, got 'tensor<4x2x8xf32>' (C1)}}
  %0 = mlafuse.rope ins(%x, %p, %cs : tensor<4x2x8xbf16>, tensor<4xi64>, tensor<64x8xf32>) outs(%y : tensor<4x2x8xf32>)
    {style = #mlafuse.rope_style<neox>} -> tensor<4x2x8xf32>
  return
}

// -----

// rope C2
func.func @rope_odd(%x: tensor<4x2x7xbf16>, %p: tensor<4xi64>, %cs: tensor<64x7xf32>) {
  // expected-error @below {{rotates an even, static number of columns, got 'tensor<4x2x7xbf16>' (C2)}}
  %0 = mlafuse.rope ins(%x, %p, %cs : tensor<4x2x7xbf16>, tensor<4xi64>, tensor<64x7xf32>) outs(%x : tensor<4x2x7xbf16>)
    {style = #mlafuse.rope_style<neox>} -> tensor<4x2x7xbf16>
  return
}

// -----

// rope C2
func.func @rope_table(%x: tensor<4x2x8xbf16>, %p: tensor<4xi64>, %cs: tensor<64x4xf32>) {
  // expected-error @below {{cos_sin must have shape [?, 8], got 'tensor<64x4xf32>' (S5)}}
  %0 = mlafuse.rope ins(%x, %p, %cs : tensor<4x2x8xbf16>, tensor<4xi64>, tensor<64x4xf32>) outs(%x : tensor<4x2x8xbf16>)
    {style = #mlafuse.rope_style<neox>} -> tensor<4x2x8xbf16>
  return
}

// -----

// rope C3
func.func @rope_positions(%x: tensor<4x2x8xbf16>, %p: tensor<4xi32>, %cs: tensor<64x8xf32>) {
  // expected-error @below {{positions must be [4] of 'i64', got 'tensor<4xi32>' (C3)}}
  %0 = mlafuse.rope ins(%x, %p, %cs : tensor<4x2x8xbf16>, tensor<4xi32>, tensor<64x8xf32>) outs(%x : tensor<4x2x8xbf16>)
    {style = #mlafuse.rope_style<neox>} -> tensor<4x2x8xbf16>
  return
}

// -----

// rope S5
func.func @rope_rank(%x: tensor<4x8xbf16>, %p: tensor<4xi64>, %cs: tensor<64x8xf32>) {
  // expected-error @below {{input must have rank 3, got 'tensor<4x8xbf16>' (S5)}}
  %0 = mlafuse.rope ins(%x, %p, %cs : tensor<4x8xbf16>, tensor<4xi64>, tensor<64x8xf32>) outs(%x : tensor<4x8xbf16>)
    {style = #mlafuse.rope_style<neox>} -> tensor<4x8xbf16>
  return
}

// -----

// mla_cache_update C1
func.func @cache_row(%kv: tensor<4x512xbf16>, %pe: tensor<4x64xbf16>, %s: tensor<4xi64>, %c: tensor<8x64x512xbf16>) {
  // expected-error @below {{bf16 cache must be [?, ?, 576] of 'bf16', got 'tensor<8x64x512xbf16>' (C1)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x512xbf16>, tensor<4x64xbf16>, tensor<4xi64>) outs(%c : tensor<8x64x512xbf16>)
    {cache_format = #mlafuse.cache_format<bf16>} -> tensor<8x64x512xbf16>
  return
}

// -----

// mla_cache_update C1
func.func @cache_type(%kv: tensor<4x512xbf16>, %pe: tensor<4x64xbf16>, %s: tensor<4xi64>, %k: tensor<1xf32>, %c: tensor<8x64x576xbf16>) {
  // expected-error @below {{fp8 cache must be [?, ?, 576] of 'f8E4M3FN', got 'tensor<8x64x576xbf16>' (C1)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x512xbf16>, tensor<4x64xbf16>, tensor<4xi64>) k_scale(%k : tensor<1xf32>)
    outs(%c : tensor<8x64x576xbf16>) {cache_format = #mlafuse.cache_format<fp8>} -> tensor<8x64x576xbf16>
  return
}

// -----

// mla_cache_update C1
func.func @cache_tiles(%kv: tensor<4x500xbf16>, %pe: tensor<4x64xbf16>, %s: tensor<4xi64>, %c: tensor<8x64x656xi8>) {
  // expected-error @below {{fp8_ds_mla needs a latent width in tiles of 128, got 500 (C1)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x500xbf16>, tensor<4x64xbf16>, tensor<4xi64>) outs(%c : tensor<8x64x656xi8>)
    {cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<8x64x656xi8>
  return
}

// -----

// mla_cache_update S5: the cache is paged.
func.func @cache_rank(%kv: tensor<4x512xbf16>, %pe: tensor<4x64xbf16>, %s: tensor<4xi64>, %c: tensor<512x576xbf16>) {
  // expected-error @below {{cache must have rank 3, got 'tensor<512x576xbf16>' (S5)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x512xbf16>, tensor<4x64xbf16>, tensor<4xi64>) outs(%c : tensor<512x576xbf16>)
    {cache_format = #mlafuse.cache_format<bf16>} -> tensor<512x576xbf16>
  return
}

// -----

// mla_cache_update C2
func.func @cache_scale(%kv: tensor<4x512xbf16>, %pe: tensor<4x64xbf16>, %s: tensor<4xi64>, %c: tensor<8x64x576xf8E4M3FN>) {
  // expected-error @below {{k_scale(...) is given for cache_format fp8 and for no other (C2)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x512xbf16>, tensor<4x64xbf16>, tensor<4xi64>) outs(%c : tensor<8x64x576xf8E4M3FN>)
    {cache_format = #mlafuse.cache_format<fp8>} -> tensor<8x64x576xf8E4M3FN>
  return
}

// -----

// mla_cache_update C3
func.func @slots(%kv: tensor<4x512xbf16>, %pe: tensor<4x64xbf16>, %s: tensor<5xi64>, %c: tensor<8x64x576xbf16>) {
  // expected-error @below {{slot_mapping must be [4] of 'i64', got 'tensor<5xi64>' (C3)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x512xbf16>, tensor<4x64xbf16>, tensor<5xi64>) outs(%c : tensor<8x64x576xbf16>)
    {cache_format = #mlafuse.cache_format<bf16>} -> tensor<8x64x576xbf16>
  return
}

// -----

// mla_cache_update C4
func.func @rule_of_bf16(%kv: tensor<4x512xbf16>, %pe: tensor<4x64xbf16>, %s: tensor<4xi64>, %c: tensor<8x64x576xbf16>) {
  // expected-error @below {{a scale_rule goes with fp8_ds_mla only, and sets only rounding and a floor on the scale (C4)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x512xbf16>, tensor<4x64xbf16>, tensor<4xi64>) outs(%c : tensor<8x64x576xbf16>)
    {cache_format = #mlafuse.cache_format<bf16>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<8x64x576xbf16>
  return
}

// -----

// mla_cache_update S5: what is copied bit for bit has the cache's type.
func.func @copied_type(%kv: tensor<4x512xbf16>, %pe: tensor<4x64xf32>, %s: tensor<4xi64>, %c: tensor<8x64x656xi8>) {
  // expected-error @below {{k_pe must be bf16, which is copied bit for bit, got 'tensor<4x64xf32>' (S5)}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %s : tensor<4x512xbf16>, tensor<4x64xf32>, tensor<4xi64>) outs(%c : tensor<8x64x656xi8>)
    {cache_format = #mlafuse.cache_format<fp8_ds_mla>} -> tensor<8x64x656xi8>
  return
}
