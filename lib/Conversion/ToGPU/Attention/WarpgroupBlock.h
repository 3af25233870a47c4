//===- WarpgroupBlock.h - memory and barriers of a block --------*- C++ -*-===//
//
// What the three roles of the warpgroup attention kernel share:
//
//   loader        brings key blocks, and each part's queries, to shared memory;
//                 two of them share the work if keys are converted on the way
//   attender 0    owns the blocks of even number and output columns [0, 256)
//   attender 1    owns the blocks of odd number and output columns [256, 512)
//
// A key block lies in stage (number mod 2) and comes in three pieces with
// barriers of their own: the halves, which are also the values of attender 0
// and 1, and the rope columns. The attender of a half frees it, since it
// multiplies by it last; the owner frees the rope piece.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPBLOCK_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPBLOCK_H

#include "../../Schedule/WarpgroupShape.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/Warpgroup.h"
#include "AttentionProblem.h"

namespace mlafuse::kernel {

class WarpgroupBlock : public WarpgroupShape {
public:
  static constexpr int64_t kGroupThreads = 128;
  static constexpr int64_t kGroupWarps = 4;
  static constexpr int64_t kAttenderThreads = kAttenders * kGroupThreads;
  /// Loaders of keys that are copied, or converted.
  static constexpr int64_t getLoaders(bool convertsKeys) {
    return convertsKeys ? 2 : 1;
  }
  static constexpr int64_t getThreads(bool convertsKeys) {
    return (kAttenders + getLoaders(convertsKeys)) * kGroupThreads;
  }
  /// Columns of values of one attender.
  static constexpr int64_t kHalf = kLatent / kAttenders;
  static constexpr int64_t kHalves = 2, kRopePiece = kHalves, kPieces = 3;

  /// Lays out the shared memory of a kernel whose keys have `rope` columns more
  /// than kLatent: 0 or 64.
  WarpgroupBlock(Emitter &e, int64_t rope, bool convertsKeys);

  /// Of dynamic shared memory.
  int64_t getSharedBytes() const { return layout.getBytes(); }

  /// One thread, before the roles part.
  void initBarriers(Emitter &e) const;

  int64_t getRope() const { return rope; }
  bool convertsKeys() const { return hasConversion; }
  /// Registers of a thread.
  int64_t getLoaderRegisters() const;
  int64_t getAttenderRegisters() const;
  ptx::SwizzledTile getQueries() const { return {start + queries, kTileRows}; }
  /// Stage `stage` (i32).
  ptx::SwizzledTile getKeys(Emitter &e, mlir::Value stage) const;
  /// Attender `attender`'s probabilities of its block.
  ptx::SwizzledTile getProbabilities(Emitter &e, mlir::Value attender) const;
  /// What to add to the scores of a stage's keys: 0, or -inf for a key that
  /// does not exist; kBlockKeys f32.
  ptx::Address getBias(Emitter &e, mlir::Value stage) const;
  /// Whether a warp of the loader has found such a key: kGroupWarps i32 that
  /// are not 0 then.
  ptx::Address getMissing(Emitter &e, mlir::Value stage) const;
  /// The largest score of each row as of the last block; kTileRows f32.
  ptx::Address getMaxima() const { return start + maxima; }
  /// What an attender has of each row when a part ends: the sums of its blocks,
  /// of kind 0 or 1, and what they are relative to; kTileRows f32. In the
  /// memory of the queries, once nobody multiplies by them.
  static constexpr int64_t kSumKinds = 2, kRowValues = kSumKinds + 1;
  ptx::Address getSums(int64_t attender, int64_t kind) const {
    return start + queries + (attender * kRowValues + kind) * kTileRows * 4;
  }
  ptx::Address getReferences(int64_t attender) const {
    return getSums(attender, kSumKinds);
  }

  /// Copies of a piece have landed.
  ptx::SharedBarrier getFull(Emitter &e, mlir::Value stage,
                             mlir::Value piece) const;
  /// Who attends is done with a half of the columns, of keys number `part` of
  /// kKeyParts equal parts, in their order; or, if keys are converted, of all
  /// of them with the last part's.
  ptx::SharedBarrier getHalfFree(Emitter &e, mlir::Value stage,
                                 mlir::Value half, int64_t part) const;
  static constexpr int64_t kKeyParts = 2;
  /// The same of the rope columns.
  ptx::SharedBarrier getRopeFree(Emitter &e, mlir::Value stage) const;
  ptx::SharedBarrier getQueriesFull() const { return {start + queriesFull}; }
  ptx::SharedBarrier getQueriesFree() const { return {start + queriesFree}; }

  /// The attender has published its block's probabilities and maxima.
  ptx::NamedBarrier getPublished(Emitter &e, mlir::Value attender) const {
    return {ptx::plusI(e, attender, 1), kAttenderThreads};
  }
  /// Both attenders.
  ptx::NamedBarrier getTogether(Emitter &e) const {
    return {e, 3, kAttenderThreads};
  }

private:
  int64_t rope;
  bool hasConversion;
  ptx::SharedLayout layout;
  ptx::Address start;
  int64_t queries, keys, stageBytes, probabilities[kAttenders], bias, missing,
      maxima, full, halfFree, ropeFree, queriesFull, queriesFree;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPBLOCK_H
