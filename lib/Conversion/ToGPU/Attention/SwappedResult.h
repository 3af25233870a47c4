//===- SwappedResult.h - what a part comes to, keys on the left -*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H

#include "Fragments.h"
#include "SplitPlan.h"
#include "SwappedBlock.h"
#include <array>

namespace mlafuse::kernel {

/// Stores a warp's columns of a part's rows: as the result if the part is a
/// whole request, else for the kernel that combines parts, as
/// PartFormat::ScaledF16.
///
/// A strip is the 64 columns of a product, of which a warp has 16: a lane has
/// columns 2 (lane / 4) and 1 more of those, of four rows, which are those that
/// a thread of scores has.
class SwappedResult {
public:
  static constexpr int64_t kRows = SwappedBlock::kThreadRows;
  static constexpr int64_t kStripColumns = 64, kWarpColumns = 16;
  static constexpr int64_t kStripSums = 8;
  static constexpr int64_t kStrips = SwappedBlock::kLatent / kStripColumns;
  static constexpr int64_t kSums = kStrips * kStripSums;

  /// Of sum `i`: the row, of the lane's; the scale.
  static int64_t getRow(int64_t i) { return i % kStripSums / 4 * 2 + i % 2; }
  static int64_t getScale(int64_t i) {
    return i / kStripSums * kStripColumns / SwappedBlock::kScaleColumns;
  }

  SwappedResult(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                mlir::Value warp, mlir::Value lane);

  /// Of each of the lane's rows a f32 of each scale.
  using OfScales = std::array<ptx::Registers, kRows>;
  /// Whether sums have to be corrected (i32), and what they are multiplied by
  /// then, of the message in slot `message`.
  mlir::Value loadChanged(Emitter &e, mlir::Value message) const;
  OfScales loadCorrections(Emitter &e, mlir::Value message) const;

  /// Sums are relative to what `message` says, the part's last. `parts` came
  /// before. All warps get here.
  void store(Emitter &e, const Part &part, mlir::Value message,
             mlir::ValueRange sums, mlir::Value parts) const;
  /// The result of a request without keys: zeros.
  void storeNothing(Emitter &e, const Part &part) const;

private:
  /// Of the lane's rows.
  ptx::Registers loadInverses(Emitter &e) const;
  OfScales loadOfScales(Emitter &e, ptx::Address array) const;
  void storeWhole(Emitter &e, const Part &part, mlir::ValueRange sums,
                  mlir::ValueRange inverses, const OfScales &scales) const;
  void storePartial(Emitter &e, const Part &part, mlir::ValueRange sums) const;
  /// The largest magnitudes of the warp's columns of each half of each row, to
  /// SwappedBlock::getMagnitudes. All warps get here.
  void tellMagnitudes(Emitter &e, mlir::ValueRange sums) const;
  /// The lane's columns of row `row` times `factors`, of each scale, and,
  /// unless it is null, `inverse` before, as `type`, to where that row begins
  /// at `address`; where `exists` holds.
  void storeColumns(Emitter &e, mlir::Value exists, mlir::Value address,
                    mlir::ValueRange sums, int64_t row,
                    mlir::ValueRange factors, mlir::Value inverse,
                    mlir::Type type) const;
  /// The number of row `row` of the lane's, of all rows of the request.
  mlir::Value getNumber(Emitter &e, int64_t row) const;
  mlir::Value getTileRow(Emitter &e, int64_t row) const;

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value warp, lane;
  mlir::Value firstRow, column; ///< Of the lane.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H
