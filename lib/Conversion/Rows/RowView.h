//===- RowView.h - rows of buffers ------------------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_ROWVIEW_H
#define MLAFUSE_LIB_CONVERSION_ROWS_ROWVIEW_H

#include "Scalars.h"

namespace mlafuse::rows {

/// `row` [.., N] of a memref: its buffer and the indices of its leading
/// dimensions.
struct RowView {
  mlir::Value buffer;
  llvm::SmallVector<mlir::Value, 3> leading;
  /// Bytes that the address of every access is a multiple of; 0: the size of an
  /// element.
  int64_t alignment = 0;

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

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_ROWVIEW_H
