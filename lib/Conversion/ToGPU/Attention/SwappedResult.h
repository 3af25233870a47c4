//===- SwappedResult.h - what a part comes to, keys on the left -*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H

#include "Fragments.h"
#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// Stores a warp's columns of a part's rows: as the result if the part is a
/// whole request, else for the kernel that combines parts, as
/// PartFormat::ScaledF16.
///
/// A strip of 16 columns is two products of 8, of its even and its odd columns:
/// so a lane has four columns that lie together, of rows lane / 4 and 8 on.
class SwappedResult {
public:
  static constexpr int64_t kRows = kThreadRows, kRowStep = 8;
  static constexpr int64_t kStripColumns = 16, kStripSums = 8;
  static constexpr int64_t kStrips =
      SwappedBlock::kScaleColumns / kStripColumns;
  static constexpr int64_t kSums = kStrips * kStripSums;

  SwappedResult(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                mlir::Value warp, mlir::Value lane);

  /// What the sums of the message in slot `message` are relative to: a base-2
  /// logarithm of each of the lane's rows, and factors of products with the
  /// scale, as SwappedReferences has them.
  static constexpr int64_t kReferences = 2 * kRows;
  ptx::Registers loadReferences(Emitter &e, mlir::Value message) const;

  /// Sums are relative to those of `message`, the part's last. `parts` came
  /// before.
  void store(Emitter &e, const Part &part, mlir::Value message,
             mlir::ValueRange sums, mlir::Value parts) const;
  /// The result of a request without keys: zeros.
  void storeNothing(Emitter &e, const Part &part) const;

private:
  /// A row's sum of probabilities, inverted, what else its sums are multiplied
  /// by, and the base-2 logarithm of its sum of exponentials.
  struct Rows {
    mlir::Value inverses[kRows], factors[kRows], logarithms[kRows];
  };
  Rows divide(Emitter &e, mlir::Value message, mlir::Value parts) const;
  void storeWhole(Emitter &e, const Part &part, mlir::ValueRange sums,
                  const Rows &rows) const;
  void storePartial(Emitter &e, const Part &part, mlir::ValueRange sums,
                    const Rows &rows) const;
  /// The largest magnitudes of the outputs of the half's columns, of the lane's
  /// rows. All warps get here.
  ptx::Registers findMagnitudes(Emitter &e, mlir::ValueRange sums,
                                const Rows &rows) const;
  /// The lane's columns of row `row` times `factor` as `type`, to where that
  /// row begins at `address`; where `exists` holds.
  void storeColumns(Emitter &e, mlir::Value exists, mlir::Value address,
                    mlir::ValueRange sums, int64_t row, mlir::Value inverse,
                    mlir::Value factor, mlir::Type type) const;
  mlir::Value getNumber(Emitter &e, int64_t row) const;

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value warp, lane;
  mlir::Value row, column; ///< Of the lane; the first.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H
