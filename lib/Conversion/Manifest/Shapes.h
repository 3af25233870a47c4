//===- Shapes.h - sizes that ops require equal ------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_MANIFEST_SHAPES_H
#define MLAFUSE_LIB_CONVERSION_MANIFEST_SHAPES_H

#include "DimSets.h"
#include "mlir/IR/Operation.h"

namespace mlafuse {

/// Adds what an op of the mlafuse dialect says of sizes, with names for them.
void relateOwnShapes(mlir::Operation *op, DimSets &dims);

/// Adds what upstream ops and interfaces say of sizes: destination passing,
/// views, linalg, structured control flow and index arithmetic.
void relateUpstreamShapes(mlir::Operation *op, DimSets &dims);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_MANIFEST_SHAPES_H
