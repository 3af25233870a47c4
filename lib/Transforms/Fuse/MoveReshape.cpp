//===- MoveReshape.cpp - reshapes out of the way of a fusion --------------===//
//
// quantize(reshape(v)) outs(q) ==> reshape'(quantize(v) outs(reshape(q)))
//   v the value of a norm or an output that can be quantized
// reshape(rms_norm(x) outs(y)) ==> rms_norm(reshape(x)) outs(reshape(y))
//   where a quantization reads it and the first cannot be had
// collapse(head_projection(x) outs(y)) ==> head_projection(x) outs(collapse(y))
//   from [B, S, H, N] to the [B*S, H*N] that can be quantized
//
// Legal because all of them work row by row, and the reshape keeps the rows and
// their order. Done only where the reshape stays a view: collapsing memory
// whose rows are not evenly spaced copies it. The first is preferred since it
// touches neither the norm, which may have a sibling, nor its other users.
//
//===----------------------------------------------------------------------===//

#include "Legality.h"
#include "MLAFuse/Transforms/Patterns.h"
#include "Reshape.h"

using namespace mlir;
using namespace mlafuse;

/// True if a quantization of `value` could be fused into what makes it.
static bool isFusable(Value value) {
  if (getNormOf(value))
    return true;
  auto output = dyn_cast_or_null<QuantizableOutput>(value.getDefiningOp());
  return output && value == output->getResult(0) &&
         output.getUnquantizedType().getRank() == 2;
}

/// A quantization of `input` into other codes, all else as `quant` has it.
static QuantizeOp requantize(PatternRewriter &rewriter, QuantizeOp quant,
                             Value input, Value codes) {
  SmallVector<Value> inits(quant.getInits());
  inits[0] = codes;
  return QuantizeOp::create(
      rewriter, quant.getLoc(), input, quant.getScale(), quant.getScaleUb(),
      quant.getGlobalScale(), quant.getNumActualTokens(), quant.getRowOffset(),
      inits, quant.getKeyAttr(), quant.getScaleLayoutAttr(),
      quant.getScaleRuleAttr());
}

/// The sizes of the value of a norm or of an output, without a use of it that
/// would keep it alive.
static SmallVector<OpFoldResult> getSizes(PatternRewriter &rewriter,
                                          Location loc, Value value) {
  auto def = cast<DestinationStyleOpInterface>(value.getDefiningOp());
  return tensor::getMixedSizes(
      rewriter, loc, def.getTiedOpOperand(cast<OpResult>(value))->get());
}

/// How `reshape`, if it is one, groups its dimensions, the last by itself.
static std::optional<SmallVector<ReassociationIndices>>
getRowGroups(Operation *reshape) {
  SmallVector<ReassociationIndices> groups;
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(reshape))
    groups = expand.getReassociationIndices();
  else if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(reshape))
    groups = collapse.getReassociationIndices();
  if (groups.empty() || groups.back().size() != 1)
    return std::nullopt;
  return groups;
}

/// True if `quant` reads a reshape that can move below it. Both ways the codes
/// or their result are collapsed.
static bool canMoveBelow(QuantizeOp quant) {
  Operation *reshape = quant.getInput().getDefiningOp();
  // With a row offset the codes are a larger buffer than the input.
  return quant->getNumResults() != 0 && !quant.getRowOffset() &&
         getRowGroups(reshape) && isFusable(reshape->getOperand(0)) &&
         hasEvenRows(quant.getCodesInit());
}

static bool isQuantized(Operation *reshape) {
  return llvm::any_of(reshape->getUsers(),
                      [](Operation *user) { return isa<QuantizeOp>(user); });
}

namespace {
struct MoveReshapeBelowQuantize : public OpRewritePattern<QuantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(QuantizeOp quant,
                                PatternRewriter &rewriter) const override {
    Operation *reshape = quant.getInput().getDefiningOp();
    if (!canMoveBelow(quant))
      return rewriter.notifyMatchFailure(quant, "no reshape that could move");
    Location loc = reshape->getLoc();
    Value codes = quant.getCodesInit(), source = reshape->getOperand(0);
    SmallVector<ReassociationIndices> groups = *getRowGroups(reshape);
    auto replace = [&](Value newCodes, auto reshapeBack) {
      QuantizeOp moved = requantize(rewriter, quant, source, newCodes);
      SmallVector<Value> results(moved.getResults());
      results[0] = reshapeBack(results[0]);
      // What the users know of the sizes.
      if (results[0].getType() != codes.getType())
        results[0] =
            tensor::CastOp::create(rewriter, loc, codes.getType(), results[0]);
      rewriter.replaceOp(quant, results);
    };
    auto expand = [&](Value value, ArrayRef<OpFoldResult> sizes) {
      return expandRows(rewriter, loc, value, groups, sizes);
    };
    auto collapse = [&](Value value) {
      return collapseRows(rewriter, loc, value, groups);
    };
    if (auto expanded = dyn_cast<tensor::ExpandShapeOp>(reshape)) {
      replace(collapse(codes), [&](Value result) {
        return expand(result, expanded.getMixedOutputShape());
      });
      return success();
    }
    replace(expand(codes, getSizes(rewriter, loc, source)), collapse);
    return success();
  }
};

