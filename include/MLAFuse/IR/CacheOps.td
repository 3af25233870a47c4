//===- CacheOps.td - rotary embedding and the latent cache --*- tablegen -*-===//
#ifndef MLAFUSE_IR_CACHEOPS_TD
#define MLAFUSE_IR_CACHEOPS_TD

include "MLAFuse/IR/Attrs.td"

def MLAFuse_RopeOp : MLAFuse_Op<"rope"> {
  let summary = "rotary position embedding";
  let description = [{
    x is [T, H, R], positions [T] of i64, cos_sin [P, R]: R/2 cosines, then R/2
    sines, of each position. With the pairs that the style makes:

    ```
    a' = rb(f(f(a * c_i) - f(b * s_i)))    b' = rb(f(f(b * c_i) + f(a * s_i)))
    ```

    The destination may be the memory of x.

    Constraints: S1, S2, S4, S5, and

    - C1: x is bf16, f16 or f32 and y has its type and shape.
    - C2: R is static and even; cos_sin has R columns of bf16, f16 or f32.
    - C3: positions is i64, one per token.

    Example:

    ```mlir
    %y = mlafuse.rope ins(%x, %pos, %cs : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<4096x64xbf16>) outs(%o : tensor<?x8x64xbf16>) {style = #mlafuse.rope_style<interleaved>} -> tensor<?x8x64xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$input, MLAFuse_Shaped:$positions,
    MLAFuse_Shaped:$cos_sin, Optional<MLAFuse_Shaped>:$num_actual_tokens,
    Variadic<MLAFuse_Shaped>:$inits, MLAFuse_RopeStyleAttr:$style);
  let assemblyFormat = MLAFuse_Format<
    "$input `,` $positions `,` $cos_sin `:` type($input) `,` type($positions) `,` type($cos_sin)",
    ["num_actual_tokens"]>.text;
}

def MLAFuse_CacheUpdateOp : MLAFuse_Op<"mla_cache_update"> {
  let summary = "writes new latent and position rows into the paged cache";
  let description = [{
    kv_c [T, L] and k_pe [T, R] become row `slot_mapping[t]` (i64) of the cache
    [pages, page_size, row] (see `cache_format`); a slot of -1 is skipped, every
    other byte of the cache stays. The cache is a value: later readers take the
    result. `bf16` copies bits; `fp8` writes sat(clamp(f(x / k_scale), 448));
    `fp8_ds_mla` gives each tile of 128 a scale max(f(max|x| / 448), 2^-126), which
    a scale rule may round to a power of two.

    Constraints: S1, S2, S4, S5, and

    - C1: the cache has the format's element type and row size.
    - C2: `k_scale` (1 x f32) is given for `fp8` and for no other format.
    - C3: slot_mapping is i64, one per token.
    - C4: a scale rule goes with `fp8_ds_mla` only, and sets only `rounding` and a
      floor on the scale.

    Example:

    ```mlir
    %c1 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%c0 : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$kv_c, MLAFuse_Shaped:$k_pe,
    MLAFuse_Shaped:$slot_mapping, Optional<MLAFuse_Shaped>:$k_scale,
    Optional<MLAFuse_Shaped>:$num_actual_tokens,
    Variadic<MLAFuse_Shaped>:$inits, MLAFuse_CacheFormatAttr:$cache_format,
    OptionalAttr<MLAFuse_ScaleRuleAttr>:$scale_rule);
  let assemblyFormat = MLAFuse_Format<
    "$kv_c `,` $k_pe `,` $slot_mapping `:` type($kv_c) `,` type($k_pe) `,` type($slot_mapping)",
    ["k_scale", "num_actual_tokens"]>.text;
}

#endif // MLAFUSE_IR_CACHEOPS_TD
