//===- SwappedBlock.h - memory and barriers of a swapped block --*- C++ -*-===//
//
// What the roles of the attention kernel with keys on the left share:
//
//   scores   two warpgroups that have blocks of keys in turn: they convert
//            them, make scores and probabilities
//   values   a warpgroup that multiplies values by probabilities; a warp has
//            16 of every 64 columns
//   loader   a warpgroup that copies keys, as they are in the cache
//
// A block of keys lies in a stage of a ring, and comes to a message: for each
// scale probabilities times it, as [row][key]; and what these are relative to.
// Stages and messages are in the order of blocks, counted over all parts.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDBLOCK_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDBLOCK_H

#include "../../Schedule/SwappedLayout.h"
#include "../NVIDIA/Barriers.h"
#include "AttentionProblem.h"

namespace mlafuse::kernel {

class SwappedBlock : public SwappedShape {
public:
  static constexpr int64_t kGroupThreads = 128;
  static constexpr int64_t kScoreThreads = kScoreGroups * kGroupThreads;
  static constexpr int64_t kThreads = kScoreThreads + 2 * kGroupThreads;
  /// Roles, as numbers of warpgroups.
  static constexpr int64_t kValuesRole = kScoreGroups,
                           kLoaderRole = kValuesRole + 1;

  /// Of a thread of scores: rows of the tile, and sums.
  static constexpr int64_t kThreadRows = kTileRows / 4;
  static constexpr int64_t kScores = kTileRows / 2;
  /// Registers of a thread: those that a launch gives are 128 in the mean.
  static constexpr int64_t kValueRegisters = 176, kScoreRegisters = 136,
                           kLoaderRegisters = 64;

  SwappedBlock(Emitter &e, const AttentionProblem &problem, int64_t stages);

  int64_t getSharedBytes() const { return layout.bytes; }
  /// One thread, before the roles part.
  void initBarriers(Emitter &e) const;

  /// A place in a ring.
  struct Place {
    mlir::Value slot;
    mlir::Value round; ///< Parity of its phase, i32.
    /// Of the phase before: once that is over, what used the place before has
    /// left it. A place that was never used is free.
    mlir::Value getRoundBefore(Emitter &e) const;
  };
  /// Where block `count` (i32) of the kernel is, and its message.
  Place getStage(Emitter &e, mlir::Value count) const;
  Place getMessage(Emitter &e, mlir::Value count) const;
  /// Of the block before; there has to be one for its parity to be right.
  Place getMessageBefore(Emitter &e, mlir::Value count) const;

  ptx::SwizzledTile getQueries() const {
    return {start + layout.queries, kTileRows};
  }
  /// From key to key of a stage, as in the cache where rows follow each other.
  int64_t getRowBytes() const { return layout.rowBytes; }
  ptx::Address getKeys(Emitter &e, mlir::Value stage) const {
    return getOf(e, layout.keys, layout.stageBytes, stage);
  }
  /// Bits of the keys that exist of warp `warp` (i32) of a group, an i32.
  ptx::Address getExist(Emitter &e, mlir::Value stage, mlir::Value warp) const {
    return getOf(e, layout.exist, 4,
                 ptx::plusI(e, ptx::timesI(e, stage, kGroupWarps), warp));
  }
  /// Probabilities of a message times each scale: rows of scale 0, then those
  /// of scale 1, and so on.
  ptx::SwizzledTile getProbabilities(Emitter &e, mlir::Value message) const {
    return {getOf(e, layout.probabilities, kScales * getProbabilityBytes(),
                  message),
            kScales * kTileRows};
  }
  /// Of those of one scale.
  int64_t getProbabilityBytes() const { return layout.probabilityBytes; }
  /// Base-2 logarithms that probabilities are relative to, a f32 of each row.
  /// Behind them: what their products with scales are multiplied by, of each
  /// row a f32 of each scale; two i32, SwappedReferences::fallen, and whether
  /// anything differs from the message before; if so, what sums so far are
  /// multiplied by, as factors are.
  ptx::Address getReferences(Emitter &e, mlir::Value message) const {
    return getOf(e, layout.references, layout.referenceBytes, message);
  }
  static constexpr int64_t kFactors = kTileRows * 4,
                           kFallen = kFactors + kTileRows * kScales * 4,
                           kChanged = kFallen + 4, kCorrections = kFallen + 16;
  /// Of score group `group` (i32) at the end of a part: for each row a f32 of
  /// each warp; and what they are relative to.
  ptx::Address getSums(Emitter &e, mlir::Value group) const;
  ptx::Address getSumReferences(Emitter &e, mlir::Value group) const;
  /// What warp `warp` (i32) of values multiplies a part's sums by: of each row
  /// a f32 of each scale, and behind them another one of each row.
  ptx::Address getTotals(Emitter &e, mlir::Value warp) const {
    return getOf(e, layout.totals, kInverses + kTileRows * 4, warp);
  }
  static constexpr int64_t kInverses = kTileRows * kScales * 4;

  /// Largest outputs of a part: of each half of each row a f32 of each warp of
  /// values.
  ptx::Address getMagnitudes() const { return start + layout.magnitudes; }

  /// Keys have come, and are done with.
  ptx::SharedBarrier getFull(Emitter &e, mlir::Value stage) const {
    return getBarrier(e, layout.full, stage);
  }
  ptx::SharedBarrier getFree(Emitter &e, mlir::Value stage) const {
    return getBarrier(e, layout.free, stage);
  }
  /// A message is written, and read.
  ptx::SharedBarrier getPublished(Emitter &e, mlir::Value message) const {
    return getBarrier(e, layout.published, message);
  }
  ptx::SharedBarrier getConsumed(Emitter &e, mlir::Value message) const {
    return getBarrier(e, layout.consumed, message);
  }
  /// Its references are.
  ptx::SharedBarrier getDecided(Emitter &e, mlir::Value message) const {
    return getBarrier(e, layout.decided, message);
  }
  ptx::SharedBarrier getSumsFull() const { return {start + layout.sumsFull}; }
  ptx::SharedBarrier getSumsFree() const { return {start + layout.sumsFree}; }

  /// A score group (i32); both.
  ptx::NamedBarrier getGroupTogether(Emitter &e, mlir::Value group) const {
    return {ptx::plusI(e, group, 1), kGroupThreads};
  }
  ptx::NamedBarrier getScoresTogether(Emitter &e) const {
    return {e, 3, kScoreThreads};
  }

  /// The values' warps.
  ptx::NamedBarrier getValuesTogether(Emitter &e) const {
    return {e, 4, kGroupThreads};
  }

private:
  ptx::Address getOf(Emitter &e, int64_t first, int64_t bytes,
                     mlir::Value number) const {
    return (start + first).advance(e, ptx::timesI(e, number, bytes));
  }
  ptx::SharedBarrier getBarrier(Emitter &e, int64_t first,
                                mlir::Value number) const;

  int64_t stages;
  SwappedLayout layout;
  ptx::Address start;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDBLOCK_H
