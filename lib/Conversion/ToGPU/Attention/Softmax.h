//===- Softmax.h - softmax over key blocks in registers ---------*- C++ -*-===//
//
// A block of scores lies in registers as Fragments.h says. Logarithms are base
// 2: a score s stands for 2^(scale s), scale = softmax_scale * log2(e).
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SOFTMAX_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SOFTMAX_H

#include "Fragments.h"

namespace mlafuse::kernel {

/// The columns of a block that a row may look at: bit c mod 32 of word c / 32
/// (i32).
using ColumnMask = llvm::SmallVector<mlir::Value, 4>;

/// Columns [0, limit) of those in `existing`; `limit` (i32) may be any number.
ColumnMask limitColumns(Emitter &e, llvm::ArrayRef<mlir::Value> existing,
                        mlir::Value limit);

/// A thread's two rows over the blocks so far, all f32: the largest scores
/// (-inf: none yet; equal in the lanes of a row), then the sums of this lane's
/// exponentials 2^(scale (s - largest)).
struct SoftmaxState {
  mlir::Value largest[kThreadRows];
  /// Of probabilities as they are, for the logarithm, and as products take
  /// them: values are divided by that one, so that what rounding does to a
  /// whole row falls out.
  mlir::Value sum[kThreadRows], roundedSum[kThreadRows];

  static constexpr int64_t kRegisters = 3 * kThreadRows;
  static SoftmaxState create(Emitter &e);
  /// To carry it through loops: kRegisters.
  ptx::Registers pack() const;
  static SoftmaxState unpack(mlir::ValueRange registers);
};

/// What a block came to.
struct SoftmaxBlock {
  SoftmaxState state;
  /// In the order of the scores, as `packPairs` returns them.
  ptx::Registers probabilities;
  /// What sums of values so far are multiplied by, per row.
  mlir::Value rescale[kThreadRows];
};

/// What rows came to, per row; equal in the lanes of a row.
struct SoftmaxResult {
  /// 1 / roundedSum and the base-2 logarithm of the sum of 2^(scale s); 0 and
  /// -inf if there was no key, NaN if a score was.
  mlir::Value inverse[kThreadRows], log2Sum[kThreadRows];
};

class Softmax {
public:
  /// Products take probabilities as `elements`. `keyScale` (f32, or null: 1) is
  /// a factor of all scores that is known in the kernel only.
  Softmax(Emitter &e, mlir::Type elements, double softmaxScale,
          mlir::Value keyScale = {});

  /// Takes a block's scores in. `masks` are of the thread's two rows; empty:
  /// the rows look at all columns.
  SoftmaxBlock addBlock(Emitter &e, mlir::ValueRange scores,
                        llvm::ArrayRef<ColumnMask> masks,
                        const SoftmaxState &state) const;
  SoftmaxResult finish(Emitter &e, const SoftmaxState &state) const;

private:
  ptx::Registers prepare(Emitter &e, mlir::ValueRange scores) const;

  mlir::Type elements;
  /// Of scores that `prepare` returns.
  mlir::Value scale;
  /// What `prepare` multiplies scores by; null: nothing.
  mlir::Value factor;
};

/// The natural logarithm.
mlir::Value toNaturalLog(Emitter &e, mlir::Value log2);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SOFTMAX_H
