//===- QuantOps.td - quantization ---------------------------*- tablegen -*-===//
#ifndef MLAFUSE_IR_QUANTOPS_TD
#define MLAFUSE_IR_QUANTOPS_TD

include "MLAFuse/IR/Attrs.td"

def MLAFuse_QuantizeOp : MLAFuse_Op<"quantize"> {
  let summary = "quantization of rows by any key, layout and rule";
  let description = [{
    Semantics, in f32 (`f` marks one operation, `sat` rounds to nearest even and
    saturates, M is the rule's `max`; maxima ignore NaN):

    ```
    static      q = sat(clamp(f(x * f(1/scale)), M))
    token       a = min(max |x| over the row, scale_ub)
                s = max(f(a / M), f(1 / f(M * 512)));  q = sat(clamp(f(x / s), M))
    tensor      the same over all rows, with q = sat(clamp(f(x * f(1/s)), M))
    group       a = max(1e-10, |x| over the group); s = f(a / M)
                ue8m0: s rounded up to a power of two, from its bits
                q = sat(clamp(f(x / s), M))
    nvfp4       a = max |x| over 16; SF = sat_e4m3(f(g * f(a * f(1/6))))
                q = sat_e2m1(f(x * (SF == 0 ? 0 : f(1 / f(SF * f(1/g))))))
    mx          X = clamp(floor(log2(max |x| over 32)) - emax, -127, 127)
                q = sat(x / 2^X), scale byte X + 127
    ```

    A scale rule changes the floor, rounding, quotient or maximum. Destinations:
    codes, [scale] (dynamic keys). With `row_offset` the destinations are whole
    buffers, of which this op writes the rows from that offset on.

    Constraints: S1 to S5, Q1 to Q11, and

    - C1: x is bf16, f16 or f32.

    Example:

    ```mlir
    %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%qo, %so : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$input,
    Optional<MLAFuse_Shaped>:$scale, Optional<MLAFuse_Shaped>:$scale_ub,
    Optional<MLAFuse_Shaped>:$global_scale,
    Optional<MLAFuse_Shaped>:$num_actual_tokens, Optional<Index>:$row_offset,
    Variadic<MLAFuse_Shaped>:$inits, MLAFuse_QuantKeyAttr:$key,
    OptionalAttr<MLAFuse_ScaleLayoutAttr>:$scale_layout,
    OptionalAttr<MLAFuse_ScaleRuleAttr>:$scale_rule);
  let assemblyFormat = MLAFuse_Format<"$input `:` type($input)",
    ["scale", "scale_ub", "global_scale", "num_actual_tokens", "row_offset"]>.text;
  let opDeclaration = [{
    ::mlafuse::QuantSpec getQuantSpec();
    /// The op as a producer would take it over.
    ::mlafuse::OutputQuantization getOutputQuantization();
    ::mlir::Value getCodesInit() { return getInits()[0]; }
    /// Null for static keys.
    ::mlir::Value getScaleInit();
  }];
}

def MLAFuse_DequantizeOp : MLAFuse_Op<"dequantize"> {
  let summary = "codes and scales back to a float type";
  let description = [{
    `y = rb(f(decode(q) * s))`; NVFP4: `rb(f(decode(q) * f(SF * f(1/g))))`; MX:
    `rb(decode(q) * 2^X)`. `rb` rounds to the destination's type. `scale` has
    the storage shape of the layout (static tensor keys: 1; weights per channel:
    [1, N]; weights in 128 x 128 blocks: [ceil(K/128), ceil(N/128)]).

    Constraints: S1 to S3, S5, Q2 to Q5, Q8, and

    - C1: the destination is bf16, f16 or f32, of the unpacked shape.
    - C2: `scale` is given, for every key.

    Example:

    ```mlir
    %x = mlafuse.dequantize ins(%q : tensor<?x512xf8E4M3FN>) scale(%s : tensor<?x1xf32>) outs(%o : tensor<?x512xbf16>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$input, Optional<MLAFuse_Shaped>:$scale,
    Optional<MLAFuse_Shaped>:$global_scale, Variadic<MLAFuse_Shaped>:$inits,
    MLAFuse_QuantKeyAttr:$key, OptionalAttr<MLAFuse_ScaleLayoutAttr>:$scale_layout);
  let assemblyFormat = MLAFuse_Format<"$input `:` type($input)",
    ["scale", "global_scale"]>.text;
  let opDeclaration = [{
    ::mlafuse::QuantSpec getQuantSpec();
  }];
}

#endif // MLAFUSE_IR_QUANTOPS_TD
