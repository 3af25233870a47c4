//===- NormSide.h - a norm, in whichever op it is ---------------*- C++ -*-===//
//
// A norm stands alone, is fused with its quantization, or is one side of a dual
// op. What asks about norms asks this.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_TRANSFORMS_NORMSIDE_H
#define MLAFUSE_LIB_TRANSFORMS_NORMSIDE_H

#include "MLAFuse/IR/MLAFuse.h"

namespace mlafuse {

struct NormSide {
  mlir::Operation *op = nullptr;
  mlir::Value input, weight, residual, count;
  mlir::FloatAttr epsilon;
  Rounding rounding = Rounding::Normalized;
  bool weightOffset = false;

  /// Null key: not quantized. Null values are absent.
  QuantSpec spec;
  mlir::Value scale, scaleUb, globalScale, rowOffset;

  /// The side's destinations, and its results, which are parallel: codes,
  /// [scale], [residual], [unquantized].
  unsigned firstInit = 0, numInits = 0;

  mlir::ValueRange getInits() const;
  mlir::ResultRange getResults() const;

  /// Index among the side's destinations, or none.
  std::optional<unsigned> getResidualIndex() const;
  std::optional<unsigned> getUnquantizedIndex() const;

  /// The normalized value, or null if it is not written.
  mlir::Value getNormalized() const;

  /// Element type of the value between norm and quantization.
  mlir::Type getIntermediateType() const;
};

/// The norms that `op` computes: none, one or two (q side first).
llvm::SmallVector<NormSide, 2> getNormSides(mlir::Operation *op);

/// The norm whose normalized value is `value`, if there is one.
std::optional<NormSide> getNormOf(mlir::Value value);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_NORMSIDE_H
