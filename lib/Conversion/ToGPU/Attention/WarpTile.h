//===- WarpTile.h - a warp's share of an attention tile ---------*- C++ -*-===//
//
// Products of one warp with operands in swizzled tiles. A warp has 16 rows of
// the queries; its addresses in a tile are a register for each pair of chunks
// of a box, the rest is added by the instructions.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPTILE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPTILE_H

#include "../NVIDIA/SharedMemory.h"

namespace mlafuse::kernel {

/// 16 x 16 matrices of a tile, as ldmatrix reads them: this lane's address of
/// each of the four pairs of chunks of a box.
class WarpMatrices {
public:
  /// Which 8 x 8 matrix comes second: the next rows or the next columns.
  enum class Order { RowsFirst, ColumnsFirst };

  /// `firstRow` and `firstColumn` (i32, multiples of 8 and 16; null: 0) are
  /// what row and column 0 stand for. Columns that do not begin a box must end
  /// in it.
  WarpMatrices(Emitter &e, const ptx::SwizzledTile &tile, Order order,
               mlir::Value firstRow, mlir::Value firstColumn);

  /// Those `bytes` (i32) further on.
  WarpMatrices advance(Emitter &e, mlir::Value bytes) const;

  /// The four 8 x 8 matrices at `row` and `column`, multiples of 16.
  ptx::Registers load(Emitter &e, int64_t row, int64_t column,
                      bool transposed) const;

private:
  WarpMatrices() = default;
  llvm::SmallVector<ptx::Address, 4> chunkPairs;
  int64_t boxBytes = 0;
};

/// An accumulator of 16 rows and `columns` columns: zeros.
ptx::Registers createAccumulator(Emitter &e, int64_t columns);

/// 16 rows of queries times the keys of a tile, summed over `width` columns.
ptx::Registers multiplyKeys(Emitter &e, mlir::Type elements,
                            const WarpMatrices &queries,
                            const WarpMatrices &keys, int64_t keyCount,
                            int64_t width);

/// Adds probabilities, as `packPairs` returns them, times values to `sums`:
/// columns from the start of `values` on.
ptx::Registers addValues(Emitter &e, mlir::Type elements, mlir::ValueRange sums,
                         mlir::ValueRange probabilities,
                         const WarpMatrices &values, int64_t keyCount);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPTILE_H
