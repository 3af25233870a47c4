//===- Norms.h - what the norm ops ask for ----------------------*- C++ -*-===//
//
// The five norm ops in one form: one or two norms over the same rows, each
// stored, quantized, or both.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_NORMS_H
#define MLAFUSE_LIB_CONVERSION_ROWS_NORMS_H

#include "MLAFuse/IR/MLAFuse.h"
#include "Quantization.h"
#include "llvm/ADT/APFloat.h"

namespace mlafuse::rows {

/// A norm's operands and attributes.
struct NormSpec {
  mlir::Value input, weight, residual; ///< Weight and residual may be null.
  mlir::Value residualOut;             ///< Null without a residual.
  llvm::APFloat epsilon;
  Rounding rounding = Rounding::Normalized;
  bool weightOffset = false;
  mlir::Type resultType; ///< What the normalized value is rounded to.

  int64_t getWidth() const {
    return llvm::cast<mlir::MemRefType>(input.getType()).getShape().back();
  }
};

/// One norm, with where its result goes: to `unquantized`, to codes, or both.
struct NormSide {
  NormSpec norm;
  mlir::Value unquantized; ///< May be null with a key.
  QuantBuffers quant;      ///< A null key: not quantized.
};

/// The norms of an op, over the same rows.
struct NormProblem {
  llvm::SmallVector<NormSide, 2> sides;
  mlir::Value count; ///< num_actual_tokens; may be null.
};

NormProblem getNorms(RMSNormOp op);
NormProblem getNorms(AddRMSNormOp op);
NormProblem getNorms(RMSNormQuantizeOp op);
NormProblem getNorms(DualRMSNormOp op);
NormProblem getNorms(DualRMSNormQuantizeOp op);

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_NORMS_H
