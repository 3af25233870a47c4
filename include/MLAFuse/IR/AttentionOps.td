//===- AttentionOps.td - Multi-head Latent Attention --------*- tablegen -*-===//
//
// Letters: B requests, S queries of a request, H heads, L latent width, R rope
// width, P nope width, V value width, T tokens.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_IR_ATTENTIONOPS_TD
#define MLAFUSE_IR_ATTENTIONOPS_TD

include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "MLAFuse/IR/Attrs.td"

/// Attributes of an op whose output may be quantized.
class MLAFuse_OutputQuant {
  dag attributes = (ins OptionalAttr<MLAFuse_QuantKeyAttr>:$key,
    OptionalAttr<MLAFuse_ScaleLayoutAttr>:$scale_layout,
    OptionalAttr<MLAFuse_ScaleRuleAttr>:$scale_rule,
    DefaultValuedAttr<MLAFuse_NumericsAttr, "::mlafuse::Numerics::Exact">:$numerics);
  dag operands = (ins Optional<MLAFuse_Shaped>:$scale,
    Optional<MLAFuse_Shaped>:$scale_ub, Optional<MLAFuse_Shaped>:$global_scale,
    Optional<MLAFuse_Shaped>:$num_actual_tokens, Optional<Index>:$row_offset,
    Variadic<MLAFuse_Shaped>:$inits);
  list<string> clauses = ["scale", "scale_ub", "global_scale",
                          "num_actual_tokens", "row_offset"];
}

/// An op whose first result can be quantized in its epilogue. Destinations: the
/// output or its codes, [scale] (dynamic keys), [lse] where the op has it.
class MLAFuse_AttentionOp<string mnemonic, list<Trait> traits = []>
    : MLAFuse_Op<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<MLAFuse_QuantizableOutput>], traits)> {
  code outputDeclaration = [{
    /// Destinations by role; null where the op has none.
    ::mlir::Value getOutputInit() { return getInits()[0]; }
    ::mlir::Value getScaleInit();
    ::mlir::Value getLseInit();
  }];
  let opDeclaration = outputDeclaration;
}

def MLAFuse_LatentAttentionOp : MLAFuse_Op<"latent_attention"> {
  let summary = "attention of absorbed queries over the paged latent cache";
  let description = [{
    q [B, S, H, L+R] attends over cache rows: one KV head, K the whole row, V its
    first L values. With `q_pe` [B, S, H, R] q is [B, S, H, L], and a query is
    a row of q followed by the row of q_pe. `block_table` [B, n] (i32) and `seq_lens` [B] (i32) name the
    rows: seq_len counts the S query tokens, query i sees the first
    seq_len - S + 1 + i positions. Or `indices` [B, S, topk] (i32) names slots, -1
    none. With l_j = softmax_scale * sum_d q_d K_jd:

    ```
    p_j = exp(l_j - max l) / sum_j exp(l_j - max l)      o = sum_j p_j V_j
    lse = max l + ln(sum_j exp(l_j - max l))             (natural logarithm)
    ```

    all in f32 or better; o is rounded once, to its type (bf16, f16 or f32). A
    query that sees nothing gives o = 0 and lse = -inf. Rows that no position
    names, and table entries past ceil(seq_len / page_size), are never read.
    Kernels of GPUs multiply in the type of q: with q of f16, values of a `bf16`
    or `fp8_ds_mla` cache are rounded to f16, and those beyond 65504 in magnitude
    become infinite; q of bf16 has no such limit.
    Destinations: o [B, S, H, L], [lse [B, S, H] of f32]. A count is in rows of
    B*S: lengths and tables of padded requests are not read.

    Constraints: S1, S2, S4 to S6, and

    - C1: q is bf16, f16 or f32; o is bf16, f16 or f32.
    - C2: either `block_table` and `seq_lens`, or `indices`.
    - C3: the cache has the format's element type and row size.
    - C4: `k_scale` (1 x f32) is given for `fp8` and for no other format.
    - C5: softmax_scale is finite.
    - C6: q_pe has q's element type.

    Example:

    ```mlir
    %o = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x128x576xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x1x128x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x128x512xbf16>
    ```
  }];
  let arguments = (ins MLAFuse_Shaped:$q, MLAFuse_Shaped:$cache,
    Optional<MLAFuse_Shaped>:$q_pe, Optional<MLAFuse_Shaped>:$block_table,
    Optional<MLAFuse_Shaped>:$seq_lens, Optional<MLAFuse_Shaped>:$indices,
    Optional<MLAFuse_Shaped>:$k_scale,
    Optional<MLAFuse_Shaped>:$num_actual_tokens,
    Variadic<MLAFuse_Shaped>:$inits, F32Attr:$softmax_scale,
    MLAFuse_CacheFormatAttr:$cache_format,
    OptionalAttr<MLAFuse_ScheduleAttr>:$schedule);
  let assemblyFormat = MLAFuse_Format<
    "$q `,` $cache `:` type($q) `,` type($cache)",
    ["q_pe", "block_table", "seq_lens", "indices", "k_scale",
     "num_actual_tokens"]>.text;
  let opDeclaration = [{
    ::mlir::Value getOutputInit() { return getInits()[0]; }
    /// Null if the op does not write it.
    ::mlir::Value getLseInit();
    /// Columns of the latent and of the position part of a query: L and R.
    int64_t getLatentWidth();
    int64_t getRopeWidth();
  }];
}

