//===- MergeWeights.h - weights of two partial results ----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_MERGEWEIGHTS_H
#define MLAFUSE_LIB_CONVERSION_ROWS_MERGEWEIGHTS_H

#include "MLAFuse/IR/MLAFuse.h"
#include "Scalars.h"

namespace mlafuse::rows {

/// One partial result of a (token, head). An empty one counts for nothing,
/// whatever it holds.
struct MergeState {
  mlir::Value lse, isEmpty, weight;
};

/// The merged result is (a.weight * o_a + b.weight * o_b) / total.
struct MergeWeights {
  MergeState a, b;
  mlir::Value isEmpty, top, total;

  /// The log-sum-exp of the merged result.
  mlir::Value getLse(Emitter &e) const;
};

MergeWeights computeMergeWeights(Emitter &e, MergeAttnStatesOp op,
                                 mlir::Value row, mlir::Value head);

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_MERGEWEIGHTS_H
