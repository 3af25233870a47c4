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
  }];
  let dependentDialects = ["::mlafuse::MLAFuseDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numFused", "fused", "candidates that were fused">,
    Statistic<"numMissed", "missed", "candidates that were not fused">];
}

def MLAFuseDecompose : Pass<"mlafuse-decompose", "::mlir::ModuleOp"> {
  let summary = "Open every fused op into its unfused chain";
  let description = [{
    The way back from `--mlafuse-fuse`, and further: `mla_decode` becomes
    `head_projection`, `latent_attention` and `head_projection`. `--mlafuse-fuse`
    and then this pass give equal bits in `exact` numerics.
  }];
  let dependentDialects = ["::mlafuse::MLAFuseDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

#endif // MLAFUSE_TRANSFORMS_PASSES_TD