defvar MLAFuse_Quant = MLAFuse_OutputQuant<>;

def MLAFuse_HeadProjectionOp : MLAFuse_AttentionOp<"head_projection"> {
  let summary = "one matrix product per head: q absorb and v_up";
  let description = [{
    x [B, S, H, K] times w [H, K, N], head by head: the sum over K in f32, rounded
    to the destination's type. The destination is [B*S, H*N], or, without a key,
    [B, S, H, N]. With a key the rows of [B*S, H*N] are quantized: of the rounded
    values (`exact`) or of the f32 sums (`contracted`).

    Constraints: S1 to S6, with a key Q1 to Q11, and

    - C1: x and w are bf16, f16 or f32; the destination without a key too.
    - C2: H, K and N are static.

    Example:

    ```mlir
    %o, %s = mlafuse.head_projection ins(%x, %w : tensor<?x1x128x512xbf16>, tensor<128x512x128xbf16>) outs(%oo, %so : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
    ```
  }];
  let arguments = !con((ins MLAFuse_Shaped:$x, MLAFuse_Shaped:$w),
    MLAFuse_Quant.operands, MLAFuse_Quant.attributes,
    (ins OptionalAttr<MLAFuse_ScheduleAttr>:$schedule));
  let assemblyFormat = MLAFuse_Format<"$x `,` $w `:` type($x) `,` type($w)",
    MLAFuse_Quant.clauses>.text;
}

def MLAFuse_DecodeOp
    : MLAFuse_AttentionOp<"mla_decode", [AggregatedOpInterface]> {
  let summary = "q absorb, latent attention and v_up in one";
  let description = [{
    q_nope [B, S, H, P], q_pe [B, S, H, R], w_uk [H, P, L], w_uv [H, L, V] and the
    cache of `latent_attention`:

    ```
    q_latent = rb(head_projection(q_nope, w_uk))
    a = rb(latent_attention(q_latent, q_pe))
    o = rb(head_projection(a, w_uv))       [B*S, H*V]
    ```

    With a key o is quantized: of the rounded values (`exact`) or of the f32 sums of
    the last product (`contracted`). A group may span heads. Destinations: o or its
    codes, [scale], [lse [B, S, H] of f32]. `schedule` is that of the attention.

    Constraints: S1 to S6, with a key Q1 to Q11, C1 to C5 of `latent_attention`, and

    - C6: H, P, L, R and V are static.
    - C7: q_nope, q_pe, w_uk and w_uv have one type.

    Example:

    ```mlir
    %o = mlafuse.mla_decode ins(%qn, %qp, %wk, %wv, %cache : tensor<?x1x128x128xbf16>, tensor<?x1x128x64xbf16>, tensor<128x128x512xbf16>, tensor<128x512x128xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x16384xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x16384xbf16>
    ```
  }];
  let arguments = !con((ins MLAFuse_Shaped:$q_nope, MLAFuse_Shaped:$q_pe,
    MLAFuse_Shaped:$w_uk, MLAFuse_Shaped:$w_uv, MLAFuse_Shaped:$cache,
    Optional<MLAFuse_Shaped>:$block_table, Optional<MLAFuse_Shaped>:$seq_lens,
    Optional<MLAFuse_Shaped>:$indices, Optional<MLAFuse_Shaped>:$k_scale),
    MLAFuse_Quant.operands,
    (ins F32Attr:$softmax_scale, MLAFuse_CacheFormatAttr:$cache_format),
    MLAFuse_Quant.attributes,
    (ins OptionalAttr<MLAFuse_ScheduleAttr>:$schedule));
  let assemblyFormat = MLAFuse_Format<
    "$q_nope `,` $q_pe `,` $w_uk `,` $w_uv `,` $cache `:` type($q_nope) `,` type($q_pe) `,` type($w_uk) `,` type($w_uv) `,` type($cache)",
    !listconcat(["block_table", "seq_lens", "indices", "k_scale"],
                MLAFuse_Quant.clauses)>.text;
  let opDeclaration = outputDeclaration # [{
    /// AggregatedOpInterface. A key stays with the last of the parts.
    ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>
    decomposeOperation(::mlir::OpBuilder &builder);
  }];
}

