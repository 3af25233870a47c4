//===- Passes.td - passes from memrefs to code --------------*- tablegen -*-===//
#ifndef MLAFUSE_CONVERSION_PASSES_TD
#define MLAFUSE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def MLAFuseToCPU : Pass<"mlafuse-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Lower mlafuse ops on memrefs to vectorized loops over rows";
  let description = [{
    Each op becomes one `scf.parallel` over its rows (or heads, or tiles), whose
    body works on vectors and holds no buffer larger than one row.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // MLAFUSE_CONVERSION_PASSES_TD
