//===- SwappedBlock.h - memory and barriers of a swapped block --*- C++ -*-===//
//
// What the roles of the attention kernel with keys on the left share:
//
//   scores   two warpgroups that have blocks of keys in turn: they convert
//            them, make scores and probabilities
//   values   a warpgroup that copies codes to where scores read them, and
//            multiplies values by probabilities
//
// Codes lie in slices, one for each warp of scores.
//
// A block of keys becomes a message in a ring of stages: its values, which are
// the latent columns, as [key][column]; probabilities as [row][key]; and what
// these are relative to. Messages are in the order of blocks, counted over all
// parts.
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
  static constexpr int64_t kThreads = kScoreThreads + kGroupThreads;

  /// Rows of the tile that a thread of products has; sums of a thread: of
  /// scores, and of values.
  static constexpr int64_t kThreadRows = kTileRows / 4;
  static constexpr int64_t kScores = kTileRows / 2;
  static constexpr int64_t kValueSums = kLatent * kTileRows / kGroupThreads;
  /// Registers of a thread: sums of values, and addresses of copies; and what
  /// is left of those that a launch gives.
  static constexpr int64_t kValueRegisters = 144, kScoreRegisters = 176;

  SwappedBlock(Emitter &e, const AttentionProblem &problem, int64_t stages);

  int64_t getSharedBytes() const { return layout.bytes; }
  /// One thread, before the roles part.
  void initBarriers(Emitter &e) const;

  /// Where the message of block `count` (i32) of the kernel is.
  struct Place {
    mlir::Value stage;
    mlir::Value round; ///< Parity of its phase, i32.
  };
  Place getPlace(Emitter &e, mlir::Value count) const;
  /// Of the block before; there has to be one for its parity to be right.
  Place getPlaceBefore(Emitter &e, mlir::Value count) const;

  ptx::SwizzledTile getQueries() const {
    return {start + layout.queries, kTileRows};
  }
  ptx::SwizzledTile getValues(Emitter &e, mlir::Value stage) const {
    return {getOfStage(e, layout.values, layout.valueBytes, stage), kBlockKeys};
  }
  ptx::SwizzledTile getProbabilities(Emitter &e, mlir::Value stage) const {
    return {getOfStage(e, layout.probabilities, layout.probabilityBytes, stage),
            kTileRows};
  }
  /// Codes and scales of the keys of a warp of scores (i32, of all of them).
  ptx::Address getSlice(Emitter &e, mlir::Value warp) const {
    return getOfStage(e, layout.slices, layout.sliceBytes, warp);
  }
  ptx::SharedBarrier getSliceFree(Emitter &e, mlir::Value warp) const {
    return getBarrier(e, layout.sliceFree, warp);
  }
  /// They have come.
  ptx::SharedBarrier getSliceFull(Emitter &e, mlir::Value warp) const {
    return getBarrier(e, layout.sliceFull, warp);
  }
  /// Base-2 logarithms that probabilities are relative to; a f32 of each row.
  ptx::Address getReferences(Emitter &e, mlir::Value stage) const {
    return getOfStage(e, layout.references, layout.referenceBytes, stage);
  }
  /// Of score group `group` (i32) at the end of a part: for each kind and row a
  /// f32 of each warp; and what they are relative to.
  ptx::Address getSums(Emitter &e, mlir::Value group) const;
  static constexpr int64_t kSumKindBytes = kTileRows * kGroupWarps * 4;
  ptx::Address getSumReferences(Emitter &e, mlir::Value group) const;
  /// What the warps of a score group tell each other: a f32 of each row and
  /// warp.
  ptx::Address getMaxima(Emitter &e, mlir::Value group) const;

  /// A message is written, and read.
  ptx::SharedBarrier getFull(Emitter &e, mlir::Value stage) const {
    return getBarrier(e, layout.full, stage);
  }
  ptx::SharedBarrier getFree(Emitter &e, mlir::Value stage) const {
    return getBarrier(e, layout.free, stage);
  }
  /// Its references are.
  ptx::SharedBarrier getDecided(Emitter &e, mlir::Value stage) const {
    return getBarrier(e, layout.decided, stage);
  }
  ptx::SharedBarrier getSumsFull() const { return {start + layout.sumsFull}; }
  ptx::SharedBarrier getSumsFree() const { return {start + layout.sumsFree}; }

  /// A score group (i32); both; the values' warps.
  ptx::NamedBarrier getGroupTogether(Emitter &e, mlir::Value group) const {
    return {ptx::plusI(e, group, 1), kGroupThreads};
  }
  ptx::NamedBarrier getScoresTogether(Emitter &e) const {
    return {e, 3, kScoreThreads};
  }
  ptx::NamedBarrier getValuesTogether(Emitter &e) const {
    return {e, 4, kGroupThreads};
  }

private:
  ptx::Address getOfStage(Emitter &e, int64_t first, int64_t bytes,
                          mlir::Value number) const {
    return (start + first).advance(e, ptx::timesI(e, number, bytes));
  }
  ptx::SharedBarrier getBarrier(Emitter &e, int64_t first,
                                mlir::Value stage) const;

  int64_t stages;
  SwappedLayout layout;
  ptx::Address start;
};

/// Lane 0 arrives for its warp, when all lanes are there.
void arriveByWarp(Emitter &e, const ptx::SharedBarrier &barrier,
                  mlir::Value lane);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDBLOCK_H
