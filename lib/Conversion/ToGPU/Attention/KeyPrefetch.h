//===- KeyPrefetch.h - a group's first keys to the L2 cache -----*- C++ -*-===//
//
// Blocks of threads that start while the launches ahead still run know by the
// lengths and tables that memory has then which keys they will most likely read
// first. Nothing but the L2 cache has them brought: those launches may write
// them, and who reads behind the wait finds what was written.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYPREFETCH_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYPREFETCH_H

#include "../NVIDIA/SharedMemory.h"
#include "KeyLocator.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// What one warp of a block does, all lanes of which are there.
class KeyPrefetch {
public:
  /// `isWarp` (i1, the same in all lanes) holds in that warp.
  KeyPrefetch(Emitter &e, Kernel &kernel, const KeyLocator &locator,
              int64_t blockKeys, mlir::Value isWarp);

  /// Emitted where all threads know that the launches ahead have ended. Keys
  /// asked for from then on would only be in the way of those that are wanted
  /// now.
  void markEnd(Emitter &e) const;
  /// Asks for the keys from `first` to key block `end` (i32), or as many of
  /// them as are worth it and have their entries in one load of each lane. Does
  /// not where the end is marked by then.
  void emit(Emitter &e, const FirstKeys &first, mlir::Value end) const;

private:
  mlir::Value ifNotOver(Emitter &e, mlir::Value condition) const;

  const KeyLocator &locator;
  int64_t blockKeys;
  ptx::Address isOver; ///< Of an i32, not 0 if it is.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYPREFETCH_H
