//===- NormRow.h - RMSNorm of one row ---------------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_NORMROW_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_NORMROW_H

#include "MLAFuse/IR/Attrs.h"
#include "RowEmitter.h"
#include "llvm/ADT/APFloat.h"

namespace mlafuse::cpu {

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

/// A row that was read into a buffer of f32, and 1 / rms of it.
struct LoadedRow {
  RowView values;
  mlir::Value inverseRms;
};

/// Reads a row (with a residual: the sum, which is stored rounded as well), so
/// that its memory may be overwritten from here on.
LoadedRow loadRow(Emitter &e, const NormSpec &norm, mlir::Value row);

/// A chunk of the normalized row, in f32, rounded to `resultType`.
mlir::Value normalizeChunk(Emitter &e, const NormSpec &norm,
                           const LoadedRow &loaded, mlir::Value column,
                           int64_t lanes);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_NORMROW_H
