//===- NarrowValues.h - the role that multiplies values ---------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWVALUES_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWVALUES_H

#include "NarrowBlock.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Emits what the warps do that multiply probabilities with values, for all
/// parts: they store results of whole requests, and parts of others. `thread`
/// (i32) is of the role.
void emitNarrowValues(Emitter &e, const NarrowBlock &block,
                      const AttentionInputs &inputs, const SplitPlan &plan,
                      mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWVALUES_H
