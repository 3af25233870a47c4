//===- SwappedExchange.h - what warps of scores tell each other -*- C++ -*-===//
//
// A thread has of a block's scores, in the order of a product's D, keys g =
// lane / 4 and g + 8 of its warp's 16, and of the tile's rows 2 t and 2 t + 1
// of each 8, t = lane mod 4.
//
// Probabilities are relative to references, which the groups of scores hand
// each other from block to block, and which stay while no score exceeds them by
// more than 2^11. So are scales, of whose products with probabilities f16 are
// made: to a factor of each of the four, a power of two. Where some key's scale
// is so small beside another's, of its block or of one before, that a row which
// looks at nothing else would lose it, scales are uneven: until the part ends,
// products are relative to factors of each row. The warps of a group ask each
// other in each block whether that, or any reference, has to change; only then
// do they look for the largest.
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
/// and as much further down to 0; they may exceed it by 2^kSwappedSlack.
inline constexpr int64_t kSwappedHeadroom = 2, kSwappedSlack = 11;

/// What a scale times its factor is at most, and at least: f16 reaches 2^16,
/// and a row that sees no larger product still has all of f16's bits.
inline constexpr double kSwappedMostScaled = 4, kSwappedLeastScaled = 0x1p-8;
/// Powers of two that factors may fall by in a part, since a row may look at
/// nothing but keys from before.
inline constexpr int64_t kSwappedMostFallen = 4;

/// Logarithms of factors at least, and at most: neither they nor their inverses
/// are subnormal, which ex2 makes 0 of at 2^-126 already if it is off by a bit,
/// nor is a factor's product with a probability infinite.
inline constexpr int64_t kSwappedLeastFactor = -125,
                         kSwappedMostFactor =
                             127 - kSwappedHeadroom - kSwappedSlack;

/// What a thread's probabilities are relative to.
struct SwappedReferences {
  ptx::Registers rows; ///< Of its rows, base-2 logarithms.
  /// What scales are multiplied by, powers of two; of no use if uneven.
  ptx::Registers factors;
  /// Powers of two that factors have fallen by since the part began, i32; more
  /// than kSwappedMostFallen of them, or as many for another reason: scales are
  /// uneven.
  mlir::Value fallen;
  /// Whether rows have factors of their own (i1).
  mlir::Value areUneven(Emitter &e) const;

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
  /// Whether something of any of the group's threads, all of which get here,
  /// is so large or small that references have to be made anew (i1): logarithms
  /// of probabilities, or scales times factors.
  mlir::Value needsNew(Emitter &e, mlir::ValueRange exponents,
                       mlir::ValueRange scaled,
                       const SwappedReferences &references) const;
  /// All of the group's threads get here. `scales` as SwappedKeys::loadScales;
  /// scores are base-2 logarithms.
  SwappedReferences raise(Emitter &e, mlir::Value message,
                          mlir::ValueRange scores, mlir::ValueRange scales,
                          const SwappedReferences &references) const;
  /// Of uneven scales: of each of the thread's rows the factor of each scale, a
  /// power of two; corrections are stored. All of the group's threads get here.
  /// `exponents` are relative to `rows`.
  ptx::Registers makeOwnFactors(Emitter &e, const Part &part,
                                mlir::Value number, mlir::Value count,
                                mlir::ValueRange exponents,
                                mlir::ValueRange scales,
                                mlir::ValueRange rows) const;
  /// Writes them, and whether they differ from those before (i32, not 0 if so),
  /// and tells the others that they are there; where `condition` (i1) holds, of
  /// the group. `factors` as makeOwnFactors.
  void storeReferences(Emitter &e, mlir::Value condition, mlir::Value message,
                       const SwappedReferences &references,
                       mlir::ValueRange factors, mlir::Value isChanged) const;
  /// Ahead of that: what sums so far are to be multiplied by, unless block
  /// `number` is the first of its part. Factors as makeOwnFactors.
  void storeCorrections(Emitter &e, const Part &part, mlir::Value number,
                        mlir::Value message, mlir::ValueRange rowsBefore,
                        mlir::ValueRange factorsBefore, mlir::ValueRange rows,
                        mlir::ValueRange factors) const;
  /// Whether block `number` is the first of its part, or a later one (i1).
  static mlir::Value isFirst(Emitter &e, const Part &part, mlir::Value number);
  static mlir::Value isLater(Emitter &e, const Part &part, mlir::Value number);
  /// The same factors for all rows.
  static ptx::Registers repeatFactors(mlir::ValueRange factors);
  /// Writes the group's sums of a part, of which `ofThread` are the thread's,
  /// and what they are relative to; `parts` came before.
  void storeSums(Emitter &e, mlir::ValueRange ofThread,
                 mlir::ValueRange references, mlir::Value parts) const;

  /// Folds over the lanes that have the same rows.
  static mlir::Value foldKeys(Emitter &e, mlir::Value value, Combine combine);

private:
  /// What rows are relative to in a message, and factors of each.
  ptx::Registers loadRows(Emitter &e, mlir::Value message) const;
  ptx::Registers loadFactors(Emitter &e, mlir::Value message,
                             int64_t row) const;
  /// The group's warps tell each other where the message's probabilities come
  /// later. The largest of what its threads have, of as many values of each
  /// row.
  void tellRows(Emitter &e, ptx::Address to, mlir::ValueRange values) const;
  ptx::Registers readRows(Emitter &e, ptx::Address from, int64_t count) const;
  /// Magnitudes of the group's keys' scales, of each scale; zeros are not
  /// among the least.
  struct Range {
    ptx::Registers most, least;
  };
  void tellRange(Emitter &e, ptx::Address to, mlir::ValueRange scales) const;
  static Range readRange(Emitter &e, ptx::Address from);
  ptx::Address getRowPlace(Emitter &e, ptx::Address array, int64_t bytes) const;
  /// Of the f32 of each scale of the thread's row `row` in an array of rows.
  ptx::Address getScalesPlace(Emitter &e, ptx::Address array,
                              int64_t row) const;

  const SwappedBlock &block;
  mlir::Value group, warp, lane, quad;
  mlir::Value isFirstKey; ///< Whether the lane has the first of the warp's.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDEXCHANGE_H
