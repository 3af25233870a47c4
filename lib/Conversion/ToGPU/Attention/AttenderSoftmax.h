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
  /// Takes scores of keys that do not exist for -inf.
  void hideMissing(Emitter &e, ptx::Registers &scores);
  /// The same of keys that a query does not see: those before the last of a
  /// request see fewer.
  void hideUnseen(Emitter &e, const Part &part, mlir::Value number,
                  ptx::Registers &scores);
  /// The maxima after `scores`; those of the state while none is exceeded by
  /// much.
  void findMaxima(Emitter &e, mlir::ValueRange scores,
                  const AttenderState &state, mlir::Value (&maxima)[kRows]);
  /// Scores to probabilities.
  void exponentiate(Emitter &e, ptx::Registers &scores,
                    mlir::Value (&maxima)[kRows]);
  /// Hands them, as operands of products, and what they are relative to, to the
  /// other attender.
  void publish(Emitter &e, mlir::ValueRange pairs,
               mlir::Value (&maxima)[kRows]);
  /// Makes the state relative to `maxima`.
  void rescale(Emitter &e, AttenderState &state, mlir::Value (&maxima)[kRows]);

private:
  /// Runs `change` where `condition` holds.
  static void
  changeScores(Emitter &e, mlir::Value condition, ptx::Registers &scores,
               llvm::function_ref<void(Emitter &, ptx::Registers &)> change);
  /// Keys that this thread's row `i` sees.
  mlir::Value visible(Emitter &e, const Part &part, mlir::Value tileRow,
                      int64_t i);
  /// What exponents are relative to: 0 while a row has seen no key, so that no
  /// infinities are subtracted.
  static mlir::Value getReference(Emitter &e, mlir::Value maximum);

  /// In units of log2(e). `scale` is what is left to be multiplied when the
  /// largest score is known: a factor that is not positive changes which it is.
  double softmaxScale;
  mlir::Value scale;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERSOFTMAX_H
