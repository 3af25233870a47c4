//===- Motion.h - making two ops neighbours ---------------------*- C++ -*-===//
//
// A fused op stands where both of its parts stood, so everything that it needs
// must come before, and every user of it after. Whether that can be had depends
// on the data flow and on the order of side effects only, not on how the pure
// ops happen to be written.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_TRANSFORMS_MOTION_H
#define MLAFUSE_LIB_TRANSFORMS_MOTION_H

#include "Verdict.h"
#include "mlir/IR/PatternMatch.h"

namespace mlafuse {

/// The moves that make `first` and `second`, of one block, neighbours.
struct MotionPlan {
  mlir::Operation *first = nullptr, *second = nullptr;
  /// Last op with effects that `second` needs, if it comes after `first`:
  /// `first` moves behind it, followed by `sunk`, its pure users in between.
  mlir::Operation *anchor = nullptr;
  llvm::SmallVector<mlir::Operation *> sunk;
  /// Pure ops after `first` that `second` needs: they move before `first`.
  llvm::SmallVector<mlir::Operation *> hoisted;
};

/// Plans the moves, or says what stands in the way. `link` is the operand of
/// `second` that may be a result of `first`; null: none may.
Verdict planNeighbours(mlir::Operation *first, mlir::Operation *second,
                       mlir::OpOperand *link, MotionPlan &plan);

/// Carries a plan out: `second` then follows `first` directly.
void makeNeighbours(mlir::RewriterBase &rewriter, const MotionPlan &plan);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_MOTION_H
