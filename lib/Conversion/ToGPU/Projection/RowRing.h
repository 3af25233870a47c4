//===- RowRing.h - slices of rows of x in shared memory ---------*- C++ -*-===//
//
// One warpgroup of a block, the loader, brings tiles of 64 rows of x to shared
// memory, slice by slice of K, ahead of those that multiply: as many slices are
// on their way as there are slots.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_ROWRING_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_ROWRING_H

#include "../../Schedule/ProjectionLayout.h"
#include "../NVIDIA/Barriers.h"
#include "Projection.h"
#include <optional>

namespace mlafuse::kernel::projection {

/// The tiles of 64 rows of a block: `first`, `first` + `step`, ... below `end`;
/// and how many rows there are (i32).
struct RowTiles {
  mlir::Value first, step, end, rows;
};

class RowRing {
public:
  /// Row r of a tile is in place 16 (r mod 4) + r / 4: few rows are shared by
  /// all four warps. A warp's rows are so many apart.
  static constexpr int64_t kRowStep = ProjectionLayout::kGroupWarps;

  RowRing(const Projection &projection, const ProjectionLayout &layout,
          ptx::Address start)
      : p(projection), layout(layout), start(start) {}

  /// One thread.
  void initBarriers(Emitter &e) const;

  /// Where slice number `turn` (i32) of the block is, counted over its tiles.
  struct Slot {
    ptx::SwizzledTile rows;
    ptx::SharedBarrier full, free;
    mlir::Value fullParity;
    mlir::Value freeParity; ///< That of the slot's slice before.
  };
  Slot getSlot(Emitter &e, mlir::Value turn) const;

  /// The left operands of the products of slice `slice` of a tile, four
  /// registers each, of the warp of `thread` (i32) of a warpgroup.
  ptx::Registers loadOperands(Emitter &e, const Slot &slot, int64_t slice,
                              mlir::Value thread) const;

  /// What a thread of the loader copies of a tile's whole slices: its chunk of
  /// rows that are equally far apart.
  struct Copies {
    mlir::Value row;  ///< The first of the tile's rows, i32.
    mlir::Value from; ///< Its chunk in the first slice of tile 0, i64.
    mlir::Value to;   ///< Where that is, less the ring's offset; i32.
    int64_t rowStep, stepBytes; ///< From one row to the next, in memory of x.
  };
  /// None if rows are not such, or not aligned. Reads nothing of x.
  std::optional<Copies> getCopies(Emitter &e, mlir::Value head,
                                  mlir::Value thread) const;

  /// Brings the tiles' rows of `head` (an index), in order. `thread` (i32) is
  /// one of the loader's. Rows that do not exist are left as they are: their
  /// sums are not stored.
  void load(Emitter &e, const RowTiles &tiles, mlir::Value head,
            mlir::Value thread, const std::optional<Copies> &copies) const;

private:
  /// `turn` (i32) is the number of the tile's first slice.
  void loadTile(Emitter &e, const RowTiles &tiles, mlir::Value tile,
                mlir::Value turn, mlir::Value head, mlir::Value thread,
                const std::optional<Copies> &copies) const;
  /// `rows` (i32) exist, from row `firstRow` (i32) on.
  void copySlice(Emitter &e, const Slot &slot, int64_t slice,
                 const Copies &copies, mlir::Value firstRow,
                 mlir::Value rows) const;
  void loadSlice(Emitter &e, const Slot &slot, int64_t slice,
                 mlir::Value firstRow, mlir::Value rows, mlir::Value head,
                 mlir::Value thread) const;
  /// The address (i64) of row `row` (i32) of a head.
  mlir::Value getAddress(Emitter &e, mlir::Value row, mlir::Value head) const;
  /// Where the row `step` rows behind `row`, which is at `address`, is.
  struct Place {
    mlir::Value address; ///< i64.
    int64_t offset;      ///< To add to it.
  };
  Place getPlaceBehind(Emitter &e, mlir::Value address, mlir::Value row,
                       int64_t step, mlir::Value head) const;
  /// Bytes between rows of x, if they are constant and few enough for all of a
  /// tile to be at the first one's address and a constant.
  std::optional<int64_t> getRowBytes(Emitter &e) const;
  /// The four registers of a chunk that is not aligned: values of K from
  /// `column` (i32) on.
  ptx::Registers loadChunk(Emitter &e, mlir::Value row, mlir::Value column,
                           mlir::Value head) const;

  const Projection &p;
  const ProjectionLayout &layout;
  ptx::Address start;
};

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_ROWRING_H
