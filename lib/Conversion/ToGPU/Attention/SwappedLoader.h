//===- SwappedLoader.h - the role that copies keys --------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDLOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDLOADER_H

#include "KeyLocator.h"
#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// Emits the warpgroup that copies keys of all parts, `thread` (i32) of its
/// 128: a warp those of the warps of scores that have its number. The plan is
/// one with getFirstEntryAddress.
void emitSwappedLoader(Emitter &e, const SwappedBlock &block,
                       const AttentionInputs &inputs, const SplitPlan &plan,
                       const KeyLocator &locator, mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDLOADER_H
