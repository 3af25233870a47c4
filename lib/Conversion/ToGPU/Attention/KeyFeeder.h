//===- KeyFeeder.h - pieces of key blocks to shared memory ------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYFEEDER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYFEEDER_H

#include "KeyLocator.h"
#include "WarpgroupBlock.h"
#include <memory>

namespace mlafuse::kernel {

/// Finds this thread's key number i of a block.
using FindKey = llvm::function_ref<KeyAddress(Emitter &, int64_t)>;

/// How the loader's threads bring a block of keys to a swizzled tile. A thread
/// has a chunk of a row's bytes and brings it of rows getRow(0), getRow(1), ...
class KeyFeeder {
public:
  virtual ~KeyFeeder() = default;

  /// For the cache format of the problem. `thread` is the loader's (i32).
  static std::unique_ptr<KeyFeeder> create(Emitter &e,
                                           const AttentionInputs &inputs,
                                           const WarpgroupBlock &block,
                                           mlir::Value thread);

  int64_t getRows() const { return WarpgroupBlock::kBlockKeys / rowStep; }
  /// Row number `i` (i32) of this thread.
  mlir::Value getRow(Emitter &e, int64_t i) const {
    return ptx::plusI(e, row, i * rowStep);
  }
  int64_t getRowStep() const { return rowStep; }
  /// Whether this thread has the first chunk of its rows (i1).
  mlir::Value hasFirstChunk(Emitter &e) const {
    return ptx::isEqualI(e, chunk, 0);
  }

  /// Whether a key is better found for each piece than kept.
  virtual bool isShortOfRegisters() const = 0;

  /// Waits until the half (i32, 0 or 1) is `free` (parity `isFree`), brings it
  /// and arrives at `full`; of keys that do not exist it brings zeros.
  virtual void bringHalf(Emitter &e, FindKey find, mlir::Value half,
                         const ptx::SwizzledTile &tile,
                         const ptx::SharedBarrier &free, mlir::Value isFree,
                         const ptx::SharedBarrier &full) const = 0;
  /// The same for the rope columns.
  virtual void bringRope(Emitter &e, FindKey find,
                         const ptx::SwizzledTile &tile,
                         const ptx::SharedBarrier &free, mlir::Value isFree,
                         const ptx::SharedBarrier &full) const = 0;

protected:
  /// `rowChunks` threads share a row.
  KeyFeeder(Emitter &e, mlir::Value thread, int64_t rowChunks)
      : rowStep(WarpgroupBlock::kGroupThreads / rowChunks),
        row(ptx::dividedByI(e, thread, rowChunks)),
        chunk(ptx::moduloI(e, thread, rowChunks)) {}

  int64_t rowStep;
  mlir::Value row, chunk;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_KEYFEEDER_H
