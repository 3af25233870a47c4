//===- SwappedExchange.h - what warps of scores tell each other -*- C++ -*-===//
//
// A thread has of a block's scores, in the order of a product's D, keys g =
// lane / 4 and g + 8 of its warp's 16, and of the tile's rows 2 t and 2 t + 1
// of each 8, t = lane mod 4.
//
// Probabilities are relative to references, which the groups of scores hand
// each other from block to block, and which stay while no score exceeds them by
// more than 2^13. So are their products with a scale, of each row: these are
// f16, and scales any f32. Whether one exceeds its reference, the warps of a
// group ask each other in each block; only then do they look for the largest.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDEXCHANGE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDEXCHANGE_H

#include "SplitPlan.h"
#include "SwappedBlock.h"
#include "SwappedKeys.h"

namespace mlafuse::kernel {

/// A thread's scores.
struct SwappedScore {
  static constexpr int64_t kRows = SwappedBlock::kThreadRows;

  /// The row, of the thread's, of a register of D, and the row's place in an
  /// array of all rows but for 2 t.
  static int64_t getRow(int64_t i) { return i / 4 * 2 + i % 2; }
  static int64_t getTileRow(int64_t row) { return row / 2 * 8 + row % 2; }
  /// The key, of the thread's two, of a register of D.
  static int64_t getKey(int64_t i) { return i / 2 % SwappedKeys::kKeys; }
};

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

class SwappedExchange {
public:
  SwappedExchange(Emitter &e, const SwappedBlock &block, mlir::Value group,
                  mlir::Value warp, mlir::Value lane);

  /// What the block before is relative to, once it is known. `count` numbers
  /// blocks in the kernel, `number` in the request.
  SwappedReferences takeReferences(Emitter &e, const Part &part,
                                   mlir::Value number, mlir::Value count) const;
  /// Whether a probability (f32), or a pair of products (f16), of any of the
  /// group's threads is so large that references have to be raised (i1). All of
  /// its threads get here.
  mlir::Value exceedsAny(Emitter &e, mlir::ValueRange probabilities,
                         mlir::ValueRange pairs) const;
  /// All of the group's threads get here. `scales` as SwappedKeys::loadScales.
  SwappedReferences raise(Emitter &e, mlir::Value message,
                          mlir::ValueRange scores, mlir::ValueRange scales,
                          const SwappedReferences &references) const;
  void storeReferences(Emitter &e, mlir::Value message,
                       const SwappedReferences &references) const;
  /// Writes the group's sums of a part, of which `ofThread` are the thread's,
  /// and what they are relative to; `parts` came before.
  void storeSums(Emitter &e, mlir::ValueRange ofThread,
                 mlir::ValueRange references, mlir::Value parts) const;

private:
  /// The largest of the group's threads, of as many values of each row.
  ptx::Registers findLargestOfGroup(Emitter &e, mlir::Value message,
                                    mlir::ValueRange values) const;
  ptx::Address getRowPlace(Emitter &e, ptx::Address array, int64_t bytes) const;
  ptx::Address getFactorPlace(Emitter &e, ptx::Address all, int64_t row) const;

  const SwappedBlock &block;
  mlir::Value group, warp, lane, quad;
  mlir::Value isFirstKey; ///< Whether the lane has the first of the warp's.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDEXCHANGE_H
