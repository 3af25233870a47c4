//===- NarrowSoftmax.h - scores of few rows to probabilities ----*- C++ -*-===//
//
// With s the scores in units of log2(e) and m a row's largest score, a message
// has p = 2^(s - m), in f16. Maxima lag: they stay while none is exceeded by
// more than kSlack. Whether one is, the warps ask each other in each block;
// only then do they look for the largest.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWSOFTMAX_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWSOFTMAX_H

#include "Fragments.h"
#include "NarrowBlock.h"

namespace mlafuse::kernel {

/// What a lane carries from block to block, all f32.
struct NarrowState {
  static constexpr int64_t kRows = kThreadRows;
  mlir::Value largest[kRows];
  mlir::Value sums[kRows]; ///< Of this lane's keys, relative to them.

  static NarrowState create(Emitter &e);
  void pack(ptx::Registers &to) const;
  static NarrowState unpack(mlir::ValueRange &from);
};

/// A lane's scores of its keys, as an accumulator has them: column 8 n + 2 quad
/// + j is key getQuadKey(j) of the n-th eight.
struct NarrowScore {
  static constexpr int64_t kScores = 8;
  static int64_t getKey(int64_t score) { return score / 4 * 2 + score % 2; }

  ptx::Registers scores; ///< In units of log2(e); -inf of keys to be ignored.
};

class NarrowSoftmax {
public:
  NarrowSoftmax(Emitter &e, const NarrowBlock &block, mlir::Value warp,
                mlir::Value lane);

  /// What else a warp does, which hides what these steps wait for: most of it
  /// beside exponentials, the rest behind the message.
  struct Beside {
    llvm::function_ref<void(Emitter &)> exponentials, message;
  };

  /// Adds a block's scores to the state and publishes `message`.
  void publish(Emitter &e, const NarrowScore &score, NarrowState &state,
               const RingPlace &message, Beside beside = {}) const;
  /// Publishes the message that ends a part.
  void end(Emitter &e, const NarrowState &state,
           const RingPlace &message) const;

private:
  mlir::Value findExceeding(Emitter &e, const NarrowScore &score,
                            const NarrowState &state) const;
  NarrowState raise(Emitter &e, const NarrowScore &score,
                    const NarrowState &state) const;
  ptx::Registers shareLargest(Emitter &e, mlir::ValueRange values) const;
  void storeProbabilities(Emitter &e, mlir::ValueRange probabilities,
                          const NarrowState &state, mlir::Value message) const;

  const NarrowBlock &block;
  mlir::Value warp, lane, row;
  mlir::Value isFirstOfRow; ///< Whether the lane is the first of its row.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWSOFTMAX_H
