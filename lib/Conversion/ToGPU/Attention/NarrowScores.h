//===- NarrowScores.h - the role that makes scores --------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWSCORES_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWSCORES_H

#include "NarrowBlock.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Emits what the warps do that multiply queries with keys and make
/// probabilities of the scores, for all parts. `thread` (i32) is of the role.
void emitNarrowScores(Emitter &e, const NarrowBlock &block,
                      const AttentionInputs &inputs, const SplitPlan &plan,
                      mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWSCORES_H
