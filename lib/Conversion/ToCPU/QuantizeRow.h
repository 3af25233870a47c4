//===- QuantizeRow.h - codes and scales of one row --------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_QUANTIZEROW_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_QUANTIZEROW_H

#include "../Rows/Quantization.h"
#include "RowEmitter.h"

namespace mlafuse::cpu {

/// Columns of a row: all of it, or those that one head or a few of them give.
/// `width` is a multiple of the scale's group.
struct Segment {
  mlir::Value begin; ///< An index.
  int64_t width;
};

/// The least number of `part` columns (a divisor of the row) that can be
/// quantized apart from the rest: whole groups, and whole words of packed
/// scales.
int64_t getSegmentWidth(const QuantBuffers &buffers, int64_t part);

/// Quantizes the segment of a row whose chunks `source` gives, and stores codes
/// and scales as row `row` (before the row offset). A scale that covers more of
/// the row than registers hold needs the chunks twice: from `memo`, a row of
/// f32 that the first pass fills, or, if `memo` has no buffer, from `source`
/// again. `source` must not have effects then.
void quantizeRow(Emitter &e, const QuantBuffers &buffers,
                 const QuantConstants &constants, mlir::Value row,
                 const Segment &segment, ChunkSource source,
                 const RowView &memo);

/// The whole row.
Segment getWholeRow(Emitter &e, const QuantBuffers &buffers);

/// Writes the zeros of the scale layout's row padding, if rows [0, rows) and
/// the offset reach the end of the codes.
void zeroScalePadding(Emitter &e, const QuantBuffers &buffers,
                      mlir::Value rows);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_QUANTIZEROW_H
