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

#include "../Rows/RowView.h"

namespace mlafuse::cpu {

using namespace rows;

/// Elements of a chunk: one 512-bit vector of f32.
inline constexpr int64_t kLanes = 16;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

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

/// Folds the chunks of [begin, begin + width) into a scalar with `combine`,
/// starting from the scalar `init` in every lane. Several accumulators hide the
/// latency of `combine`; the order depends on the width alone, so that the same
/// row gives the same bits in every kernel.
mlir::Value reduceRow(Emitter &e, mlir::Value begin, int64_t width,
                      mlir::Value init, ChunkSource chunk, Combine combine);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_ROWEMITTER_H
