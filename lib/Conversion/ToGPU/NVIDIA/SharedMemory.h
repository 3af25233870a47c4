//===- SharedMemory.h - dynamic shared memory of a block --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_SHAREDMEMORY_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_SHAREDMEMORY_H

#include "../../Schedule/SharedLayout.h"
#include "Asm.h"

namespace mlafuse::kernel::ptx {

/// A place in shared memory: a register and bytes to add to it.
struct Address {
  mlir::Value base; ///< i32.
  int64_t offset = 0;

  Address operator+(int64_t bytes) const { return {base, offset + bytes}; }
  /// As one register.
  mlir::Value get(Emitter &e) const { return plusI(e, base, offset); }
  /// This place `bytes` (i32) further on.
  Address advance(Emitter &e, mlir::Value bytes) const {
    return {plusI(e, base, bytes), offset};
  }
};

/// The start of the block's dynamic shared memory, aligned to
/// SharedLayout::kAlignment. Whoever launches asks for getBytes().
Address getSharedStart(Emitter &e);

/// The start of a buffer of shared memory.
Address getSharedAddress(Emitter &e, mlir::Value buffer);

/// `count` (1, 2 or 4) registers of i32 or f32.
Registers loadShared(Emitter &e, Address from, mlir::Type type,
                     int64_t count = 1);
/// An i32 where `condition` (i1) holds, read when that is known; else
/// `otherwise`.
mlir::Value loadSharedIf(Emitter &e, mlir::Value condition, Address from,
                         uint32_t otherwise);
void storeShared(Emitter &e, Address to, mlir::ValueRange values);

/// Copies 16 bytes from global memory without registers; only the first
/// `bytes` (i32, 0 or 16; null: 16) of the source are read, zeros follow.
/// Without a cache policy: ptxas 13.0 then takes uniform registers that the
/// instruction has no room for, which is an illegal instruction.
void copyAsync16(Emitter &e, Address to, mlir::Value from, mlir::Value bytes,
                 int64_t fromOffset = 0);
/// Closes a group of copies; waits until at most `pending` groups are open.
void commitCopies(Emitter &e);
void waitCopies(Emitter &e, int64_t pending);

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// A matrix of 16-bit elements in shared memory as boxes of 64 columns (128
/// bytes) one after the other, the rows of a box 128 bytes apart. The 16-byte
/// chunk c of row r is stored at chunk c ^ (r mod 8): rows are read and written
/// without bank conflicts, and the matrix units take it as it is.
struct SwizzledTile {
  Address start; ///< Aligned to 1024 bytes.
  int64_t rows;  ///< A multiple of 8.

  static constexpr int64_t kBoxColumns = 64;
  static constexpr int64_t kRowBytes = 128;
  int64_t getBoxBytes() const { return rows * kRowBytes; }
  static int64_t getBytes(int64_t rows, int64_t columns) {
    return rows * columns * 2;
  }

  /// The boxes from box `first` (i32) on.
  SwizzledTile skipBoxes(Emitter &e, mlir::Value first) const {
    return {start.advance(e, timesI(e, first, getBoxBytes())), rows};
  }

  /// Where chunk `chunk` (i32, of 8) of row `row` (i32) of box `box` is.
  Address getChunk(Emitter &e, mlir::Value row, mlir::Value chunk,
                   int64_t box = 0) const;
};

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_SHAREDMEMORY_H
