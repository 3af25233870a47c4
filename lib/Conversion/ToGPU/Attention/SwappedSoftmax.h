//===- SwappedSoftmax.h - scores, keys on the left, to probabilities ------===//
//
// Scores are where SwappedScore says; what probabilities are relative to, and
// when that changes, SwappedExchange.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H

#include "SplitPlan.h"
#include "SwappedBlock.h"
#include "SwappedExchange.h"
#include "SwappedKeys.h"

namespace mlafuse::kernel {

/// What a thread carries from block to block, all f32.
struct SwappedState {
  ptx::Registers references; ///< Of the thread's rows.
  /// Of this thread's keys, relative to them: of each row the sum of
  /// probabilities.
  ptx::Registers sums;

  static SwappedState create(Emitter &e);
  ptx::Registers pack() const;
  static SwappedState unpack(mlir::ValueRange all);
};

class SwappedSoftmax {
public:
  SwappedSoftmax(Emitter &e, const SwappedBlock &block,
                 const AttentionInputs &inputs, const SplitPlan &plan,
                 mlir::Value group, mlir::Value warp, mlir::Value lane);

  const SwappedExchange &getExchange() const { return exchange; }
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
               mlir::Value count, const Scores &from,
               SwappedReferences references, const SwappedKeys &keys,
               SwappedState &state) const;

private:
  void hideUnseen(Emitter &e, const Part &part, mlir::Value number,
                  const SwappedKeys &keys, ptx::Registers &scores) const;
  /// Logarithms of probabilities, as they are multiplied, relative to `rows`.
  ptx::Registers relate(Emitter &e, mlir::ValueRange products,
                        mlir::ValueRange rows) const;
  /// Of the thread's keys, as SwappedKeys::loadScales.
  static ptx::Registers scale(Emitter &e, mlir::ValueRange scales,
                              mlir::ValueRange factors);
  /// Of all scales, in pairs of rows: probabilities times `scaled`; times
  /// scales and each row's own factors.
  static ptx::Registers multiply(Emitter &e, mlir::ValueRange probabilities,
                                 mlir::ValueRange scaled);
  static ptx::Registers multiplyUneven(Emitter &e,
                                       mlir::ValueRange probabilities,
                                       mlir::ValueRange scales,
                                       mlir::ValueRange factors);
  void storeAll(Emitter &e, mlir::Value message, mlir::ValueRange pairs) const;
  /// Of a scale's columns, in pairs of rows.
  void storeProbabilities(Emitter &e, mlir::Value message, int64_t scale,
                          mlir::ValueRange pairs) const;

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value warp, lane, quad;
  SwappedExchange exchange;
  mlir::Value factor; ///< Of scores, to units of log2(e).
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSOFTMAX_H
