//===- SwappedTotals.h - what a part's sums are multiplied by ---*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDTOTALS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDTOTALS_H

#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// What warp `warp` of values, all of whose lanes get here, multiplies a part's
/// sums by, in its SwappedBlock::getTotals. Of each row one warp also writes
/// what there is in memory: its lse, or of a part the factors and logarithms of
/// PartFormat::ScaledF16. `message`: the slot of the part's last; `parts` came
/// before. `isNaN` (i1, of all warps; or null): all rows are that.
void makeSwappedTotals(Emitter &e, const SwappedBlock &block,
                       const AttentionInputs &inputs, const SplitPlan &plan,
                       const Part &part, mlir::Value message, mlir::Value warp,
                       mlir::Value lane, mlir::Value parts, mlir::Value isNaN);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDTOTALS_H
