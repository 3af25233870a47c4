//===- VerifyKernelOp.h - what every kernel asks of its op ------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_VERIFYKERNELOP_H
#define MLAFUSE_LIB_CONVERSION_ROWS_VERIFYKERNELOP_H

#include "mlir/IR/Operation.h"

namespace mlafuse::rows {

/// Checks that `op` is on memrefs whose innermost stride is known to be 1, and
/// that no scale of its output needs all rows. `target` names the kernel's
/// target in the errors.
llvm::LogicalResult verifyKernelOp(mlir::Operation *op, llvm::StringRef target);

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_VERIFYKERNELOP_H
