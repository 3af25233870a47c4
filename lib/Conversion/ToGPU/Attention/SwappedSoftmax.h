//===- SwappedSoftmax.h - scores, keys on the left, to probabilities ------===//
//
// A thread has of a block's scores, in the order of a product's D, keys g =
// lane / 4 and g + 8 of its warp's 16, and of the tile's rows 2 t and 2 t + 1
// of each 8, t = lane mod 4.
//
// Probabilities are relative to references, which the groups of scores hand
// each other from block to block, and which stay while no score exceeds them by
// more than kSlack. So are their products with a scale, of each row: these are
// f16, and scales any f32. Whether one exceeds its reference, the warps of a
// group ask each other in each block; only then do they look for the largest.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H

#include "SplitPlan.h"
#include "SwappedBlock.h"
#include "SwappedKeys.h"

namespace mlafuse::kernel {

/// Probabilities are kept 2^kSwappedHeadroom above what they are relative to,
/// and as much further down to 0.
inline constexpr int64_t kSwappedHeadroom = 2;

/// What the thread's rows are relative to.
struct SwappedReferences {
  ptx::Registers rows; ///< Base-2 logarithms.
  /// Of each row, for each scale: what the product of a probability and that
  /// scale is multiplied by.
  ptx::Registers factors;

  /// Of no key yet.
  static SwappedReferences create(Emitter &e);
  ptx::Registers pack() const;
  static SwappedReferences unpack(mlir::ValueRange all);
};

/// What a thread carries from block to block, all f32.
struct SwappedState {
  static constexpr int64_t kRows = SwappedBlock::kThreadRows;

  ptx::Registers references; ///< Of the thread's rows.
  /// Of this thread's keys, relative to them: of each row the sum of
  /// probabilities.
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
  SwappedReferences takeReferences(Emitter &e, const Part &part,
                                   mlir::Value number, mlir::Value count) const;
  /// What the warp's part of a block's scores are made of.
  struct Scores {
    ptx::Registers products;
    ptx::Registers scales; ///< As SwappedKeys::loadScales.
    mlir::Value exist;     ///< As SwappedKeys::loadExist.
  };
  /// Adds a block's scores to the state and writes probabilities and references
  /// of its message. `count` numbers blocks in the kernel, `number` in the
  /// request.
  void publish(Emitter &e, const Part &part, mlir::Value number,
               mlir::Value count, const Scores &block,
               SwappedReferences references, const SwappedKeys &keys,
               SwappedState &state) const;
  /// Writes the group's sums of a part; `parts` came before.
  void storeSums(Emitter &e, const SwappedState &state,
                 mlir::Value parts) const;

private:
  void hideUnseen(Emitter &e, const Part &part, mlir::Value number,
                  const SwappedKeys &keys, ptx::Registers &scores) const;
  /// Of a thread, f32, and times each scale, in pairs of rows.
  struct Probabilities {
    ptx::Registers values, pairs;
  };
  Probabilities makeProbabilities(Emitter &e, mlir::ValueRange scores,
                                  mlir::ValueRange scales,
                                  const SwappedReferences &references) const;
  /// Whether one of any of the group's threads is so large that references have
  /// to be raised (i1). All of its threads get here.
  mlir::Value exceedsAny(Emitter &e, const Probabilities &probabilities) const;
  /// The largest of the group's threads, of as many values of each row.
  ptx::Registers findLargestOfGroup(Emitter &e, mlir::Value message,
                                    mlir::ValueRange values) const;
  SwappedReferences raise(Emitter &e, mlir::Value message,
                          mlir::ValueRange scores, mlir::ValueRange scales,
                          const SwappedReferences &references) const;
  void storeReferences(Emitter &e, mlir::Value message,
                       const SwappedReferences &references) const;
  /// Of a scale's columns, in pairs of rows.
  void storeProbabilities(Emitter &e, mlir::Value message, int64_t scale,
                          mlir::ValueRange pairs) const;
  ptx::Address getRowPlace(Emitter &e, ptx::Address array, int64_t bytes) const;
  ptx::Address getFactorPlace(Emitter &e, ptx::Address all, int64_t row) const;

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value group, warp, lane, quad;
  mlir::Value isFirstKey; ///< Whether the lane has the first of the warp's.
  mlir::Value factor;     ///< Of scores, to units of log2(e).
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H
