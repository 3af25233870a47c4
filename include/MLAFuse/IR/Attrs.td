//===- Attrs.td - quantization, numerics and layout attributes -*- tablegen -*-===//
#ifndef MLAFUSE_IR_ATTRS_TD
#define MLAFUSE_IR_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "MLAFuse/IR/Dialect.td"

class MLAFuse_Attr<string name, string mnemonic_> : AttrDef<MLAFuse_Dialect, name> {
  let mnemonic = mnemonic_;
}

def MLAFuse_ScaleLayout : I32EnumAttr<"ScaleLayout",
    "how scale (row t, group g) of T rows and G groups maps to storage", [
      I32EnumAttrCase<"RowMajor", 0, "row_major">,
      I32EnumAttrCase<"ColumnMajor", 1, "column_major">,
      I32EnumAttrCase<"TMAAligned", 2, "tma_aligned">,
      I32EnumAttrCase<"PackedUE8M0", 3, "packed_ue8m0">,
      I32EnumAttrCase<"Swizzled128x4", 4, "swizzled_128x4">]> {
  let cppNamespace = "::mlafuse";
  let genSpecializedAttr = 0;
}
def MLAFuse_ScaleLayoutAttr
    : EnumAttr<MLAFuse_Dialect, MLAFuse_ScaleLayout, "scale_layout"> {
  let assemblyFormat = "`<` $value `>`";
  let description = [{
    A scale tensor's type is its storage shape, of rank 2 whatever the rank of
    the data (T = product of its leading dimensions, G = groups in a row):

    | layout | storage | where (t, g) is |
    |---|---|---|
    | `row_major` | T x G | t*G + g |
    | `column_major` | G x T | g*T + t |
    | `tma_aligned` | G x align(T,4) | g*align(T,4) + t |
    | `packed_ue8m0` | ceil(G/4) x align(T,4) of i32 | byte g%4, lowest first, of word (g/4)*align(T,4) + t: the biased exponent |
    | `swizzled_128x4` | align(T,128) x align(G,4) | ((t/128)*ceil(G/4) + g/4)*512 + (t%32)*16 + ((t/32)%4)*4 + g%4 |

    Padding is written as zero, by the op whose rows reach the end of the
    codes' destination.
  }];
}

def MLAFuse_Numerics : I32EnumAttr<"Numerics", "where a fused chain rounds", [
      I32EnumAttrCase<"Exact", 0, "exact">,
      I32EnumAttrCase<"Contracted", 1, "contracted">]> {
  let cppNamespace = "::mlafuse";
  let genSpecializedAttr = 0;
}
def MLAFuse_NumericsAttr
    : EnumAttr<MLAFuse_Dialect, MLAFuse_Numerics, "numerics"> {
  let assemblyFormat = "`<` $value `>`";
  let description = [{
    `exact`: bit for bit what the unfused chain gives, each rounding to the
    model's type kept. `contracted`: the chain with an f32 intermediate in place
    of the rounded one, and norms that round once, at their end.
  }];
}

def MLAFuse_Rounding : I32EnumAttr<"Rounding", "where a norm rounds", [
      I32EnumAttrCase<"Normalized", 0, "normalized">,
      I32EnumAttrCase<"Result", 1, "result">]> {
  let cppNamespace = "::mlafuse";
  let genSpecializedAttr = 0;
}
def MLAFuse_RoundingAttr
    : EnumAttr<MLAFuse_Dialect, MLAFuse_Rounding, "rounding"> {
  let assemblyFormat = "`<` $value `>`";
  let description = [{
    `normalized`: to the model's type before and after the weight, as vLLM and
    Hugging Face do. `result`: once, after the weight, as DeepSeek's own code,
    GPT-OSS and Gemma do.
  }];
}

