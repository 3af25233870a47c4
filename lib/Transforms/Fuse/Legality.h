//===- Legality.h - the rules of every fusion -------------------*- C++ -*-===//
//
// The same predicates guard the patterns, silently, and word the missed remarks
// afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_TRANSFORMS_LEGALITY_H
#define MLAFUSE_LIB_TRANSFORMS_LEGALITY_H

#include "Motion.h"
#include "NormSide.h"

namespace mlafuse {

/// What a quantization is of, looking through reshapes, slices and casts.
struct QuantSource {
  mlir::Value value;
  /// The first op that was looked through, seen from the producer; null: none.
  mlir::Operation *through = nullptr;
};
QuantSource getQuantSource(QuantizeOp quant);

/// Whether `norm` can take `quant` over; `plan` then brings them together.
Verdict checkNormQuantize(const NormSide &norm, QuantizeOp quant,
                          MotionPlan &plan);

/// Whether `producer` can quantize its output as `quant` does.
Verdict checkOutputQuantize(QuantizableOutput producer, QuantizeOp quant,
                            MotionPlan &plan);

/// Whether two norms can be one op, `q` on the lower columns.
Verdict checkSiblings(const NormSide &q, const NormSide &kv, MotionPlan &plan);

/// Rows and columns that a norm reads of a value.
struct ColumnRange {
  mlir::Value source;
  llvm::SmallVector<mlir::OpFoldResult> rowOffsets, rowSizes;
  int64_t begin = 0, width = 0;

  bool hasSameRows(const ColumnRange &other) const;
  bool overlaps(const ColumnRange &other) const {
    return begin < other.begin + other.width && other.begin < begin + width;
  }
};

/// The range that `norm` reads, if its input is a slice with known columns.
std::optional<ColumnRange> getColumnRange(const NormSide &norm);

/// The row offset of an op with a quantizable output, or null.
mlir::Value getOutputRowOffset(QuantizableOutput op);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_LEGALITY_H
