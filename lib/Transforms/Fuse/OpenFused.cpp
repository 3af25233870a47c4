//===- OpenFused.cpp - fused ops to their chains --------------------------===//
//
// rms_norm_quantize(x)  ==> quantize(rms_norm(x)), each side of a dual op too
// f(x) with a key       ==> quantize(f(x)), f with QuantizableOutput
//
// Legal because that is what the fused op is defined as: `exact` with a value
// of the model's type between, `contracted` with one of f32.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Transforms/Patterns.h"
#include "NormSide.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlafuse;

/// The locations that a fusion of two put together, or twice the one there is.
static std::pair<Location, Location> splitLocation(Location loc,
                                                   StringRef tag) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto name =
      fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  if (!name || name.getValue() != tag)
    return {loc, loc};
  return {fused.getLocations().front(), fused.getLocations().back()};
}

static Value createEmpty(OpBuilder &builder, Location loc,
                         ArrayRef<OpFoldResult> sizes, Type element) {
  return tensor::EmptyOp::create(builder, loc, sizes, element);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// The norm of `side` alone, into `init`. With a residual, its sum is the
/// second result.
static Operation *createNorm(OpBuilder &builder, Location loc,
                             const NormSide &side, Value init,
                             Value residualInit) {
  auto rounding = RoundingAttr::get(builder.getContext(), side.rounding);
  UnitAttr offset = side.weightOffset ? builder.getUnitAttr() : UnitAttr();
  if (side.residual)
    return AddRMSNormOp::create(
        builder, loc, side.input, side.weight, side.residual, side.count,
        ValueRange{init, residualInit}, side.epsilon, rounding, offset);
  return RMSNormOp::create(builder, loc, side.input, side.weight, side.count,
                           ValueRange{init}, side.epsilon, rounding, offset);
}

/// True if the value that `side` keeps for others is not the one that it
/// quantizes. A chain would compute it a second time.
static bool keepsOther(const NormSide &side) {
  Value kept = side.spec ? side.getNormalized() : Value();
  return kept && !kept.use_empty() &&
         getElementTypeOrSelf(kept) != side.getIntermediateType();
}

/// The norm of `side` of a dual op, with its quantization.
static Operation *createQuantized(OpBuilder &builder, Location loc,
                                  const NormSide &side) {
  UnitAttr offset = side.weightOffset ? builder.getUnitAttr() : UnitAttr();
  MLIRContext *context = builder.getContext();
  return RMSNormQuantizeOp::create(
      builder, loc, side.input, side.weight, side.residual, side.scale,
      side.scaleUb, side.globalScale, side.count, side.rowOffset,
      side.getInits(), side.epsilon, RoundingAttr::get(context, side.rounding),
      offset, side.spec.key, side.spec.layout, side.spec.rule,
      NumericsAttr::get(context, side.spec.numerics));
}

/// Builds the chain of `side` and appends its results, in the side's order.
static void openSide(OpBuilder &builder, Location loc, const NormSide &side,
                     SmallVectorImpl<Value> &results) {
  ValueRange inits = side.getInits();
  if (!side.spec) {
    Operation *norm = createNorm(builder, loc, side, inits[0], Value());
    results.push_back(norm->getResult(0));
    return;
  }
  auto [normLoc, quantLoc] = splitLocation(loc, "norm+quantize");
  Type between = side.getIntermediateType();
  Value kept, residualInit;
  if (std::optional<unsigned> index = side.getUnquantizedIndex())
    kept = inits[*index];
  if (std::optional<unsigned> index = side.getResidualIndex())
    residualInit = inits[*index];

  bool keepsBetween = kept && getElementTypeOrSelf(kept) == between;
  SmallVector<OpFoldResult> sizes;
  if (!keepsBetween)
    sizes = tensor::getMixedSizes(builder, normLoc, side.input);
  Value init =
      keepsBetween ? kept : createEmpty(builder, normLoc, sizes, between);
  Operation *norm = createNorm(builder, normLoc, side, init, residualInit);

  size_t taken = side.spec.hasScaleResult() ? 2 : 1;
  auto quant = QuantizeOp::create(
      builder, quantLoc, norm->getResult(0), side.scale, side.scaleUb,
      side.globalScale, side.count, side.rowOffset, inits.take_front(taken),
      side.spec.key, side.spec.layout, side.spec.rule);
  llvm::append_range(results, quant.getResults());
  if (side.residual)
    results.push_back(norm->getResult(1));
  if (keepsBetween) {
    results.push_back(norm->getResult(0));
  } else if (kept) {
    // A kept value of another type than the one between is a norm of its own.
    Value unread = residualInit ? createEmpty(builder, normLoc, sizes,
                                              getElementTypeOrSelf(side.input))
                                : Value();
    results.push_back(
        createNorm(builder, normLoc, side, kept, unread)->getResult(0));
  }
}

namespace {
template <typename OpT>
struct OpenNorm : public OpRewritePattern<OpT> {
  OpenNorm(MLIRContext *context, bool inPart)
      : OpRewritePattern<OpT>(context), inPart(inPart) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    SmallVector<NormSide, 2> sides = getNormSides(op);
    bool isDual = sides.size() > 1;
    if (inPart && !isDual && keepsOther(sides[0]))
      return rewriter.notifyMatchFailure(op, "no chain has its two values");
    auto locations = splitLocation(op.getLoc(), "siblings");
    SmallVector<Value> results;
    auto open = [&](Location loc, const NormSide &side) {
      if (inPart && keepsOther(side))
        llvm::append_range(results,
                           createQuantized(rewriter, loc, side)->getResults());
      else
        openSide(rewriter, loc, side, results);
    };
    open(locations.first, sides[0]);
    if (isDual)
      open(locations.second, sides[1]);
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  bool inPart;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops with a quantizable output
//===----------------------------------------------------------------------===//

/// The product of the leading `count` sizes of `value`.
static OpFoldResult getRows(OpBuilder &builder, Location loc, Value value,
                            unsigned count) {
  OpFoldResult rows = tensor::getMixedSize(builder, loc, value, 0);
  for (unsigned dim = 1; dim < count; ++dim) {
    OpFoldResult size = tensor::getMixedSize(builder, loc, value, dim);
    if (isConstantIntValue(size, 1))
      continue;
    rows = isConstantIntValue(rows, 1)
               ? size
               : OpFoldResult(
                     arith::MulIOp::create(
                         builder, loc,
                         getValueOrCreateConstantIndexOp(builder, loc, rows),
                         getValueOrCreateConstantIndexOp(builder, loc, size))
                         .getResult());
  }
  return rows;
}

/// The rows that `op` writes. The codes' destination does not tell: with a row
/// offset it is a larger buffer.
static OpFoldResult getOutputRows(OpBuilder &builder, Location loc,
                                  QuantizableOutput op) {
  if (auto batch = dyn_cast<AttentionBatchOp>(op.getOperation())) {
    auto value = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(builder, loc, size);
    };
    Value decodeRows = value(getRows(builder, loc, batch.getQNope(), 2));
    Value prefillRows = value(getRows(builder, loc, batch.getQ(), 1));
    return arith::AddIOp::create(builder, loc, decodeRows, prefillRows)
        .getResult();
  }
  // [B, S, H, ..] or [T, H, ..].
  Value first = op->getOperand(0);
  bool isBatched = cast<ShapedType>(first.getType()).getRank() == 4;
  return getRows(builder, loc, first, isBatched ? 2 : 1);
}

namespace {
template <typename OpT>
struct OpenOutput : public OpRewritePattern<OpT> {
  // Before an op is decomposed, which would keep its key.
  OpenOutput(MLIRContext *context)
      : OpRewritePattern<OpT>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    QuantSpec spec = op.getOutputQuant();
    if (!spec || op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op,
                                         "not quantized, or not on tensors");
    auto locations = splitLocation(op.getLoc(), "output+quantize");
    Location loc = locations.first;
    RankedTensorType type = op.getUnquantizedType();
    OpFoldResult width = rewriter.getIndexAttr(type.getShape().back());
    Value init =
        createEmpty(rewriter, loc, {getOutputRows(rewriter, loc, op), width},
                    type.getElementType());
    Operation *plain = op.buildUnquantized(rewriter, init);
    plain->setLoc(loc);

    size_t taken = spec.hasScaleResult() ? 2 : 1;
    auto quant = QuantizeOp::create(
        rewriter, locations.second, plain->getResult(0), op.getScale(),
        op.getScaleUb(), op.getGlobalScale(), op.getNumActualTokens(),
        op.getRowOffset(), op.getInits().take_front(taken), spec.key,
        spec.layout, spec.rule);
    SmallVector<Value> results(quant.getResults());
    llvm::append_range(results, plain->getResults().drop_front());
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void mlafuse::populateOpenFusedPatterns(RewritePatternSet &patterns,
                                        bool inPart) {
  patterns.add<OpenNorm<RMSNormQuantizeOp>, OpenNorm<DualRMSNormOp>,
               OpenNorm<DualRMSNormQuantizeOp>>(patterns.getContext(), inPart);
  patterns.add<OpenOutput<HeadProjectionOp>, OpenOutput<DecodeOp>,
               OpenOutput<PrefillOp>, OpenOutput<MergeAttnStatesOp>,
               OpenOutput<AttentionBatchOp>>(patterns.getContext());
}
