//===- TileLoader.h - rows of queries and keys in shared memory -*- C++ -*-===//
//
// All threads of a block bring rows to swizzled tiles: 16 bytes at a time, rows
// and chunks dealt to threads in order, so that neighbours read neighbouring
// bytes. What is stored as the matrix units take it is copied asynchronously;
// copies are the caller's to close and to wait for. Rows that do not exist are
// zeros, whatever memory holds.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_TILELOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_TILELOADER_H

#include "../../Schedule/WarpLayout.h"
#include "../NVIDIA/SharedMemory.h"
#include "KeyLocator.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

class QueryLoader {
public:
  /// `tile` holds the rows of a row tile.
  QueryLoader(const AttentionInputs &inputs, const Kernel &kernel,
              const ptx::SwizzledTile &tile)
      : inputs(inputs), kernel(kernel), tile(tile) {}

  /// Row tile `rowTile` (i32) of a request.
  void load(Emitter &e, mlir::Value request, mlir::Value rowTile) const;

private:
  const AttentionInputs &inputs;
  const Kernel &kernel;
  ptx::SwizzledTile tile;
};

class KeyLoader {
public:
  /// Tiles of `keys` rows each, where `layout` from `start` on has them.
  KeyLoader(const AttentionInputs &inputs, const KeyLocator &locator,
            const Kernel &kernel, ptx::Address start, const WarpLayout &layout,
            int64_t keys);

  ptx::SwizzledTile getTile() const { return tile; }
  /// What to add to addresses of stage 0's tile for those of `stage` (i32).
  mlir::Value getOffset(Emitter &e, mlir::Value stage) const;

  /// Finds the keys of block `block` of a part, for `load` after a block
  /// barrier. The part has the block.
  void locate(Emitter &e, const Part &part, mlir::Value block,
              mlir::Value stage) const;
  /// Brings the located keys. Nobody may read the stage then.
  void load(Emitter &e, mlir::Value stage) const;

  /// Which keys of a loaded stage exist: bits, as ColumnMask has them.
  llvm::SmallVector<mlir::Value> getExisting(Emitter &e,
                                             mlir::Value stage) const;

private:
  struct Row;
  /// Where the row's columns [8 chunk, 8 chunk + 8) go.
  ptx::Address getChunk(Emitter &e, const Row &row, mlir::Value chunk) const;
  void forEachChunk(
      Emitter &e, mlir::Value stage, int64_t chunks,
      llvm::function_ref<void(Emitter &, const Row &, mlir::Value chunk)> body)
      const;
  void copy(Emitter &e, mlir::Value stage) const;
  void convertHalves(Emitter &e, mlir::Value stage, int64_t sourceByte,
                     int64_t column, int64_t width) const;
  void convertCodes(Emitter &e, mlir::Value stage, int64_t width) const;
  mlir::Value loadScale(Emitter &e, const Row &row, mlir::Value group) const;

  const AttentionInputs &inputs;
  const KeyLocator &locator;
  const Kernel &kernel;
  int64_t keys, stageBytes;
  ptx::SwizzledTile tile;
  /// A key's address and whether it exists, 16 bytes a key and stage; and its
  /// flag once it is loaded, 4 bytes.
  ptx::Address found, flags;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_TILELOADER_H