def MLAFuse_PrefillOp : MLAFuse_AttentionOp<"mla_prefill"> {
  let summary = "attention of whole prompts, with per-head keys and values";
  let description = [{
    q [Tq, H, D], k [Tk, H, D], v [Tk, H, V], packed by `cu_seqlens_q` and
    `cu_seqlens_k` [B+1] (i32). With `k_pe` [Tk, R] k is [Tk, H, D-R] and every head
    shares k_pe as its last R columns. `causal` is aligned bottom-right: query i of
    n_q sees keys j <= i + n_k - n_q. Softmax as in `latent_attention`. Destinations:
    o [Tq, H*V] or its codes, [scale], [lse [Tq, H] of f32]. `contracted` quantizes
    the f32 result.

    Constraints: S1 to S5, with a key Q1 to Q11, and

    - C1: q, k, v and k_pe have one type: bf16, f16 or f32.
    - C2: H, D and V are static.
    - C3: cu_seqlens_q and cu_seqlens_k are i32 vectors of one size.
    - C4: softmax_scale is finite.

    Example:

    ```mlir
    %o = mlafuse.mla_prefill ins(%q, %k, %v, %cq, %ck : tensor<?x16x192xbf16>, tensor<?x16x192xbf16>, tensor<?x16x128xbf16>, tensor<?xi32>, tensor<?xi32>) outs(%oo : tensor<?x2048xbf16>) {softmax_scale = 0.1352 : f32, causal} -> tensor<?x2048xbf16>
    ```
  }];
  let arguments = !con((ins MLAFuse_Shaped:$q, MLAFuse_Shaped:$k,
    MLAFuse_Shaped:$v, MLAFuse_Shaped:$cu_seqlens_q, MLAFuse_Shaped:$cu_seqlens_k,
    Optional<MLAFuse_Shaped>:$k_pe),
    MLAFuse_Quant.operands, (ins F32Attr:$softmax_scale, UnitAttr:$causal),
    MLAFuse_Quant.attributes);
  let assemblyFormat = MLAFuse_Format<
    "$q `,` $k `,` $v `,` $cu_seqlens_q `,` $cu_seqlens_k `:` type($q) `,` type($k) `,` type($v) `,` type($cu_seqlens_q) `,` type($cu_seqlens_k)",
    !listconcat(["k_pe"], MLAFuse_Quant.clauses)>.text;
}

def MLAFuse_MergeAttnStatesOp : MLAFuse_AttentionOp<"merge_attn_states"> {
  let summary = "one attention result of two partial ones";
  let description = [{
    o_a, o_b [T, H, V] with lse_a, lse_b [T, H] (f32, natural logarithm):

    ```
    m = max(lse_a, lse_b)   w_x = exp(lse_x - m)
    o = (w_a * o_a + w_b * o_b) / (w_a + w_b)    lse = m + ln(w_a + w_b)
    ```

    A part whose lse is -inf is ignored, whatever its o holds; both: o = 0, lse =
    -inf. Destinations: o [T, H*V] or its codes, [scale], [lse [T, H]]. `contracted`
    quantizes the f32 result.

    Constraints: S1 to S5, with a key Q1 to Q11, and

    - C1: o_a and o_b have one type, bf16, f16 or f32, and one shape.
    - C2: lse_a and lse_b are f32.
    - C3: H and V are static.

    Example:

    ```mlir
    %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x16x128xbf16>, tensor<?x16xf32>, tensor<?x16x128xbf16>, tensor<?x16xf32>) outs(%oo : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
    ```
  }];
  let arguments = !con((ins MLAFuse_Shaped:$o_a, MLAFuse_Shaped:$lse_a,
    MLAFuse_Shaped:$o_b, MLAFuse_Shaped:$lse_b),
    MLAFuse_Quant.operands, MLAFuse_Quant.attributes);
  let assemblyFormat = MLAFuse_Format<
    "$o_a `,` $lse_a `,` $o_b `,` $lse_b `:` type($o_a) `,` type($lse_a) `,` type($o_b) `,` type($lse_b)",
    MLAFuse_Quant.clauses>.text;
}

