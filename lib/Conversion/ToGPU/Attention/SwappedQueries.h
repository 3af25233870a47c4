//===- SwappedQueries.h - a part's queries as right operands ----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDQUERIES_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDQUERIES_H

#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// Brings the queries of a request, columns in the order of SwappedKeys, once
/// nobody multiplies by those of the part before. All threads of the score
/// groups; `thread` (i32) is of [0, SwappedBlock::kScoreThreads).
void bringSwappedQueries(Emitter &e, const SwappedBlock &block,
                         const AttentionInputs &inputs, const SplitPlan &plan,
                         mlir::Value request, mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDQUERIES_H
