//===- CombineShare.h - which warps combine which part ----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINESHARE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINESHARE_H

#include "PartSharing.h"

namespace mlafuse::kernel {

/// Blocks for each of the attention kernel.
inline constexpr int64_t kCombineShares = 2;

/// How many warps there are, and what they have.
struct CombineForm {
  int64_t blocksPerMultiprocessor; ///< That registers are bounded for.
  /// Whether each of the kCombineShares blocks has one slot, or both have all
  /// parts.
  bool hasSlots;

  /// With few rows blocks are small, so that all of them are there before
  /// attention has ended, on those multiprocessors that are done with it; and
  /// those whose slot is empty leave. With many, all multiprocessors have as
  /// many, and as many loads under way.
  static CombineForm get(const AttentionProblem &problem);
  /// What a block of one slot takes of shared memory for nothing, so that one
  /// block less is on a multiprocessor than registers are bounded for: what
  /// they do before they wait is theirs alone, and not hidden where attention's
  /// blocks end together.
  int64_t getUnusedSharedBytes(const Chip &chip) const {
    return chip.sharedBytes / blocksPerMultiprocessor;
  }
  /// Units of PartSharing that may have a part: blocks.
  int64_t getUnits() const { return hasSlots ? 1 : kCombineShares; }
};

/// A part of the group, and which warps have it; i32 values.
struct CombineShare {
  CutPart cut;
  mlir::Value unit, units; ///< As PartSharing has them.

  /// `number` (i32) is the block's of its shares.
  static CombineShare create(Emitter &e, const SplitPlan &plan,
                             const CombineForm &form, mlir::Value number);
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINESHARE_H
