//===- NormOps.td - norms and norms fused with quantization -*- tablegen -*-===//
#ifndef MLAFUSE_IR_NORMOPS_TD
#define MLAFUSE_IR_NORMOPS_TD

include "MLAFuse/IR/Attrs.td"

def MLAFuse_RMSNormOp : MLAFuse_Op<"rms_norm"> {
  let summary = "root-mean-square normalization of rows";
  let description = [{
    Semantics, for each row x of width N in f32 (`rb` rounds to the type of x,
    `f` marks one f32 operation; the sum may be taken in any order):

    ```
    r   = f(1 / f(sqrt(f(f(sum_i x_i^2 / N) + epsilon))))
    y_i = rb(f(rb(f(x_i * r)) * w_i))     rounding = normalized
    y_i = rb(f(f(x_i * r) * w_i))         rounding = result
    y_i = rb(f(x_i * r))                  without a weight
    ```

    The weight has a type of its own and is widened to f32; with `weight_offset`
    (Gemma) w_i is f(1 + weight_i). A destination of f32 takes the value without
    its last rounding.

    Constraints: S1 to S5, and

    - C1: x is bf16, f16 or f32; y has its shape, and its type or f32.
    - C2: the weight is a vector of the row width, of bf16, f16 or f32.
    - C3: epsilon is finite and not negative.
    - C4: `weight_offset` needs a weight.

    Example:

    ```mlir
    %y = mlafuse.rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) outs(%o : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$input, Optional<MLAFuse_Shaped>:$weight,
    Optional<MLAFuse_Shaped>:$num_actual_tokens,
    Variadic<MLAFuse_Shaped>:$inits, F32Attr:$epsilon,
    DefaultValuedAttr<MLAFuse_RoundingAttr, "::mlafuse::Rounding::Normalized">:$rounding,
    UnitAttr:$weight_offset);
  let assemblyFormat = MLAFuse_Format<
    "$input (`,` $weight^)? `:` type($input) (`,` type($weight)^)?",
    ["num_actual_tokens"]>.text;
}

def MLAFuse_AddRMSNormOp : MLAFuse_Op<"add_rms_norm"> {
  let summary = "residual addition, then root-mean-square normalization";
  let description = [{
    `h = f(x + residual)` is normalized as `rms_norm` does, unrounded; the second
    destination takes `rb(h)`.

    Constraints: S1 to S5, C1 to C4 of `rms_norm`, and

    - C5: the residual, and its destination, have the shape and type of x.

    Example:

    ```mlir
    %y, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) residual(%r : tensor<?x512xbf16>) outs(%o, %ho : tensor<?x512xbf16>, tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>, tensor<?x512xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$input, Optional<MLAFuse_Shaped>:$weight,
    MLAFuse_Shaped:$residual, Optional<MLAFuse_Shaped>:$num_actual_tokens,
    Variadic<MLAFuse_Shaped>:$inits, F32Attr:$epsilon,
    DefaultValuedAttr<MLAFuse_RoundingAttr, "::mlafuse::Rounding::Normalized">:$rounding,
    UnitAttr:$weight_offset);
  let assemblyFormat = [{
    `ins` `(` $input (`,` $weight^)? `:` type($input) (`,` type($weight)^)? `)`
    `residual` `(` $residual `:` type($residual) `)`
    (`num_actual_tokens` `(` $num_actual_tokens^ `:` type($num_actual_tokens) `)`)?
    `outs` `(` $inits `:` type($inits) `)` attr-dict (`->` type($results)^)?
  }];
}

def MLAFuse_RMSNormQuantizeOp : MLAFuse_Op<"rms_norm_quantize"> {
  let summary = "normalization and quantization in one pass over the row";
  let description = [{
    `rms_norm` (with `residual`: `add_rms_norm`), then `quantize` of its result,
    which is kept only if a destination asks for it. Destinations: codes,
    [scale] (dynamic keys), [residual] (with `residual`), [the unquantized
    value].

    Constraints: those of `add_rms_norm` and of `quantize`.

    Example:

    ```mlir
    %q, %s = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo, %so : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$input, Optional<MLAFuse_Shaped>:$weight,
    Optional<MLAFuse_Shaped>:$residual, Optional<MLAFuse_Shaped>:$scale,
    Optional<MLAFuse_Shaped>:$scale_ub, Optional<MLAFuse_Shaped>:$global_scale,
    Optional<MLAFuse_Shaped>:$num_actual_tokens, Optional<Index>:$row_offset,
    Variadic<MLAFuse_Shaped>:$inits, F32Attr:$epsilon,
    DefaultValuedAttr<MLAFuse_RoundingAttr, "::mlafuse::Rounding::Normalized">:$rounding,
    UnitAttr:$weight_offset, MLAFuse_QuantKeyAttr:$key,
    OptionalAttr<MLAFuse_ScaleLayoutAttr>:$scale_layout,
    OptionalAttr<MLAFuse_ScaleRuleAttr>:$scale_rule,
    DefaultValuedAttr<MLAFuse_NumericsAttr, "::mlafuse::Numerics::Exact">:$numerics);
  let assemblyFormat = MLAFuse_Format<
    "$input (`,` $weight^)? `:` type($input) (`,` type($weight)^)?",
    ["residual", "scale", "scale_ub", "global_scale", "num_actual_tokens",
     "row_offset"]>.text;
  let opDeclaration = [{
    ::mlafuse::QuantSpec getQuantSpec();
    /// Destinations by role; null where the op has none.
    ::mlir::Value getCodesInit() { return getInits()[0]; }
    ::mlir::Value getScaleInit();
    ::mlir::Value getResidualInit();
    ::mlir::Value getUnquantizedInit();
  }];
}

def MLAFuse_DualRMSNormOp : MLAFuse_Op<"dual_rms_norm"> {
  let summary = "normalization of the q and the kv latent of one projection";
  let description = [{
    Two `rms_norm`s, of the q latent and of the kv latent, each with its width,
    weight and epsilon, read in place as strided slices of one projection.

    Constraints: S1 to S5, C1 to C3 of `rms_norm` for each side, and

    - C4: both sides have the same leading dimensions and input type.

    Example:

    ```mlir
    %q, %kv = mlafuse.dual_rms_norm ins(%q_c, %qw, %kv_c, %kw : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo, %kvo : tensor<?x1536xbf16>, tensor<?x512xbf16>) {q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>, tensor<?x512xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$q_c, MLAFuse_Shaped:$q_weight,
    MLAFuse_Shaped:$kv_c, MLAFuse_Shaped:$kv_weight,
    Optional<MLAFuse_Shaped>:$num_actual_tokens,
    Variadic<MLAFuse_Shaped>:$inits, F32Attr:$q_epsilon, F32Attr:$kv_epsilon,
    DefaultValuedAttr<MLAFuse_RoundingAttr, "::mlafuse::Rounding::Normalized">:$rounding,
    UnitAttr:$weight_offset);
  let assemblyFormat = MLAFuse_Format<
    "$q_c `,` $q_weight `,` $kv_c `,` $kv_weight `:` type($q_c) `,` type($q_weight) `,` type($kv_c) `,` type($kv_weight)",
    ["num_actual_tokens"]>.text;
}

def MLAFuse_DualRMSNormQuantizeOp : MLAFuse_Op<"dual_rms_norm_quantize"> {
  let summary = "dual normalization, with either or both sides quantized";
  let description = [{
    `dual_rms_norm` in which each side that has a key is quantized in the same
    pass. Destinations, q side then kv side: with a key: codes, [scale] (dynamic
    keys), [the unquantized value]; without: the normalized value.

    Constraints: those of `dual_rms_norm`, for each side with a key those of
    `quantize`, and

    - C5: at least one side has a key (else it is `dual_rms_norm`).
    - C6: layouts, rules and scale operands are given for sides with a key only.

    Example:

    ```mlir
    %q8, %qs, %kv = mlafuse.dual_rms_norm_quantize ins(%q_c, %qw, %kv_c, %kw : tensor<?x1536xbf16>, tensor<1536xbf16>, tensor<?x512xbf16>, tensor<512xbf16>) outs(%q8o, %qso, %kvo : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {q_key = #mlafuse.quant_key<fp8_dynamic_token_sym>, q_epsilon = 1.0e-6 : f32, kv_epsilon = 1.0e-6 : f32} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$q_c, MLAFuse_Shaped:$q_weight,
    MLAFuse_Shaped:$kv_c, MLAFuse_Shaped:$kv_weight,
    Optional<MLAFuse_Shaped>:$q_scale, Optional<MLAFuse_Shaped>:$kv_scale,
    Optional<MLAFuse_Shaped>:$q_scale_ub, Optional<MLAFuse_Shaped>:$kv_scale_ub,
    Optional<MLAFuse_Shaped>:$q_global_scale,
    Optional<MLAFuse_Shaped>:$kv_global_scale,
    Optional<MLAFuse_Shaped>:$num_actual_tokens,
    Variadic<MLAFuse_Shaped>:$inits, F32Attr:$q_epsilon, F32Attr:$kv_epsilon,
    DefaultValuedAttr<MLAFuse_RoundingAttr, "::mlafuse::Rounding::Normalized">:$rounding,
    UnitAttr:$weight_offset,
    OptionalAttr<MLAFuse_QuantKeyAttr>:$q_key,
    OptionalAttr<MLAFuse_QuantKeyAttr>:$kv_key,
    OptionalAttr<MLAFuse_ScaleLayoutAttr>:$q_scale_layout,
    OptionalAttr<MLAFuse_ScaleLayoutAttr>:$kv_scale_layout,
    OptionalAttr<MLAFuse_ScaleRuleAttr>:$q_scale_rule,
    OptionalAttr<MLAFuse_ScaleRuleAttr>:$kv_scale_rule,
    DefaultValuedAttr<MLAFuse_NumericsAttr, "::mlafuse::Numerics::Exact">:$numerics);
  let assemblyFormat = MLAFuse_Format<
    "$q_c `,` $q_weight `,` $kv_c `,` $kv_weight `:` type($q_c) `,` type($q_weight) `,` type($kv_c) `,` type($kv_weight)",
    ["q_scale", "kv_scale", "q_scale_ub", "kv_scale_ub", "q_global_scale",
     "kv_global_scale", "num_actual_tokens"]>.text;
  let opDeclaration = [{
    ::mlafuse::QuantSpec getQQuantSpec();
    ::mlafuse::QuantSpec getKvQuantSpec();
    /// Destinations of one side; the unquantized value is the only one of a
    /// side without a key.
    ::mlafuse::DualSideInits getQInits();
    ::mlafuse::DualSideInits getKvInits();
  }];
}

def MLAFuse_PairOp : Op<MLAFuse_Dialect, "pair", [Pure,
    AllTypesMatch<["q", "q_out"]>, AllTypesMatch<["kv", "kv_out"]>]> {
  let summary = "two sibling norms under one root (internal to the fusion)";
  let description = [{
    Forwards its operands. `--mlafuse-fuse` puts a `pair` over two norms of one
    projection so that a declarative pattern can match both; no `pair` survives
    the pass.
  }];
  let arguments = (ins AnyRankedTensor:$q, AnyRankedTensor:$kv);
  let results = (outs AnyRankedTensor:$q_out, AnyRankedTensor:$kv_out);
  let assemblyFormat = "$q `,` $kv attr-dict `:` type($q) `,` type($kv)";
}

#endif // MLAFUSE_IR_NORMOPS_TD