def MLAFuse_RopeStyle : I32EnumAttr<"RopeStyle", "which elements rope pairs", [
      I32EnumAttrCase<"Interleaved", 0, "interleaved">,
      I32EnumAttrCase<"Neox", 1, "neox">]> {
  let cppNamespace = "::mlafuse";
  let genSpecializedAttr = 0;
}
def MLAFuse_RopeStyleAttr
    : EnumAttr<MLAFuse_Dialect, MLAFuse_RopeStyle, "rope_style"> {
  let assemblyFormat = "`<` $value `>`";
  let description = [{
    `interleaved` rotates (x_2i, x_2i+1), `neox` rotates (x_i, x_i+R/2).
  }];
}

def MLAFuse_CacheFormat : I32EnumAttr<"CacheFormat", "a row of the latent cache", [
      I32EnumAttrCase<"BF16", 0, "bf16">,
      I32EnumAttrCase<"FP8", 1, "fp8">,
      I32EnumAttrCase<"FP8DSMLA", 2, "fp8_ds_mla">]> {
  let cppNamespace = "::mlafuse";
  let genSpecializedAttr = 0;
}
def MLAFuse_CacheFormatAttr
    : EnumAttr<MLAFuse_Dialect, MLAFuse_CacheFormat, "cache_format"> {
  let assemblyFormat = "`<` $value `>`";
  let description = [{
    A cache is [pages, page_size, row], a slot page*page_size + offset. With L
    latent and R position values a row is: `bf16`: L + R values of bf16; `fp8`:
    L + R codes of f8E4M3FN that share `k_scale`; `fp8_ds_mla`: bytes (i8): L
    codes, L/128 f32 scales, R bf16 values (656 bytes for 512 + 64).
  }];
}

def MLAFuse_QuantKeyAttr : MLAFuse_Attr<"QuantKey", "quant_key"> {
  let summary = "what a quantized tensor is made of";
  let description = [{
    Data type, scale type, whether the scale is static (an input) or dynamic
    (computed), the rows x columns that share a scale (-1: all), an optional
    second scale over the whole tensor, and symmetry.

    Well-known keys print by name: `fp8_static_tensor_sym`,
    `fp8_dynamic_tensor_sym`, `fp8_dynamic_token_sym`, `fp8_dynamic_128_sym`,
    `fp8_dynamic_64_sym`, `nvfp4_dynamic`, `mxfp8_dynamic`, `mxfp4_dynamic`, and
    the weights' `fp8_static_channel_sym` and `fp8_static_128_block_sym`. Any
    other prints in full:

    ```mlir
    #mlafuse.quant_key<f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym>
    ```
  }];
  let parameters = (ins
    "::mlir::Type":$dataType,
    "::mlir::Type":$scaleType,
    "bool":$isStatic,
    "int64_t":$groupRows,
    "int64_t":$groupColumns,
    "::mlir::Type":$secondScaleType,
    "bool":$symmetric);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The well-known key of this name, or null.
    static QuantKeyAttr getByName(::mlir::MLIRContext *context,
                                  ::llvm::StringRef name);
    /// The name under which the key prints, or empty.
    ::llvm::StringRef getKnownName() const;

    bool isDynamic() const { return !getIsStatic(); }
    bool isPerTensor() const {
      return getGroupRows() == -1 && getGroupColumns() == -1;
    }
    bool isPerToken() const { return getGroupRows() == 1 && getGroupColumns() == -1; }
    bool isPerGroup() const { return getGroupRows() == 1 && getGroupColumns() >= 1; }
    /// Two codes to a byte of i8.
    bool isFP4() const;
    /// f8E4M3FN group scales under a global f32 scale.
    bool isNVFP4() const;
    /// Power-of-two group scales of f8E8M0FNU (MXFP8, MXFP4).
    bool isMX() const;
    /// Keys of weights: only `dequantize` takes them.
    bool isWeightKey() const {
      return getIsStatic() && !isPerTensor();
    }
    /// Largest finite magnitude of the data type.
    double getDataTypeMax() const;
  }];
}

