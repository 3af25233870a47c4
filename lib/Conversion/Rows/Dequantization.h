//===- Dequantization.h - scales of stored codes ----------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_DEQUANTIZATION_H
#define MLAFUSE_LIB_CONVERSION_ROWS_DEQUANTIZATION_H

#include "MLAFuse/IR/MLAFuse.h"
#include "Quantization.h"

namespace mlafuse::rows {

/// The f32 factor of the group at `column` of row `row`; `inverseGlobal` is
/// null but for NVFP4.
mlir::Value loadGroupScale(Emitter &e, DequantizeOp op, mlir::Value row,
                           mlir::Value column, mlir::Value inverseGlobal);

/// True for the scales of a weight's channels, one for each column: a vector of
/// them lies beside the codes. Any other key finds its scales by the group.
bool hasScalePerColumn(QuantKeyAttr key);

/// How many elements from a multiple of it on share a scale, at most.
int64_t getScaleSpan(QuantKeyAttr key, int64_t width);

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_DEQUANTIZATION_H