/// A quantization needs no cast of its input: shapes must only be compatible.
struct DropCast : public OpRewritePattern<QuantizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(QuantizeOp quant,
                                PatternRewriter &rewriter) const override {
    auto cast = quant.getInput().getDefiningOp<tensor::CastOp>();
    if (!cast || quant->getNumResults() == 0 ||
        !isa<RankedTensorType>(cast.getSource().getType()) ||
        !isFusable(cast.getSource()))
      return rewriter.notifyMatchFailure(quant, "not of a cast in the way");
    rewriter.modifyOpInPlace(
        quant, [&] { quant.getInputMutable().assign(cast.getSource()); });
    return success();
  }
};

template <typename OpT>
struct MoveReshapeAboveNorm : public OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT reshape,
                                PatternRewriter &rewriter) const override {
    auto norm = reshape.getSrc().template getDefiningOp<RMSNormOp>();
    if (!norm || !norm->hasOneUse())
      return rewriter.notifyMatchFailure(reshape, "not of a norm's only user");
    if (!isQuantized(reshape))
      return rewriter.notifyMatchFailure(reshape, "not quantized");
    if (llvm::any_of(reshape->getUsers(), [](Operation *user) {
          auto quant = dyn_cast<QuantizeOp>(user);
          return quant && canMoveBelow(quant);
        }))
      return rewriter.notifyMatchFailure(reshape, "moves below");
    auto groups = getRowGroups(reshape);
    if (!groups)
      return rewriter.notifyMatchFailure(reshape, "rows are not kept");
    Value init = norm.getInits()[0];
    if (cast<ShapedType>(norm.getInput().getType()).getShape() !=
        cast<ShapedType>(init.getType()).getShape())
      return rewriter.notifyMatchFailure(norm, "sizes are known differently");
    if (std::is_same_v<OpT, tensor::CollapseShapeOp> &&
        !(hasEvenRows(norm.getInput()) && hasEvenRows(init)))
      return rewriter.notifyMatchFailure(norm, "the reshape could copy");

    auto reshapeLike = [&](Value value) {
      if constexpr (std::is_same_v<OpT, tensor::CollapseShapeOp>)
        return collapseRows(rewriter, reshape.getLoc(), value, *groups);
      else
        return expandRows(rewriter, reshape.getLoc(), value, *groups,
                          reshape.getMixedOutputShape());
    };
    Value input = reshapeLike(norm.getInput()), newInit = reshapeLike(init);
    rewriter.replaceOp(
        reshape,
        RMSNormOp::create(rewriter, norm.getLoc(), input, norm.getWeight(),
                          norm.getNumActualTokens(), ValueRange{newInit},
                          norm.getEpsilonAttr(), norm.getRoundingAttr(),
                          norm.getWeightOffsetAttr())
            .getResults());
    return success();
  }
};

struct ProjectIntoRows : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    auto project = collapse.getSrc().getDefiningOp<HeadProjectionOp>();
    if (!project || !project->hasOneUse() || project.getOutputQuant() ||
        project.getRowOffset())
      return rewriter.notifyMatchFailure(collapse, "not of a projection alone");
    if (!isQuantized(collapse))
      return rewriter.notifyMatchFailure(collapse, "not quantized");
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    Value init = project.getInits()[0];
    if (collapse.getSrcType().getRank() != 4 || groups.size() != 2 ||
        groups[0].size() != 2 || !hasEvenRows(init))
      return rewriter.notifyMatchFailure(collapse, "not to rows, or a copy");
    rewriter.setInsertionPoint(project);
    Value rows = collapseRows(rewriter, collapse.getLoc(), init, groups);
    Operation *inRows = project.buildUnquantized(rewriter, rows);
    rewriter.replaceOp(collapse, inRows->getResult(0));
    return success();
  }
};
} // namespace

void mlafuse::populateMoveReshapePatterns(RewritePatternSet &patterns) {
  patterns.add<MoveReshapeBelowQuantize, DropCast,
               MoveReshapeAboveNorm<tensor::CollapseShapeOp>,
               MoveReshapeAboveNorm<tensor::ExpandShapeOp>, ProjectIntoRows>(
      patterns.getContext());
}
