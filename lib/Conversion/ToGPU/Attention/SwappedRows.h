//===- SwappedRows.h - rows of a warp's keys --------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDROWS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDROWS_H

#include "KeyLocator.h"
#include "SplitPlan.h"
#include "SwappedBlock.h"

namespace mlafuse::kernel {

/// The rows of the cache of 16 keys of a block: lanes l and l + 16 know that of
/// key l of the warp's.
struct SwappedRows {
  mlir::Value address; ///< Of this lane's key, i64.
  /// Bits from the lowest on: whether keys exist. Others' addresses are of
  /// something that may be read.
  mlir::Value exist;

  /// `bytes` (i32) behind the address of key `key` (i32). All lanes get here.
  mlir::Value getAddress(Emitter &e, mlir::Value key, mlir::Value bytes) const;
  /// Whether key `key` (i32) exists (i1).
  mlir::Value exists(Emitter &e, mlir::Value key) const;
};

/// Finds the rows of the keys of one of the four warps that have a block.
class SwappedRowFinder {
public:
  SwappedRowFinder(Emitter &e, const AttentionInputs &inputs,
                   const KeyLocator &locator, mlir::Value warp,
                   mlir::Value lane);

  /// The entry of this lane's key of block `number`, to be loaded ahead of its
  /// use; and the rows. All lanes get there.
  mlir::Value loadEntry(Emitter &e, mlir::Value request, mlir::Value keys,
                        mlir::Value number) const;
  SwappedRows find(Emitter &e, const Part &part, mlir::Value entry,
                   mlir::Value number) const;

  /// The row of this lane's key alone.
  KeyAddress locate(Emitter &e, mlir::Value entry, mlir::Value keys,
                    mlir::Value number) const;

  /// The part as one of a request that ends with it: nothing is read ahead of
  /// keys that are others'.
  static Part limitKeys(Emitter &e, const Part &part);

private:
  mlir::Value getKey(Emitter &e, mlir::Value number) const;

  const AttentionInputs &inputs;
  const KeyLocator &locator;
  mlir::Value own; ///< This lane's key, in a block.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDROWS_H
