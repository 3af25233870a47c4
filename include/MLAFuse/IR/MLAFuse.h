//===- MLAFuse.h - the mlafuse dialect --------------------------*- C++ -*-===//
#ifndef MLAFUSE_IR_MLAFUSE_H
#define MLAFUSE_IR_MLAFUSE_H

#include "MLAFuse/IR/Attrs.h"
#include "MLAFuse/IR/QuantSpec.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlafuse {
class RowOpInterface;

/// Appends the types of the tensors among `destinations`: the result types of a
/// destination-passing op.
void appendTensorTypes(mlir::ValueRange destinations,
                       llvm::SmallVectorImpl<mlir::Type> &types);

/// Memory effects of an op on memrefs: inputs are read, destinations written,
/// and read too where some of their old contents survive. None on tensors.
void getRowOpEffects(RowOpInterface op,
                     llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<
                         mlir::MemoryEffects::Effect>> &effects);
} // namespace mlafuse

#include "MLAFuse/IR/MLAFuseDialect.h.inc"
#include "MLAFuse/IR/MLAFuseInterfaces.h.inc"

#define GET_OP_CLASSES
#include "MLAFuse/IR/MLAFuseOps.h.inc"

#endif // MLAFUSE_IR_MLAFUSE_H
