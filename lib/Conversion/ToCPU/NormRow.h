//===- NormRow.h - RMSNorm of one row ---------------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_NORMROW_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_NORMROW_H

#include "../Rows/Norms.h"
#include "RowEmitter.h"

namespace mlafuse::cpu {

/// A row that was read into a buffer of f32, and 1 / rms of it.
struct LoadedRow {
  RowView values;
  mlir::Value inverseRms;
};

/// Reads a row (with a residual: the sum, which is stored rounded as well), so
/// that its memory may be overwritten from here on.
LoadedRow loadRow(Emitter &e, const NormSpec &norm, mlir::Value row);

/// A chunk of the normalized row, in f32, rounded to `resultType`.
mlir::Value normalizeChunk(Emitter &e, const NormSpec &norm,
                           const LoadedRow &loaded, mlir::Value column,
                           int64_t lanes);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_NORMROW_H
