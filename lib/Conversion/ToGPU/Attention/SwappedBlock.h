//===- SwappedBlock.h - memory and barriers of a swapped block --*- C++ -*-===//
//
// What the roles of the attention kernel with keys on the left share:
//
//   scores   two warpgroups that have blocks of keys in turn: they convert
//            them, make scores and probabilities
//   values   a warpgroup that multiplies values by probabilities
//   loader   a warpgroup that copies keys to where scores read them
//
// Codes lie in slices, one for each warp of scores, and come as halves of their
// columns; rope columns of one block at a time with the second.
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
  static constexpr int64_t kThreads = kScoreThreads + 2 * kGroupThreads;
  /// Roles, as numbers of warpgroups.
  static constexpr int64_t kValuesRole = kScoreGroups;

  /// Rows of the tile that a thread of products has; sums of a thread: of
  /// scores, and of values.
  static constexpr int64_t kThreadRows = kTileRows / 4;
  static constexpr int64_t kScores = kTileRows / 2;
  static constexpr int64_t kValueSums = kLatent * kTileRows / kGroupThreads;
  /// Registers of a thread: those that a launch gives are 128 in the mean.
  static constexpr int64_t kValueRegisters = 104, kScoreRegisters = 168,
                           kLoaderRegisters = 72;

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
  /// Half `half` of their columns is read, and has come: scales with the first;
  /// rope columns, and which keys exist, with the second.
  ptx::SharedBarrier getSliceFree(Emitter &e, mlir::Value warp,
                                  int64_t half) const {
    return getBarrier(e, layout.sliceFree + half * kHalfBarriers, warp);
  }
  ptx::SharedBarrier getSliceFull(Emitter &e, mlir::Value warp,
                                  int64_t half) const {
    return getBarrier(e, layout.sliceFull + half * kHalfBarriers, warp);
  }
  /// Where the rope columns of chunk `chunk` (i32), 16 bytes, of key `key`
  /// (i32) of warp `warp` (i32) of a group are. Rows are turned as far as those
  /// of the cache are from multiples of 128 bytes: a copy is written as it
  /// comes, in pieces of such lines. Lanes that read 64 bytes of keys 4 apart
  /// meet no bank twice.
  ptx::Address getRopeChunk(Emitter &e, mlir::Value warp, mlir::Value key,
                            mlir::Value chunk) const;
  static constexpr int64_t kRopeChunks = kRope * 2 / 16;
  /// Bytes from a key to its rope columns, and to the next key of a cache whose
  /// rows follow each other.
  static constexpr int64_t kRopeOffset = kSlicePitch;
  static constexpr int64_t kRowBytes = kRopeOffset + kRope * 2;
  /// The rope columns of the keys of a warp of a group are read.
  ptx::SharedBarrier getRopeFree(Emitter &e, mlir::Value warp) const {
    return getBarrier(e, layout.ropeFree, warp);
  }
  /// Bits of the keys of a warp of scores that exist, an i32.
  ptx::Address getExist(Emitter &e, mlir::Value warp) const {
    return getOfStage(e, layout.exist, 4, warp);
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
  static constexpr int64_t kHalfBarriers = kScoreGroups * kGroupWarps * 8;

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

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDBLOCK_H
