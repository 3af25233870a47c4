//===- WarpgroupAttender.h - the roles that multiply ------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPATTENDER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPATTENDER_H

#include "SplitPlan.h"
#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

/// Emits what the threads of an attender do, for all parts. `attender` (i32, 0
/// or 1) is the same in all threads of a warpgroup, `thread` (i32) of
/// [0, WarpgroupBlock::kGroupThreads).
void emitAttender(Emitter &e, const WarpgroupBlock &block,
                  const AttentionInputs &inputs, const SplitPlan &plan,
                  mlir::Value attender, mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPATTENDER_H
