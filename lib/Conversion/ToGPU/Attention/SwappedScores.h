//===- SwappedScores.h - the roles that make scores -------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSCORES_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSCORES_H

#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// Emits what the threads of a score group do, for all parts. `group` (i32) is
/// 0 or 1 and the same in all threads of a warpgroup, `thread` (i32) of
/// [0, SwappedBlock::kGroupThreads).
void emitSwappedScores(Emitter &e, const SwappedBlock &block,
                       const AttentionInputs &inputs, const SplitPlan &plan,
                       mlir::Value group, mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDSCORES_H
