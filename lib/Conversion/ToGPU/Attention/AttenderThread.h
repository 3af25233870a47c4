//===- AttenderThread.h - a thread of an attender ---------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERTHREAD_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERTHREAD_H

#include "Fragments.h"
#include "SplitPlan.h"
#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

/// What is known in one thread of an attender, and how its registers lie in a
/// tile; see Warpgroup.h.
struct AttenderThread {
  AttenderThread(Emitter &e, const WarpgroupBlock &block,
                 const AttentionInputs &inputs, const SplitPlan &plan,
                 mlir::Value attender, mlir::Value thread);

  static constexpr int64_t kDepth = 16; ///< Keys or columns of one product.
  /// Registers of its left operand.
  static constexpr int64_t kDepthPairs = 4;
  static constexpr int64_t kScores = WarpgroupBlock::kBlockKeys / 2;
  static constexpr int64_t kOutputs = WarpgroupBlock::kHalf / 2;
  /// Rows of one thread: r and r + 8.
  static constexpr int64_t kRows = kThreadRows;

  /// Element of this thread's row `i` of an array of f32 rows.
  ptx::Address getRowPlace(Emitter &e, ptx::Address array, int64_t i) const {
    return array.advance(e, ptx::timesI(e, row, 4)) + i * 8 * 4;
  }

  const WarpgroupBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Type elements;
  mlir::Value attender, other;          ///< Their numbers.
  mlir::Value lane, warpRow, quad, row; ///< Of this thread.
  /// What a lane names to loads and stores of four matrices: row l mod 8 (+ 8),
  /// 8 columns (+ 8).
  mlir::Value matrixRow, matrixChunk;
  /// A factor of keys and values alike; null: 1.
  mlir::Value keyScale;
};

/// What an attender carries from block to block.
struct AttenderState {
  ptx::Registers outputs; ///< kOutputs, in the order of a product's D.
  /// What outputs and sums are relative to.
  mlir::Value maxima[AttenderThread::kRows];
  /// Of this thread's columns of its own blocks: sums of probabilities as
  /// products take them, which outputs are divided by, so that what rounding
  /// does to a whole row falls out; and then of probabilities as they are, of
  /// which the row's logarithm is.
  static constexpr int64_t kSums = 2 * AttenderThread::kRows;
  mlir::Value sums[kSums];

  /// Before the first block.
  static AttenderState create(Emitter &e);
  ptx::Registers pack() const;
  static AttenderState unpack(mlir::ValueRange all);
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERTHREAD_H
