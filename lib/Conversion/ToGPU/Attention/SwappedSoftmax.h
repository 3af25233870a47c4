//===- SwappedSoftmax.h - scores, keys on the left, to probabilities ------===//
//
// A thread has of a block's scores, in the order of a product's D, keys g =
// lane / 4 and g + 8 of its warp's 16, and of the tile's rows 2 t and 2 t + 1
// of each 8, t = lane mod 4.
//
// Probabilities are relative to references, which the groups of scores hand
// each other from block to block, and which stay while no score exceeds them by
// more than kSlack. Whether one does, the warps of a group ask each other in
// each block; only then do they look for the largest.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H

#include "SplitPlan.h"
#include "SwappedBlock.h"
#include "SwappedKeys.h"

namespace mlafuse::kernel {

/// What a thread carries from block to block, all f32.
struct SwappedState {
  static constexpr int64_t kRows = SwappedBlock::kThreadRows;
  static constexpr int64_t kSums = SwappedBlock::kSumKinds * kRows;

  ptx::Registers references; ///< Of the thread's rows: base-2 logarithms.
  /// Of this thread's keys, relative to them: of each row the sum of
  /// probabilities as products take them, then those before rounding.
  ptx::Registers sums;

  static SwappedState create(Emitter &e);
  ptx::Registers pack() const;
  static SwappedState unpack(mlir::ValueRange all);

  /// The row, of the thread's, of a register of D, and the row's place in an
  /// array of all rows but for 2 t.
  static int64_t getRow(int64_t i) { return i / 4 * 2 + i % 2; }
  static int64_t getTileRow(int64_t row) { return row / 2 * 8 + row % 2; }
};

class SwappedSoftmax {
public:
  SwappedSoftmax(Emitter &e, const SwappedBlock &block,
                 const AttentionInputs &inputs, const SplitPlan &plan,
                 mlir::Value group, mlir::Value warp, mlir::Value lane);

  /// What the block before is relative to, once it is known.
  ptx::Registers takeReferences(Emitter &e, const Part &part,
                                mlir::Value number, mlir::Value count) const;
  /// Adds a block's scores to the state and writes probabilities and references
  /// of its message. `count` numbers blocks in the kernel, `number` in the
  /// request; `exist` as SwappedKeys has it.
  void publish(Emitter &e, const Part &part, mlir::Value number,
               mlir::Value count, mlir::ValueRange scores,
               ptx::Registers references, const SwappedKeys &keys,
               mlir::Value exist, SwappedState &state) const;
  /// Writes the group's sums of a part; `parts` came before.
  void storeSums(Emitter &e, const SwappedState &state,
                 mlir::Value parts) const;

private:
  void hideUnseen(Emitter &e, const Part &part, mlir::Value number,
                  const SwappedKeys &keys, ptx::Registers &scores) const;
  /// Whether a score of any of the group's threads is so large that references
  /// have to be raised (i1). All of its threads get here.
  mlir::Value exceedsAny(Emitter &e, mlir::ValueRange scores,
                         mlir::ValueRange references) const;
  ptx::Registers raise(Emitter &e, mlir::Value stage, mlir::ValueRange scores,
                       mlir::ValueRange references) const;
  ptx::Address getRowPlace(Emitter &e, ptx::Address array, int64_t bytes) const;

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value group, warp, lane, quad;
  mlir::Value isFirstKey; ///< Whether the lane has the first of the warp's.
  mlir::Value factor;     ///< Of scores, to units of log2(e).
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H