def MLAFuse_ScaleRuleAttr : MLAFuse_Attr<"ScaleRule", "scale_rule"> {
  let summary = "arithmetic of a dynamic scale where systems differ";
  let description = [{
    ```mlir
    #mlafuse.scale_rule<floor = 1.000000e-10 on absmax, rounding = ue8m0, quotient = reciprocal, max = 224.0>
    ```

    - `floor`: least absolute maximum (`on absmax`) or least scale (`on scale`).
    - `rounding`: `ue8m0` rounds the scale up to a power of two, from the bits of
      the f32 scale; `none` does not.
    - `quotient`: `divide` computes x / s, `reciprocal` x * f(1 / s).
    - `max`: largest magnitude produced; `max_fnuz`: the same, for fnuz data
      only.

    What is left out is the key's default: static keys no floor, `reciprocal`;
    dynamic tensor keys a floor of 1/(max*512) on the scale, `reciprocal`; token
    keys the same floor, `divide`; group keys 1e-10 on absmax, `divide`; `max`
    the data type's own.

    Presets set fields and print as them: `vllm` (the defaults, `max_fnuz = 224`),
    `deepseek` (1e-4 on absmax, divide), `aiter` (1e-10 on absmax, reciprocal).
  }];
  let parameters = (ins
    "::mlir::FloatAttr":$floor,
    "bool":$floorOnScale,
    "bool":$ue8m0,
    "::std::optional<bool>":$reciprocal,
    "::mlir::FloatAttr":$max,
    "::mlir::FloatAttr":$maxFnuz);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def MLAFuse_ScheduleAttr : MLAFuse_Attr<"Schedule", "schedule"> {
  let summary = "how a kernel is tuned";
  let description = [{
    ```mlir
    #mlafuse.schedule<tile_rows = 64, block_keys = 64, stages = 2>
    ```

    Positive integers, each of which may be left out: the compiler then chooses
    by shape and chip. Nothing of it changes what an op computes but the order in
    which f32 sums are added.

    | parameter | op | meaning |
    |---|---|---|
    | `tile_rows` | both | rows of a tile: queries times heads of one request; tokens of a projection |
    | `stages` | both | key blocks, or slices of K, that are in flight at a time |
    | `block_keys` | attention | keys of a block |
    | `warpgroups` | attention | groups of four warps that share a tile, on chips that multiply by warpgroups |
    | `warps` | attention | warps that share a tile, on chips that multiply by warps |
    | `groups` | attention | blocks of threads, per row tile, that the work of all requests is dealt to |
    | `splits` | attention | parts that one request is cut in at most; 1: never cut |
    | `split_overhead` | attention | what starting a part costs, in key blocks |
    | `tile_columns` | projection | columns of a tile |
    | `tile_depth` | projection | values of K of a slice |

    "attention" is `latent_attention`, and `mla_decode` hands it its own;
    "projection" is `head_projection`. A value that the chip has no room for is
    an error of the lowering.
  }];
  let parameters = (ins
    "::std::optional<int64_t>":$tileRows,
    "::std::optional<int64_t>":$stages,
    "::std::optional<int64_t>":$blockKeys,
    "::std::optional<int64_t>":$warpgroups,
    "::std::optional<int64_t>":$warps,
    "::std::optional<int64_t>":$groups,
    "::std::optional<int64_t>":$splits,
    "::std::optional<int64_t>":$splitOverhead,
    "::std::optional<int64_t>":$tileColumns,
    "::std::optional<int64_t>":$tileDepth);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    using Parameter = ::std::pair<::llvm::StringRef, ::std::optional<int64_t>>;
    /// Every parameter by its name in text, in the order in which they print.
    ::std::array<Parameter, 10> getNamedParameters() const;
    /// The parameters of `other`, and of this where `other` has none.
    ScheduleAttr overriddenBy(ScheduleAttr other) const;
  }];
}

#endif // MLAFUSE_IR_ATTRS_TD
