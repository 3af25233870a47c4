//===- SwappedTotals.h - what a part's sums are multiplied by ---*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDTOTALS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDTOTALS_H

#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// What a warp of values multiplies a part's sums by: a lane has a row, lanes
/// 16 to 31 the same ones as lanes 0 to 15. Of each row one warp also writes
/// what there is in memory: its lse, or of a part the factors and logarithms of
/// PartFormat::ScaledF16.
class SwappedTotals {
public:
  /// Of a row of a part that goes to another kernel.
  static constexpr int64_t kPartialRowBytes = SwappedBlock::kLatent * 4;

  /// Once the warps of scores have written their sums. All lanes get here, and
  /// to the rest. `message`: the slot of the part's last; `parts` came before.
  SwappedTotals(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                mlir::Value message, mlir::Value warp, mlir::Value lane,
                mlir::Value parts);

  /// Of a whole request: writes all of SwappedBlock::getTotals, and lse.
  void storeWhole(Emitter &e, const Part &part) const;

  /// Of a part: writes what sums are multiplied by, once, and each half's
  /// factor and logarithm. Where scales are even, factors of scales bound a
  /// row. Else its largest magnitudes do, which are in
  /// SwappedBlock::getMagnitudes by then; their makers need storeFactors.
  void storePartial(Emitter &e, const Part &part) const;
  void storePartialOfMagnitudes(Emitter &e, const Part &part) const;
  /// Whether scales are uneven (i1, of all lanes).
  mlir::Value areUneven(Emitter &e) const;
  /// Writes all of SwappedBlock::getTotals.
  void storeFactors(Emitter &e) const;

  static constexpr int64_t kHalves = SwappedBlock::kLatent / kHalfColumns;

private:
  ptx::Registers loadRow(Emitter &e, ptx::Address array, int64_t count) const;
  void divide(Emitter &e, mlir::Value message);
  void storeScales(Emitter &e, mlir::ValueRange factors) const;
  void storeHalves(Emitter &e, const Part &part, mlir::ValueRange undone) const;

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  ptx::Address totals; ///< The warp's.
  mlir::Value row;     ///< The lane's, of the tile.
  mlir::Value isOwner; ///< Whether the row's place in memory is the lane's.
  /// The row's sum of probabilities, inverted; the base-2 logarithm of its sum
  /// of exponentials; what takes factors out of sums, of each scale.
  mlir::Value inverse, logarithm;
  ptx::Registers scales;
  mlir::Value fallen; ///< SwappedReferences::fallen.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDTOTALS_H
