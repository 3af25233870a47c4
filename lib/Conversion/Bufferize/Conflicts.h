//===- Conflicts.h - copies that bufferization would add --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_BUFFERIZE_CONFLICTS_H
#define MLAFUSE_LIB_CONVERSION_BUFFERIZE_CONFLICTS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlafuse {

/// An operand that cannot be written in place.
struct Conflict {
  mlir::OpOperand *operand; ///< Null if the op's result is copied instead.
  mlir::Value original;     ///< What the operand was, or the result.
  mlir::Operation *op;
};

/// Runs the analysis of `module` and inserts the copies that it asks for, which
/// are returned. Fails where the analysis itself does, with its error.
mlir::FailureOr<llvm::SmallVector<Conflict>>
insertCopies(mlir::ModuleOp module,
             const mlir::bufferization::OneShotBufferizationOptions &options,
             mlir::bufferization::BufferizationState &state);

/// An error that names the op, and the later reader of the old value if there
/// is one.
void reportConflict(const Conflict &conflict);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_BUFFERIZE_CONFLICTS_H
