//===- WarpgroupLoader.h - the role that feeds the attenders ----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPLOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPLOADER_H

#include "KeyLocator.h"
#include "SplitPlan.h"
#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

/// Emits what the threads of the loaders do, for all parts. `role` (i32) is
/// kAttenders for the first loader, and the same in all threads of a warpgroup;
/// `thread` (i32) of [0, WarpgroupBlock::kGroupThreads).
void emitLoaders(Emitter &e, const WarpgroupBlock &block,
                 const AttentionInputs &inputs, const SplitPlan &plan,
                 const KeyLocator &locator, mlir::Value role,
                 mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPLOADER_H
