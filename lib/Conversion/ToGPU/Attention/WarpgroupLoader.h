//===- WarpgroupLoader.h - the role that feeds the attenders ----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPLOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPLOADER_H

#include "KeyLocator.h"
#include "SplitPlan.h"
#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

/// Emits what the loader's threads do, for all parts. `thread` (i32) is of
/// [0, WarpgroupBlock::kGroupThreads).
void emitLoader(Emitter &e, const WarpgroupBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                const KeyLocator &locator, mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPLOADER_H
