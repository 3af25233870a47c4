//===- MatrixTile.h - register-blocked matrix products ----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_MATRIXTILE_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_MATRIXTILE_H

#include "RowEmitter.h"

namespace mlafuse::cpu {

/// Rows of the left operand that share one read of the right one.
inline constexpr int64_t kTileRows = 4;

/// `rows` x [begin, begin + width) of a product over `depth`.
struct ProductTile {
  int64_t rows, depth;
  mlir::Value begin; ///< First column, an index.
  int64_t width;
  /// Element (row, k) of the left operand, a scalar f32.
  llvm::function_ref<mlir::Value(Emitter &, int64_t row, mlir::Value k)> left;
  /// Chunk of row k of the right operand, in f32.
  llvm::function_ref<mlir::Value(Emitter &, mlir::Value k, mlir::Value column,
                                 int64_t lanes)>
      right;
  /// What the sums start from; null for zero.
  llvm::function_ref<mlir::Value(Emitter &, int64_t row, mlir::Value column,
                                 int64_t lanes)>
      start;
  /// Takes the finished sums, f32.
  llvm::function_ref<void(Emitter &, int64_t row, mlir::Value sums,
                          mlir::Value column)>
      finish;
};

/// Emits the product: sums in f32 by fused multiply-add, in the order of k.
void emitProduct(Emitter &e, const ProductTile &tile);

/// Calls `body` with blocks of at most kTileRows rows of [0, rows): `first` is
/// the block's first row and `size` its static size. `block` counts over
/// getRowBlockCount(rows).
mlir::Value getRowBlockCount(Emitter &e, mlir::Value rows);
void emitRowBlock(
    Emitter &e, mlir::Value rows, mlir::Value block,
    llvm::function_ref<void(Emitter &, mlir::Value first, int64_t size)> body);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_MATRIXTILE_H
