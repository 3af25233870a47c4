//===- WeightTile.h - weights of a head in shared memory --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_WEIGHTTILE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_WEIGHTTILE_H

#include "../NVIDIA/SharedMemory.h"
#include "Projection.h"

namespace mlafuse::kernel::projection {

/// Fills tiles [values of K, columns of a tile] of one head's weights; where x
/// is in RowFragments, rows in the order of getWeightRow.
class WeightLoader {
public:
  /// `thread` (an index) is one of `threads`.
  WeightLoader(Emitter &e, const Projection &projection, mlir::Value thread,
               int64_t threads, mlir::Value head);

  /// Bytes of a tile of `rows` values of K.
  static int64_t getBytes(const Projection &projection, int64_t rows);

  /// Starts this thread's copies of `depth` values of K from `begin` on, of the
  /// columns from `firstColumn` (an index) on, to the rows of `tile` from
  /// `firstRow` on.
  void load(Emitter &e, int64_t begin, int64_t depth, mlir::Value firstColumn,
            const ptx::SwizzledTile &tile, int64_t firstRow) const;

private:
  /// Chunk `chunk` of the row `step` rows behind `row` of a slice.
  void copyChunk(Emitter &e, mlir::Value row, int64_t step, mlir::Value chunk,
                 int64_t begin, mlir::Value firstColumn,
                 const ptx::SwizzledTile &tile, int64_t firstRow) const;

  const Projection &projection;
  mlir::Value thread; ///< i32.
  int64_t threads;
  mlir::Value head;
  mlir::Value base;     ///< i64, the address of the head's weights.
  mlir::Value rowBytes; ///< i64, between values of K.
};

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_WEIGHTTILE_H
