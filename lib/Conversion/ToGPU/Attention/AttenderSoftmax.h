//===- AttenderSoftmax.h - scores to probabilities --------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERSOFTMAX_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERSOFTMAX_H

#include "AttenderThread.h"

namespace mlafuse::kernel {

/// The steps of a softmax over key blocks, on the registers of a product's D.
class AttenderSoftmax : public AttenderThread {
public:
  AttenderSoftmax(Emitter &e, const AttenderThread &thread);

  /// Multiplies scores by what the largest is not found without.
  void scaleFirst(Emitter &e, ptx::Registers &scores);
  /// Whether some keys of the block do not exist, i1; and takes their scores
  /// for -inf.
  mlir::Value lacksKeys(Emitter &e);
  void hideMissing(Emitter &e, mlir::Value lacksKeys, ptx::Registers &scores);
  /// The same of keys that a query does not see: those before the last of a
  /// request see fewer.
  void hideUnseen(Emitter &e, const Part &part, mlir::Value number,
                  ptx::Registers &scores);
  /// Raises the maxima of rows that `scores` exceed by much, and makes the
  /// state relative to them.
  void raise(Emitter &e, mlir::ValueRange scores, AttenderState &state);
  /// Scores to probabilities.
  void exponentiate(Emitter &e, ptx::Registers &scores,
                    const AttenderState &state);
  /// Writes them, those of the block's keys from number `first` on, as operands
  /// of products for the other attender.
  void store(Emitter &e, mlir::ValueRange pairs, int64_t first);
  /// Writes what they are relative to.
  void storeMaxima(Emitter &e, const AttenderState &state);
  /// Hands over what was stored.
  void publish(Emitter &e);
  /// Makes the state relative to `maxima`.
  void rescale(Emitter &e, AttenderState &state,
               llvm::ArrayRef<mlir::Value> maxima);

private:
  /// Runs `change` where `condition` holds.
  static void
  changeScores(Emitter &e, mlir::Value condition, ptx::Registers &scores,
               llvm::function_ref<void(Emitter &, ptx::Registers &)> change);
  /// The state, relative to `maxima`.
  static AttenderState getRelative(Emitter &e, const AttenderState &state,
                                   llvm::ArrayRef<mlir::Value> maxima);
  /// Where `condition` holds, makes the state what `getNext` returns.
  static void change(Emitter &e, mlir::Value condition, AttenderState &state,
                     llvm::function_ref<AttenderState(Emitter &)> getNext);
  /// Keys that this thread's row `i` sees.
  mlir::Value visible(Emitter &e, const Part &part, mlir::Value tileRow,
                      int64_t i);

  /// In units of log2(e). `scale` is what is left to be multiplied when the
  /// largest score is known: a factor that is not positive changes which it is.
  double softmaxScale;
  mlir::Value scale;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERSOFTMAX_H
