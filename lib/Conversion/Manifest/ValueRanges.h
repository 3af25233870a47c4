//===- ValueRanges.h - values that make sense for an input ------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_MANIFEST_VALUERANGES_H
#define MLAFUSE_LIB_CONVERSION_MANIFEST_VALUERANGES_H

#include "DimSets.h"
#include "mlir/IR/Operation.h"

#include <variant>

namespace mlafuse {

/// One end of a range: a number or a size.
using RangeBound = std::variant<double, Dim>;

/// `low` is inclusive, `high` exclusive.
struct InputRange {
  RangeBound low, high;
  bool distinct = false; ///< No value twice.
};

/// The range that the ops which read `input`, directly or through views, ask
/// for; none if they take any value.
std::optional<InputRange> findInputRange(mlir::Value input, DimSets &dims);

/// The size up to which the values of `input` ascend from 0, where ops read it
/// as the offsets of a batch's sequences; none if they do not.
std::optional<Dim> findOffsetsEnd(mlir::Value input, DimSets &dims);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_MANIFEST_VALUERANGES_H
