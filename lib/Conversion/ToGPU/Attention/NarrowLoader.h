//===- NarrowLoader.h - the role that brings narrow keys --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWLOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWLOADER_H

#include "KeyLocator.h"
#include "NarrowBlock.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// The address (i64) of what a thread of the loader, which begins with
/// `firstThread` of the block's, finds its first key by, or 0.
mlir::Value getFirstEntryAddress(Emitter &e, const KeyLocator &locator,
                                 const FirstKeys &first, mlir::Value thread,
                                 int64_t firstThread);

/// Emits what the loader's threads do, for all parts; `thread` (i32) is of the
/// role. The plan is one with getFirstEntryAddress.
void emitNarrowLoader(Emitter &e, const NarrowBlock &block,
                      const SplitPlan &plan, const KeyLocator &locator,
                      mlir::Value thread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWLOADER_H
