//===- NarrowLoader.h - the role that brings narrow keys --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWLOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWLOADER_H

#include "KeyLocator.h"
#include "NarrowBlock.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Emits what the loader's threads do, for all parts; `thread` (i32) is of the
/// role. The plan is one with getFirstEntryAddress.
void emitNarrowLoader(Emitter &e, const NarrowBlock &block,
                      const SplitPlan &plan, const KeyLocator &locator,
                      mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWLOADER_H
