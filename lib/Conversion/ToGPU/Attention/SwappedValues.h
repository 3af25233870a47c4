//===- SwappedValues.h - the role that multiplies values --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDVALUES_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDVALUES_H

#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// Emits what the threads of the values' group do, for all parts. `thread`
/// (i32) is of [0, SwappedBlock::kGroupThreads).
void emitSwappedValues(Emitter &e, const SwappedBlock &block,
                       const AttentionInputs &inputs, const SplitPlan &plan,
                       mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDVALUES_H
