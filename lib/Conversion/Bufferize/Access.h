//===- Access.h - whether an argument's old contents matter -----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_BUFFERIZE_ACCESS_H
#define MLAFUSE_LIB_CONVERSION_BUFFERIZE_ACCESS_H

#include "MLAFuse/Conversion/Signature.h"

namespace mlafuse {

/// How the memref argument `index` of `function` is used: "read"; "write" if
/// its old contents are never read and all of it is overwritten; else
/// "readwrite". Memory that is returned untouched is read; one that is not used
/// at all keeps the access that its signature has. `signature` also tells which
/// sizes are equal.
llvm::StringRef getAccess(mlir::func::FuncOp function, unsigned index,
                          const FunctionSignature &signature);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_BUFFERIZE_ACCESS_H
