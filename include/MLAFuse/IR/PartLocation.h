//===- PartLocation.h - ops that stand for part of another ------*- C++ -*-===//
#ifndef MLAFUSE_IR_PARTLOCATION_H
#define MLAFUSE_IR_PARTLOCATION_H

#include "mlir/IR/Location.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlafuse {

/// The location of the ops that `op` is decomposed into: it names `op`.
mlir::Location getPartLocation(mlir::Operation *op);

/// The name of the op in the source that an op with this location is a part of;
/// empty if it is none.
llvm::StringRef getWholeName(mlir::Location location);

} // namespace mlafuse

#endif // MLAFUSE_IR_PARTLOCATION_H
