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

/// Stores a warp's columns of a part's rows: as the result if the part is a
/// whole request, else for the kernel that combines parts, as
/// PartFormat::ScaledF16.
class NarrowResult {
public:
  /// Of a lane: rows, and sums of eight products.
  static constexpr int64_t kRows = kThreadRows, kRowStep = 8, kSums = 32;

  NarrowResult(Emitter &e, const NarrowBlock &block,
               const AttentionInputs &inputs, const SplitPlan &plan,
               mlir::Value warp, mlir::Value lane);

  /// `message` ends the part; sums are relative to `references`. All warps get
  /// here.
  void store(Emitter &e, const Part &part, mlir::Value message,
             mlir::ValueRange references, mlir::ValueRange sums) const;

  /// The lane's first row's element of an array of f32.
  ptx::Address getRowPlace(Emitter &e, ptx::Address array) const {
    return array.advance(e, ptx::timesI(e, row, 4));
  }

private:
  /// What a row's sums are multiplied by, but for the keys' scale, and the
  /// base-2 logarithm of its sum of exponentials.
  struct Rows {
    mlir::Value factors[kRows], logarithms[kRows];
  };
  Rows divide(Emitter &e, mlir::Value message,
              mlir::ValueRange references) const;
  void storeWhole(Emitter &e, const Part &part, mlir::ValueRange sums,
                  const Rows &rows) const;
  void storePartial(Emitter &e, const Part &part, mlir::ValueRange sums,
                    const Rows &rows) const;

  /// The lane's columns, as `type`, of a row at `address`; where `exists`
  /// holds.
  void storeColumns(Emitter &e, mlir::Value exists, mlir::Value address,
                    mlir::ValueRange sums, int64_t row, mlir::Value factor,
                    mlir::Type type) const;
  /// The number among the request's rows, and whether there is one.
  mlir::Value getNumber(Emitter &e, int64_t row) const;
  mlir::Value exists(Emitter &e, const Part &part, int64_t row) const;

  const NarrowBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value half;        ///< Of the columns.
  mlir::Value isFirst;     ///< Whether the lane's columns are a half's first.
  mlir::Value row, column; ///< Of the lane; the first.
  mlir::Value keyScale;    ///< Null: 1.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWRESULT_H
