//===- NarrowBlock.h - memory and barriers of a narrow block ----*- C++ -*-===//
//
// What the three roles of the attention kernel of few rows share:
//
//   scores   four warps with 16 keys of every block each: scores, softmax
//   values   eight warps with 64 columns of the output each
//   loader   four warps that bring 16 keys each, as they are in the cache
//
// A key block lies in a stage of a ring. Scores come to probabilities, a
// message of which there are kMessages in a ring of its own; one more message
// ends a part.
//
// The order of keys in a product is free, and such that reads of key rows meet
// no bank conflict: getKey says which key stands where.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWBLOCK_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWBLOCK_H

#include "../../Schedule/NarrowLayout.h"
#include "../NVIDIA/Barriers.h"
#include "AttentionProblem.h"

namespace mlafuse::kernel {

/// A place in a ring of buffers with barriers: i32 values, the same in all
/// threads of a role.
struct RingPlace {
  mlir::Value slot;
  mlir::Value parity; ///< Of the phase of the slot's barrier to wait for.

  /// The first slot. Who waits for buffers to be free starts with parity 1: a
  /// buffer that was never used is.
  static RingPlace create(Emitter &e, int64_t parity);
  RingPlace getNext(Emitter &e, int64_t slots) const;

  /// To carry it through loops.
  static constexpr int64_t kSize = 2;
  void pack(ptx::Registers &to) const { to.append({slot, parity}); }
  static RingPlace unpack(mlir::ValueRange &from);
};

/// Where a role is in the rings of stages and of messages.
struct RingPlaces {
  RingPlace stage, message;

  /// The first slots, with parities as RingPlace::create has them.
  static RingPlaces create(Emitter &e, int64_t stageParity,
                           int64_t messageParity);
  /// Behind a block of keys: a stage and a message; behind a part, which ends
  /// with a message.
  RingPlaces passBlock(Emitter &e, int64_t stages) const;
  RingPlaces passMessage(Emitter &e) const;

  /// To carry them through loops, ahead of what else is carried.
  ptx::Registers pack() const;
  static RingPlaces unpack(mlir::ValueRange &from);
};

class NarrowBlock : public NarrowShape {
public:
  static constexpr int64_t kWarpgroupThreads = 128;
  /// Warpgroups: scores, two of values, loader.
  static constexpr int64_t kThreads = 4 * kWarpgroupThreads;
  static constexpr int64_t kScoreThreads = kWarpgroupThreads;
  /// Of a thread. Queries take up to 144 of the scores' role.
  static constexpr int64_t kScoreRegisters = 248, kValueRegisters = 96,
                           kLoaderRegisters = 72;
  /// Columns of a key that a lane of four reads at once.
  static constexpr int64_t kChunk = 64;

  NarrowBlock(Emitter &e, const AttentionProblem &problem, int64_t stages);

  int64_t getSharedBytes() const { return layout.bytes; }
  /// One thread, before the roles part.
  void initBarriers(Emitter &e) const;

  int64_t getStages() const { return stages; }
  /// Of a key's row in the cache.
  int64_t getRowBytes() const { return layout.rowBytes; }
  /// From one key's row to the next.
  int64_t getPitch() const { return layout.pitch; }

  /// The key, of 8, of column `column` (i32) of a product.
  static mlir::Value getKey(Emitter &e, mlir::Value column);
  /// The same of column 2 `quad` + `which`: what a lane of four has of it.
  static mlir::Value getQuadKey(Emitter &e, mlir::Value quad, int64_t which);

  /// The first of the 8 columns, one of each product, that have place `place`
  /// (i32) of 8 in products of values: with it lanes 2 t and 2 t + 1 of a row
  /// have 16 columns that lie together, and so a whole sector of f16.
  static mlir::Value getColumns(Emitter &e, mlir::Value place);
  /// From those of place 2 t to those of 2 t + 1.
  static constexpr int64_t kNextColumns = 16;

  /// Stage `stage`'s first row.
  ptx::Address getKeys(Emitter &e, mlir::Value stage) const;
  /// Which keys of a stage exist: for each kWarpKeys an i32 with a bit for
  /// each, from the lowest on; the upper half is the same.
  ptx::Address getExist(Emitter &e, mlir::Value stage) const;
  /// A message's probabilities: for each score warp and lane four i32, an
  /// operand of products.
  ptx::Address getProbabilities(Emitter &e, mlir::Value message) const {
    return getOfMessage(e, layout.probabilities, layout.messageBytes, message);
  }
  /// What they are relative to, base-2 logarithms: kTileRows f32.
  ptx::Address getReferences(Emitter &e, mlir::Value message) const {
    return getOfMessage(e, layout.references, layout.referenceBytes, message);
  }
  /// Of a message that ends a part: sums of probabilities, for each row a f32
  /// of each score warp; then kTileRows f32, the largest scores.
  ptx::Address getSums(Emitter &e, mlir::Value message) const {
    return getOfMessage(e, layout.sums, layout.sumBytes, message);
  }
  static constexpr int64_t kLargestOffset = kTileRows * kScoreWarps * 4;
  /// What score warps tell each other: for each row a f32 of each.
  ptx::Address getMaxima() const { return start + layout.maxima; }

  /// The queries of a part: for each product and lane four i32.
  ptx::Address getQueries() const { return start + layout.queries; }
  /// Largest magnitudes of queries: for rows r and r + 8, in the halves of an
  /// i32, one of each score warp.
  ptx::Address getMagnitudes() const { return start + layout.magnitudes; }

  /// Keys have come, and are done with.
  ptx::SharedBarrier getFull(Emitter &e, mlir::Value stage) const;
  ptx::SharedBarrier getFree(Emitter &e, mlir::Value stage) const;
  /// A message is written, and read.
  ptx::SharedBarrier getPublished(Emitter &e, mlir::Value message) const;
  ptx::SharedBarrier getConsumed(Emitter &e, mlir::Value message) const;
  /// The warps that make scores.
  ptx::NamedBarrier getTogether(Emitter &e) const {
    return {e, 1, kScoreThreads};
  }

private:
  ptx::Address getOfMessage(Emitter &e, int64_t first, int64_t bytes,
                            mlir::Value message) const;
  ptx::SharedBarrier getBarrier(Emitter &e, int64_t first,
                                mlir::Value number) const;

  int64_t stages;
  NarrowLayout layout;
  ptx::Address start;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWBLOCK_H
