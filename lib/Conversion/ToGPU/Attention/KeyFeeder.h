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

  /// A row of this thread as what it copies of it: a chunk of 16 bytes in each
  /// 128. Copies that follow each other then differ in constants alone: an
  /// address that is made for each of them stalls until the copy before has
  /// read the registers that it goes to.
  KeyAddress skipChunks(Emitter &e, const KeyAddress &key) const;

  /// Brings half `half` of the thread's keys, as skipChunks has them, to stage
  /// `stage` (i32) when that is free (parity `isFree`); of keys that do not
  /// exist it brings zeros.
  void bringHalf(Emitter &e, llvm::ArrayRef<KeyAddress> chunks,
                 mlir::Value stage, int64_t half, mlir::Value isFree) const;
  /// The same for the rope columns.
  void bringRope(Emitter &e, llvm::ArrayRef<KeyAddress> chunks,
                 mlir::Value stage, mlir::Value isFree) const;

private:
  /// Boxes of columns, `count` from number `first` on, of the thread's rows
  /// from number `firstRow` on.
  void copyBoxes(Emitter &e, llvm::ArrayRef<KeyAddress> chunks,
                 int64_t firstRow, const ptx::SwizzledTile &tile, int64_t first,
                 int64_t count) const;

  const WarpgroupBlock &block;
  mlir::Value row, chunk;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYFEEDER_H
