//===- Memory.h - which tensors share memory --------------------*- C++ -*-===//
//
// A destination is overwritten in place, so whoever reads what was in it must
// come before. Data flow alone does not say so: reader and writer both use the
// old value.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_TRANSFORMS_MEMORY_H
#define MLAFUSE_LIB_TRANSFORMS_MEMORY_H

#include "mlir/IR/Operation.h"

namespace mlafuse {

/// The tensors that `op` may write in place.
llvm::SmallVector<mlir::Value> getWritten(mlir::Operation *op);

/// The first op in `block`, or in a region there, that reads or writes the
/// memory of `destination`; null: none. `isConcerned` is asked of the op of the
/// block itself. What `writer` makes is not followed; a view is no access.
mlir::Operation *
findAccess(mlir::Value destination, mlir::Operation *writer, mlir::Block *block,
           llvm::function_ref<bool(mlir::Operation *)> isConcerned);

/// True if an op besides `own` writes the memory of `destination` after the
/// first of them. A slice that is put back where it was taken is no write.
bool isWrittenByOthers(mlir::Value destination,
                       llvm::ArrayRef<mlir::Operation *> own);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_MEMORY_H