def MLAFuse_AttentionBatchOp
    : MLAFuse_AttentionOp<"mla_attention", [AggregatedOpInterface]> {
  let summary = "attention of a mixed batch: decode tokens, then prefill tokens";
  let description = [{
    The first `decode_rows` (B*S) rows of the result are those of `mla_decode` over
    the decode operands, the rest those of `mla_prefill` over the prefill operands (its
    keys and values already projected). Destinations: o [T, H*V] or its codes,
    [scale].

    Constraints: S1 to S5, with a key Q1 to Q11, those of `mla_decode` and of
    `mla_prefill` for their operands, and

    - C8: both parts have the same H and V, and no lse is written.

    Example:

    ```mlir
    %o = mlafuse.mla_attention ins(%qn, %qp, %wk, %wv, %cache, %q, %k, %v, %cq, %ck : tensor<?x1x16x128xbf16>, tensor<?x1x16x64xbf16>, tensor<16x128x512xbf16>, tensor<16x512x128xbf16>, tensor<?x64x576xbf16>, tensor<?x16x192xbf16>, tensor<?x16x192xbf16>, tensor<?x16x128xbf16>, tensor<?xi32>, tensor<?xi32>) decode_rows(%n : index) block_table(%bt : tensor<?x?xi32>) seq_lens(%sl : tensor<?xi32>) outs(%oo : tensor<?x2048xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>, causal} -> tensor<?x2048xbf16>
    ```
  }];
  let arguments = !con((ins MLAFuse_Shaped:$q_nope, MLAFuse_Shaped:$q_pe,
    MLAFuse_Shaped:$w_uk, MLAFuse_Shaped:$w_uv, MLAFuse_Shaped:$cache,
    MLAFuse_Shaped:$q, MLAFuse_Shaped:$k, MLAFuse_Shaped:$v,
    MLAFuse_Shaped:$cu_seqlens_q, MLAFuse_Shaped:$cu_seqlens_k,
    Index:$decode_rows,
    Optional<MLAFuse_Shaped>:$block_table, Optional<MLAFuse_Shaped>:$seq_lens,
    Optional<MLAFuse_Shaped>:$indices, Optional<MLAFuse_Shaped>:$k_scale,
    Optional<MLAFuse_Shaped>:$k_pe),
    MLAFuse_Quant.operands,
    (ins F32Attr:$softmax_scale, MLAFuse_CacheFormatAttr:$cache_format,
         UnitAttr:$causal),
    MLAFuse_Quant.attributes);
  let assemblyFormat = [{
    `ins` `(` $q_nope `,` $q_pe `,` $w_uk `,` $w_uv `,` $cache `,` $q `,` $k `,` $v
    `,` $cu_seqlens_q `,` $cu_seqlens_k `:` type($q_nope) `,` type($q_pe) `,`
    type($w_uk) `,` type($w_uv) `,` type($cache) `,` type($q) `,` type($k) `,`
    type($v) `,` type($cu_seqlens_q) `,` type($cu_seqlens_k) `)`
    `decode_rows` `(` $decode_rows `:` type($decode_rows) `)`
  }] # !interleave(!foreach(c, !listconcat(["block_table", "seq_lens", "indices",
       "k_scale", "k_pe"], MLAFuse_Quant.clauses), MLAFuse_Clause<c>.text), " ")
     # " `outs` `(` $inits `:` type($inits) `)` attr-dict (`->` type($results)^)?";
  let opDeclaration = outputDeclaration # [{
    /// AggregatedOpInterface. A key stays with the last of the parts.
    ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>
    decomposeOperation(::mlir::OpBuilder &builder);
  }];
}

#endif // MLAFUSE_IR_ATTENTIONOPS_TD
