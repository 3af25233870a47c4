//===- KeyFeeder.h - pieces of key blocks to shared memory ------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYFEEDER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYFEEDER_H

#include "KeyLocator.h"
#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

/// How the loader's threads copy a block of keys to a swizzled tile, rows that
/// are stored as the matrix units take them. Eight threads copy the 128 bytes
/// of a row's box at once, and the other boxes one after the other; a thread
/// does so for rows getRow(0), getRow(1), ...
class KeyFeeder {
public:
  /// `thread` is the loader's (i32).
  KeyFeeder(Emitter &e, const WarpgroupBlock &block, mlir::Value thread);

  int64_t getRows() const { return WarpgroupBlock::kBlockKeys / getRowStep(); }
  /// Row number `i` (i32) of this thread.
  mlir::Value getRow(Emitter &e, int64_t i) const {
    return ptx::plusI(e, row, i * getRowStep());
  }
  int64_t getRowStep() const;
  /// Whether this thread has the first chunk of its rows (i1).
  mlir::Value hasFirstChunk(Emitter &e) const {
    return ptx::isEqualI(e, chunk, 0);
  }

  /// Waits until the half (i32, 0 or 1) is `free` (parity `isFree`), brings it
  /// of the thread's keys and arrives at `full`; of keys that do not exist it
  /// brings zeros.
  void bringHalf(Emitter &e, llvm::ArrayRef<KeyAddress> keys, mlir::Value half,
                 const ptx::SwizzledTile &tile, const ptx::SharedBarrier &free,
                 mlir::Value isFree, const ptx::SharedBarrier &full) const;
  /// The same for the rope columns.
  void bringRope(Emitter &e, llvm::ArrayRef<KeyAddress> keys,
                 const ptx::SwizzledTile &tile, const ptx::SharedBarrier &free,
                 mlir::Value isFree, const ptx::SharedBarrier &full) const;

private:
  void copyRows(Emitter &e, llvm::ArrayRef<KeyAddress> keys,
                const ptx::SwizzledTile &tile, mlir::Value skippedBytes,
                int64_t boxes) const;

  int64_t rope;
  mlir::Value row, chunk;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYFEEDER_H
