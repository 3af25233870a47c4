//===- Passes.td - passes on tensors ------------------------*- tablegen -*-===//
#ifndef MLAFUSE_TRANSFORMS_PASSES_TD
#define MLAFUSE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def MLAFuseFuse : Pass<"mlafuse-fuse", "::mlir::ModuleOp"> {
  let summary = "Fuse norms, siblings of one projection and attention with the quantizations that follow";
  let description = [{
    The result is a normal form: it does not depend on the order in which the
    ops were written or fused before. The pass opens what fusion makes, merges
    equal quantizations, fuses in fixed phases (norm + quantize, siblings,
    attention + quantize), and then leaves one remark per candidate: `passed`
    with what it saved, or `missed` with a rule code, the reason and the op that
    blocks. It is a module pass because MLIR's remark engine is not thread-safe.

    ```mlir
    %q = mlafuse.rms_norm ins(%x, %w : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%tmp : tensor<?x1536xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
    %q8, %s = mlafuse.quantize ins(%q : tensor<?x1536xbf16>) outs(%q8_out, %s_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
    ```

    becomes

    ```mlir
    %q8, %s = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%q8_out, %s_out : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
    ```

    Equal quantizations are merged only where no one can see which destination
    was written. Of several quantizations of one norm the norm takes one over,
    chosen by what they are; its value stays for the others.
  }];
  let options = [
    Option<"report", "report", "::mlafuse::FusionReport",
      /*default=*/"::mlafuse::FusionReport::None",
      "Also write the remarks in this form", [{::llvm::cl::values(
        clEnumValN(::mlafuse::FusionReport::None, "none", "not at all"),
        clEnumValN(::mlafuse::FusionReport::Text, "text", "a line each"),
        clEnumValN(::mlafuse::FusionReport::JSON, "json", "a JSON object")
      )}]>,
    Option<"reportFile", "report-file", "std::string", /*default=*/"\"-\"",
      "Where to write the report; - is the standard output">];
  let dependentDialects = ["::mlafuse::MLAFuseDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numFused", "fused", "candidates that were fused">,
    Statistic<"numMissed", "missed", "candidates that were not fused">];
}

def MLAFuseDecompose : Pass<"mlafuse-decompose", "::mlir::ModuleOp"> {
  let summary = "Open every fused op into its unfused chain";
  let description = [{
    The way back from `--mlafuse-fuse`, and further: `mla_attention` becomes
    `mla_decode` and `mla_prefill`, and `mla_decode` becomes `head_projection`,
    `latent_attention` and `head_projection`. `--mlafuse-fuse`
    and then this pass give equal bits in `exact` numerics.

    With `aggregates-only` quantization stays where it is: only ops that are made
    of others (`mla_decode`, `mla_attention`) are opened, and the last of their parts keeps the
    key. That is what a lowering without a kernel for the whole wants.
  }];
  let options = [
    Option<"aggregatesOnly", "aggregates-only", "bool", /*default=*/"false",
      "Open only ops that are made of others, with their key">];
  let dependentDialects = ["::mlafuse::MLAFuseDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect"];
}

def MLAFuseContract : Pass<"mlafuse-contract", "::mlir::ModuleOp"> {
  let summary = "Let fused ops keep their intermediate in f32";
  let description = [{
    Sets `numerics = contracted`, and `rounding = result` in norms, on every fused
    op. This changes results in the last bits, which no fusion does: it runs only
    where it is asked for (`mlafuse-compile --numerics=contracted`).

    ```mlir
    func.func @f(%x: tensor<?x512xbf16>, %w: tensor<512xbf16>, %q: tensor<?x512xf8E4M3FN>, %s: tensor<?x1xf32>)
        -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {
      %0:2 = mlafuse.rms_norm_quantize ins(%x, %w : tensor<?x512xbf16>, tensor<512xbf16>) outs(%q, %s : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>)
          {epsilon = 1.0e-6 : f32, key = #mlafuse.quant_key<fp8_dynamic_token_sym>, numerics = #mlafuse.numerics<contracted>, rounding = #mlafuse.rounding<result>}
          -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
      return %0#0, %0#1 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
    }
    ```
  }];
}

#endif // MLAFUSE_TRANSFORMS_PASSES_TD
