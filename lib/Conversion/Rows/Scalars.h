//===- Scalars.h - terse building of scalar arithmetic ----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_SCALARS_H
#define MLAFUSE_LIB_CONVERSION_ROWS_SCALARS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlafuse::rows {

using Emitter = mlir::ImplicitLocOpBuilder;

/// Constants: an index, an f32.
mlir::Value index(Emitter &e, int64_t value);
mlir::Value constant(Emitter &e, double value);

/// Integer arithmetic on indices.
mlir::Value plus(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value plus(Emitter &e, mlir::Value a, int64_t b);
mlir::Value minus(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value times(Emitter &e, mlir::Value a, int64_t b);
mlir::Value dividedBy(Emitter &e, mlir::Value a, int64_t b);

/// f32 arithmetic on values of one shape; the larger of two ignores a NaN in
/// `b`.
mlir::Value mul(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value add(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value maximum(Emitter &e, mlir::Value a, mlir::Value b);

/// Static size `dim` of a memref.
int64_t getSize(mlir::Value buffer, int64_t dim);
/// Its innermost size.
int64_t getWidth(mlir::Value buffer);

/// An integer element as an index.
mlir::Value loadIndex(Emitter &e, mlir::Value buffer, mlir::ValueRange indices);
/// The only element of a one-element memref.
mlir::Value loadScalar(Emitter &e, mlir::Value buffer);

/// `scalar` in each of `lanes` lanes.
mlir::Value splat(Emitter &e, mlir::Value scalar, int64_t lanes);

using Combine =
    llvm::function_ref<mlir::Value(Emitter &, mlir::Value, mlir::Value)>;

/// Folds the lanes of a vector into a scalar, as a tree.
mlir::Value reduceLanes(Emitter &e, mlir::Value vector, Combine combine);

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_SCALARS_H
