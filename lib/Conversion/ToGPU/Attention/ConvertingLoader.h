//===- ConvertingLoader.h - loaders of keys that are converted --*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CONVERTINGLOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CONVERTINGLOADER_H

#include "KeyLocator.h"
#include "SplitPlan.h"
#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

/// Emits what one of two loaders does, for all parts, where keys become
/// elements on the way through registers. The first brings of each block the
/// half of the attender that owns it, and tells which keys are missing; the
/// second the other half, the rope columns and the queries. `thread` (i32) is
/// of [0, WarpgroupBlock::kGroupThreads).
void emitConvertingLoader(Emitter &e, const WarpgroupBlock &block,
                          const AttentionInputs &inputs, const SplitPlan &plan,
                          const KeyLocator &locator, mlir::Value thread,
                          bool isFirst);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CONVERTINGLOADER_H
