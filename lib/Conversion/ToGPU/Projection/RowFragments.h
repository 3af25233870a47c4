//===- RowFragments.h - rows of x in registers ------------------*- C++ -*-===//
//
// A product's left operand wants of lane l the rows l/4 and l/4 + 8, and of
// each 16 values of K the pairs 2 (l mod 4) and 2 (l mod 4) + 8. The order of K
// is free as long as both operands have the same: a lane reads 16 bytes, 8
// neighbouring values out of 32, and uses them as its pairs of two products.
// The weights' rows are stored in the order that this makes (getWeightRow). x
// needs no shared memory then, and no thread waits for another's reads.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_ROWFRAGMENTS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_ROWFRAGMENTS_H

#include "../NVIDIA/SharedMemory.h"
#include "Projection.h"

namespace mlafuse::kernel::projection {

/// Where value `k` (i32) of K goes: its row in shared memory.
mlir::Value getWeightRow(Emitter &e, mlir::Value k);

/// A lane's part of 16 rows of one head.
class RowFragments {
public:
  /// The rows from `firstRow` on, of `rows` in all (i32, as `lane`); those
  /// beyond are replaced by the last: their sums are not stored.
  RowFragments(Emitter &e, const Projection &projection, mlir::Value lane,
               mlir::Value head, mlir::Value firstRow, mlir::Value rows);

  /// The lane's values of a slice, 4 registers for each product.
  ptx::Registers load(Emitter &e, int64_t slice) const;

  /// The left operand of the slice's product number `product`.
  static mlir::ValueRange getOperand(mlir::ValueRange slice, int64_t product) {
    return slice.slice(4 * product, 4);
  }
  static int64_t getRegisters(const Projection &projection, int64_t slice) {
    return projection.getSliceDepth(slice) / kProductDepth * 4;
  }

private:
  const Projection &projection;
  RowView views[2];   ///< Of rows l/4 and l/4 + 8.
  mlir::Value column; ///< Of the lane's first chunk, an i32.
};

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_ROWFRAGMENTS_H
