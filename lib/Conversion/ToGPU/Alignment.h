//===- Alignment.h - how wide the accesses of a kernel may be ---*- C++ -*-===//
//
// A thread reads and writes whole chunks of a row. A chunk can be accessed by
// wide instructions if its address is a multiple of their size: shapes say so
// for part of the address, the rest is known at launch. A kernel exists in two
// forms then, and the host picks one.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ALIGNMENT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ALIGNMENT_H

#include "Kernel.h"

namespace mlafuse::kernel {

/// The rows of `buffer`, as rank 2 where its layout allows: indices cost less.
mlir::Value collapseRows(Emitter &e, mlir::Value buffer);

/// The buffers that a kernel accesses in chunks.
class Alignment {
public:
  /// `buffer` (null: nothing) is accessed in chunks of `lanes` elements, each
  /// at a column that is a multiple of `lanes`.
  void add(mlir::Value buffer, int64_t lanes);

  /// Emits `body` for the form whose accesses are wide and for the one whose
  /// accesses are not, with the choice between them around.
  void dispatch(Emitter &e, llvm::function_ref<void(Emitter &)> body);

  /// Whether the form that is being emitted has wide accesses.
  bool isWideForm() const { return isWide; }

  /// Row `row` of an added buffer, with the alignment of the form that is
  /// being emitted; an empty view of a null buffer.
  RowView getRow(Emitter &e, mlir::Value buffer, mlir::Value row) const;
  /// The same for a buffer of rank 1.
  RowView getVector(mlir::Value buffer) const;

private:
  int64_t lookUp(mlir::Value buffer) const;
  mlir::Value emitCheck(Emitter &e) const;

  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 12> alignments;
  bool isWide = true;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ALIGNMENT_H
