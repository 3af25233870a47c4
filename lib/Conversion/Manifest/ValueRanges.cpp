//===- ValueRanges.cpp - values that make sense for an input --------------===//

#include "ValueRanges.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlafuse;

// Positive and near one: what dequantization multiplies or divides by.
static InputRange scaleRange() { return {0.5, 2.0}; }

/// Indices below the number of slots of a cache.
static InputRange slotRange(Value cache, DimSets &dims, bool distinct) {
  return {0.0, dims.product({dims.of(cache, 0), dims.of(cache, 1)}), distinct};
}

/// From `low` to `last`, both included.
static InputRange countRange(RangeBound low, Dim last, DimSets &dims) {
  return {low, dims.sum({last, dims.constant(1)})};
}

template <typename OpT>
static std::optional<InputRange> pagedRange(OpT op, Value queries, Value value,
                                            DimSets &dims) {
  if (value == op.getBlockTable())
    return InputRange{0.0, dims.of(op.getCache(), 0)};
  if (value == op.getSeqLens())
    // At least the queries themselves; no more than the table has room for.
    return countRange(dims.of(queries, 1),
                      dims.product({dims.of(op.getBlockTable(), 1),
                                    dims.of(op.getCache(), 1)}),
                      dims);
  if (value == op.getIndices())
    return slotRange(op.getCache(), dims, /*distinct=*/false);
  if (value == op.getKScale())
    return scaleRange();
  return std::nullopt;
}

template <typename OpT>
static std::optional<InputRange> scaleOperandRange(OpT op, Value value) {
  if (value == op.getScale() || value == op.getScaleUb() ||
      value == op.getGlobalScale())
    return scaleRange();
  return std::nullopt;
}

/// How many rows a count of actual tokens can name, at most.
static Dim getCountedRows(Operation *op, DimSets &dims) {
  if (auto batch = dyn_cast<AttentionBatchOp>(op))
    return dims.of(batch.getOutputInit(), 0);
  Value first = op->getOperand(0);
  // [B, S, H, ..] has rows of B * S, [T, H, ..] of T.
  if (isa<LatentAttentionOp, HeadProjectionOp, DecodeOp>(op))
    return dims.product({dims.of(first, 0), dims.of(first, 1)});
  if (isa<RopeOp, PrefillOp, MergeAttnStatesOp>(op))
    return dims.of(first, 0);
  return dims.rows(first);
}

/// What `op` asks of its operand `value`.
static std::optional<InputRange> rangeOfOperand(Operation *op, Value value,
                                                DimSets &dims) {
  using Range = std::optional<InputRange>;
  if (auto rowOp = dyn_cast<RowOpInterface>(op))
    if (value == rowOp.getTokenCount())
      return countRange(0.0, getCountedRows(op, dims), dims);
  return TypeSwitch<Operation *, Range>(op)
      .Case<RMSNormQuantizeOp, QuantizeOp, HeadProjectionOp, PrefillOp,
            MergeAttnStatesOp>(
          [&](auto op) { return scaleOperandRange(op, value); })
      .Case([&](DualRMSNormQuantizeOp op) -> Range {
        for (Value scale :
             {op.getQScale(), op.getKvScale(), op.getQScaleUb(),
              op.getKvScaleUb(), op.getQGlobalScale(), op.getKvGlobalScale()})
          if (value == scale)
            return scaleRange();
        return std::nullopt;
      })
      .Case([&](DequantizeOp op) -> Range {
        bool isFloat = isa<FloatType>(getElementTypeOrSelf(value.getType())) &&
                       (value == op.getScale() || value == op.getGlobalScale());
        return isFloat ? Range(scaleRange()) : std::nullopt;
      })
      .Case([&](RopeOp op) -> Range {
        if (value == op.getPositions())
          return InputRange{0.0, dims.of(op.getCosSin(), 0)};
        if (value == op.getCosSin())
          return InputRange{-1.0, 1.0};
        return std::nullopt;
      })
      .Case([&](CacheUpdateOp op) -> Range {
        if (value == op.getSlotMapping())
          return slotRange(op.getInits()[0], dims, /*distinct=*/true);
        return value == op.getKScale() ? Range(scaleRange()) : std::nullopt;
      })
      .Case([&](LatentAttentionOp op) {
        return pagedRange(op, op.getQ(), value, dims);
      })
      .Case<DecodeOp, AttentionBatchOp>([&](auto op) {
        Range range = pagedRange(op, op.getQNope(), value, dims);
        return range ? range : scaleOperandRange(op, value);
      })
      .Default(Range());
}

std::optional<Dim> mlafuse::findOffsetsEnd(Value input, DimSets &dims) {
  for (Operation *user : input.getUsers()) {
    std::optional<Dim> end = TypeSwitch<Operation *, std::optional<Dim>>(user)
                                 .Case<PrefillOp, AttentionBatchOp>(
                                     [&](auto op) -> std::optional<Dim> {
                                       if (input == op.getCuSeqlensQ())
                                         return dims.of(op.getQ(), 0);
                                       if (input == op.getCuSeqlensK())
                                         return dims.of(op.getK(), 0);
                                       return std::nullopt;
                                     })
                                 .Case([&](tensor::CastOp op) {
                                   return findOffsetsEnd(op.getResult(), dims);
                                 })
                                 .Default(std::optional<Dim>());
    if (end)
      return end;
  }
  return std::nullopt;
}

std::optional<InputRange> mlafuse::findInputRange(Value input, DimSets &dims) {
  for (OpOperand &use : input.getUses()) {
    Operation *user = use.getOwner();
    if (std::optional<InputRange> range = rangeOfOperand(user, input, dims))
      return range;
    if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            tensor::ExtractSliceOp>(user))
      if (std::optional<InputRange> range =
              findInputRange(user->getResult(0), dims))
        return range;
  }
  return std::nullopt;
}
