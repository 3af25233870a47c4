//===- OutputTile.h - sums of a product, stored or quantized ----*- C++ -*-===//
//
// A warp has the sums of 16 rows, and a lane pairs of columns all over the
// tile. They become elements of the output where they are (FragmentQuantizer,
// FragmentStore); or they go through shared memory, a few rows at a time, where
// each lane gets neighbours of one row, which it writes as whole sectors and
// quantizes as `quantize` does.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_OUTPUTTILE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_OUTPUTTILE_H

#include "FragmentQuantizer.h"

namespace mlafuse::kernel::projection {

/// How the lanes of a warp share the columns of a tile.
struct OutputShape {
  int64_t lanes;   ///< Elements of a thread.
  int64_t threads; ///< That have elements of a row.
  /// Of the team that has a row: a power of two.
  int64_t getTeam() const;
};
OutputShape chooseOutputShape(const Projection &projection);

/// The tile of the whole output's rows that `shape` is.
TileShape getTileShape(const Projection &projection, const OutputShape &shape);

class OutputTile {
public:
  /// `staging` is the memory of the block's warps, getBytes() of each. Loads
  /// the scalars of the quantization.
  OutputTile(Emitter &e, Kernel &kernel, const Projection &projection,
             ptx::Address staging);

  /// Sums become elements of the output where they are; else they go through
  /// shared memory. What multiplies by warpgroups stores matrices of elements.
  static bool storesFragments(const Projection &projection);

  /// Bytes of shared memory of a warp.
  static int64_t getBytes(const Projection &projection);

  /// Stores a warp's sums as the rows `firstRow`, `firstRow` + `rowStep`, ...,
  /// as far as they are below `rows` (both i32), of tile number `tile` of
  /// `head` (indices). All lanes of the warp get here.
  void store(Emitter &e, mlir::ValueRange sums, mlir::Value firstRow,
             int64_t rowStep, mlir::Value rows, mlir::Value head,
             mlir::Value tile) const;

private:
  /// A lane reads eight chunks of 16 bytes that follow each other, or more.
  bool readsEights() const;
  /// Brings the sums of round `round` (i32) to shared memory.
  void stage(Emitter &e, mlir::ValueRange sums, mlir::Value round) const;
  /// Stores or quantizes sums where they are.
  void storeFragments(Emitter &e, mlir::ValueRange sums, RowsPlace place) const;
  ptx::Registers packPairs(Emitter &e, mlir::ValueRange sums) const;
  /// Elements from number `column` (i32) of the tile on, as four i32.
  void storeWords(Emitter &e, mlir::Value words, mlir::Value row,
                  mlir::Value column, const RowsPlace &place) const;
  /// Row `row` (i32) of an output without a key.
  RowView getPlainRow(Emitter &e, mlir::Value row, mlir::Value head) const;
  /// Stores the rows that were staged.
  void storeRound(Emitter &e, mlir::Value firstRow, int64_t rowStep,
                  mlir::Value rows, mlir::Value head, mlir::Value tile) const;
  /// The team's row of those staged, if `hasRow` (null: always).
  void storeRow(Emitter &e, const Team &team, mlir::Value hasRow,
                mlir::Value staged, mlir::Value row, mlir::Value head,
                mlir::Value tile) const;
  /// `row` is one of those staged.
  mlir::Value loadStaged(Emitter &e, const Tile &tile, mlir::Value row) const;
  /// The memory of the warp of `thread` (i32).
  ptx::Address getStaging(Emitter &e, mlir::Value thread) const;
  /// `row` is an i32.
  void storePlain(Emitter &e, const Tile &tile, mlir::Value row,
                  mlir::Value head, mlir::Value values) const;

  Kernel &kernel;
  const Projection &projection;
  OutputShape shape;
  int64_t stagedRows; ///< At a time.
  ptx::Address staging;
  QuantConstants constants;
};

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_OUTPUTTILE_H
