//===- RowEmitter.h - loops and vectors over rows ---------------*- C++ -*-===//
//
// What every CPU kernel is built from: one parallel loop over rows, vector
// loads and stores within a row, and reductions along it. A row is cut into
// chunks of `lanes` elements; the last chunk of an odd width is a shorter
// vector of static size, so that no kernel has a scalar path.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_ROWEMITTER_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_ROWEMITTER_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlafuse::cpu {

using Emitter = mlir::ImplicitLocOpBuilder;

/// Elements of a chunk: one 512-bit vector of f32.
inline constexpr int64_t kLanes = 16;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Constants: an index, an f32.
mlir::Value index(Emitter &e, int64_t value);
mlir::Value constant(Emitter &e, double value);

/// Integer arithmetic on indices.
mlir::Value plus(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value plus(Emitter &e, mlir::Value a, int64_t b);
mlir::Value minus(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value times(Emitter &e, mlir::Value a, int64_t b);
mlir::Value dividedBy(Emitter &e, mlir::Value a, int64_t b);

/// f32 arithmetic on values of one shape; the larger of two ignores a NaN in
/// `b`.
mlir::Value mul(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value add(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value maximum(Emitter &e, mlir::Value a, mlir::Value b);

/// Static size `dim` of a memref.
int64_t getSize(mlir::Value buffer, int64_t dim);
/// Its innermost size.
int64_t getWidth(mlir::Value buffer);

/// An integer element as an index.
mlir::Value loadIndex(Emitter &e, mlir::Value buffer, mlir::ValueRange indices);
/// The only element of a one-element memref.
mlir::Value loadScalar(Emitter &e, mlir::Value buffer);

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// `row` [.., N] of a memref: its buffer and the indices of its leading
/// dimensions.
struct RowView {
  mlir::Value buffer;
  llvm::SmallVector<mlir::Value, 3> leading;

  mlir::Type getElementType() const {
    return llvm::cast<mlir::MemRefType>(buffer.getType()).getElementType();
  }

  /// Elements [column, column + lanes), as they are stored.
  mlir::Value load(Emitter &e, mlir::Value column, int64_t lanes) const;
  void store(Emitter &e, mlir::Value value, mlir::Value column) const;

  /// The same, widened to f32, or rounded from it.
  mlir::Value loadF32(Emitter &e, mlir::Value column, int64_t lanes) const;
  void storeRounded(Emitter &e, mlir::Value value, mlir::Value column) const;
  /// The same for a value that the element type holds exactly, as roundThrough
  /// leaves it: bf16 is then the upper half of the f32.
  void storeExact(Emitter &e, mlir::Value value, mlir::Value column) const;
};

/// Row number `row` of `buffer`, counting rows over all its leading dimensions.
RowView getRow(Emitter &e, mlir::Value buffer, mlir::Value row);

/// How many rows `buffer` has (an index).
mlir::Value getRowCount(Emitter &e, mlir::Value buffer);

/// Rows to run over: `rows` (an index), but no more than the device-side count
/// (`1 x i32`, null for none); a negative count is none.
mlir::Value getActualRows(Emitter &e, mlir::Value rows, mlir::Value count);

/// A buffer of one row of f32 on the stack of the loop body.
RowView allocateRow(Emitter &e, int64_t width);

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// One parallel loop over [0, count); `rowWork` is the number of elements that
/// an iteration touches, from which the smallest range worth a thread follows.
void parallelFor(Emitter &e, mlir::Value count, int64_t rowWork,
                 llvm::function_ref<void(Emitter &, mlir::Value)> body);

/// A serial loop over [begin, end) by `step`.
void serialFor(Emitter &e, mlir::Value begin, mlir::Value end, int64_t step,
               llvm::function_ref<void(Emitter &, mlir::Value)> body);

/// Gives a chunk of a row: `lanes` elements from `column` on, in f32.
using ChunkSource = llvm::function_ref<mlir::Value(
    Emitter &, mlir::Value column, int64_t lanes)>;

/// Calls `body` for each chunk of [begin, begin + width).
void forEachChunk(
    Emitter &e, mlir::Value begin, int64_t width,
    llvm::function_ref<void(Emitter &, mlir::Value column, int64_t lanes)>
        body);

using Combine =
    llvm::function_ref<mlir::Value(Emitter &, mlir::Value, mlir::Value)>;

/// Folds the chunks of [begin, begin + width) into a scalar with `combine`,
/// starting from the scalar `init` in every lane. Several accumulators hide the
/// latency of `combine`; the order depends on the width alone, so that the same
/// row gives the same bits in every kernel.
mlir::Value reduceRow(Emitter &e, mlir::Value begin, int64_t width,
                      mlir::Value init, ChunkSource chunk, Combine combine);

/// Folds the lanes of a vector into a scalar, as a tree.
mlir::Value reduceLanes(Emitter &e, mlir::Value vector, Combine combine);

/// `scalar` in each of `lanes` lanes.
mlir::Value splat(Emitter &e, mlir::Value scalar, int64_t lanes);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_ROWEMITTER_H
