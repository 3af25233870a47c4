//===- WarpKeys.h - keys of a block that a loader's warp has ----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPKEYS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPKEYS_H

#include "KeyLocator.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// A block of 64 keys of which each of four warps has 16. A lane finds one of
/// them, lanes 16 to 31 the same ones as lanes 0 to 15. Values are
/// i32 where nothing else is said.
struct WarpKeys {
  static constexpr int64_t kBlockKeys = 64, kWarpKeys = 16;

  /// The key of a block that a lane finds.
  static mlir::Value getOwn(Emitter &e, mlir::Value warp, mlir::Value lane);
  /// Key `own` of block `number`.
  static mlir::Value get(Emitter &e, mlir::Value number, mlir::Value own);
  /// Whether all of the warp's keys exist and their rows follow each other
  /// (i1). `key` is the lane's, and `first` (i64) the address of the warp's
  /// first row if rows of `rowBytes` lie without gaps.
  static mlir::Value areRun(Emitter &e, const KeyLocator &locator,
                            const KeyAddress &key, mlir::Value first,
                            int64_t rowBytes);
};

/// The address (i64) of what a thread of the loader, which begins with
/// `firstThread` of the block's, finds its first key by, or 0.
mlir::Value getFirstEntryAddress(Emitter &e, const KeyLocator &locator,
                                 const FirstKeys &first, mlir::Value thread,
                                 int64_t firstThread);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPKEYS_H
