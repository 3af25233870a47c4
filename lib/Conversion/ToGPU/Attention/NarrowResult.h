//===- NarrowResult.h - what a part of few rows comes to --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWRESULT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWRESULT_H

#include "Fragments.h"
#include "NarrowBlock.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Base-2 logarithms that probabilities are relative to are this less than the
/// reference: they come to 2^kHeadroom, and as much further down to 0.
inline constexpr double kHeadroom = 7;

/// 0 for -inf.
mlir::Value finiteOrZero(Emitter &e, mlir::Value value);

/// Stores a warp's columns of a part's rows: as the result if the part is a
/// whole request, else for the kernel that combines parts.
class NarrowResult {
public:
  /// Of a lane: rows, and sums of eight products.
  static constexpr int64_t kRows = kThreadRows, kRowStep = 8, kSums = 32;

  NarrowResult(Emitter &e, const NarrowBlock &block,
               const AttentionInputs &inputs, const SplitPlan &plan,
               mlir::Value warp, mlir::Value lane);

  /// One thread of the block tells the combining kernel of the part.
  void announce(Emitter &e, const Part &part) const;
  /// `message` ends the part; sums are relative to `references`.
  void store(Emitter &e, const Part &part, mlir::Value message,
             mlir::ValueRange references, mlir::ValueRange sums) const;

  /// The lane's first row's element of an array of f32.
  ptx::Address getRowPlace(Emitter &e, ptx::Address array) const {
    return array.advance(e, ptx::timesI(e, row, 4));
  }

private:
  void storeRow(Emitter &e, const Part &part, mlir::Value tileRow,
                mlir::ValueRange values, mlir::Value sum) const;
  /// The lane's columns of a row at `address`.
  void storeValues(Emitter &e, mlir::Value address, mlir::ValueRange values,
                   mlir::Type type) const;

  const NarrowBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value row, column; ///< The lane's first.
  mlir::Value isFirst;     ///< Whether the lane has the first column.
  mlir::Value keyScale;    ///< Null: 1.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWRESULT_H
