//===- Origins.h - which op of the source asked for memory ------*- C++ -*-===//
//
// Bufferization keeps locations and little else, so the name of each op, and
// whether it allocates or copies by its own meaning, travel in its location.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_BUFFERIZE_ORIGINS_H
#define MLAFUSE_LIB_CONVERSION_BUFFERIZE_ORIGINS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mlafuse {

/// What made an op on memrefs.
struct Origin {
  llvm::StringRef opName;
  /// The op allocates or copies by its own meaning: tensor.empty, insert_slice
  /// and their like.
  bool asksForMemory;
};

/// Marks every op of `module` in its location. A tensor.empty that several ops
/// write is several allocations; each user gets its own.
void markOrigins(mlir::ModuleOp module);

/// What `location` was marked with; none for ops that came without a mark.
std::optional<Origin> getOrigin(mlir::Location location);

/// Takes the marks off.
void unmarkOrigins(mlir::ModuleOp module);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_BUFFERIZE_ORIGINS_H
