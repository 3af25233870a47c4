//===- Reshape.h - which reshapes are views ---------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_TRANSFORMS_RESHAPE_H
#define MLAFUSE_LIB_TRANSFORMS_RESHAPE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlafuse {

/// True if the rows of `value` are evenly spaced in whatever memory it gets, as
/// far as the type system can tell afterwards: collapsing it is then a view.
bool hasEvenRows(mlir::Value value);

/// `value` with its leading dimensions expanded to those of `sizes`; the last
/// one is its own.
mlir::Value expandRows(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value,
                       llvm::ArrayRef<mlir::ReassociationIndices> reassociation,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// `value` with its leading dimensions collapsed.
mlir::Value
collapseRows(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
             llvm::ArrayRef<mlir::ReassociationIndices> reassociation);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_RESHAPE_H
