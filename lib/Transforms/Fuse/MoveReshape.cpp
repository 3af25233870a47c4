//===- MoveReshape.cpp - reshapes above the norm they follow --------------===//
//
// reshape(rms_norm(x) outs(y)) ==> rms_norm(reshape(x)) outs(reshape(y))
//
// where a quantization reads the reshape. Legal because a norm works row by row
// and the reshape keeps the rows; done only where the reshape stays a view,
// since collapsing memory whose rows are not evenly spaced copies it.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "MLAFuse/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlafuse;

/// True if the rows of `value` are evenly spaced in whatever memory it gets, as
/// far as the type system can tell afterwards.
static bool hasEvenRows(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Only a function's own arguments have a layout that is known here.
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && argument.getOwner()->isEntryBlock() &&
           !function.getArgAttr(argument.getArgNumber(), "mlafuse.strided");
  }
  Operation *def = value.getDefiningOp();
  if (auto cast = dyn_cast<tensor::CastOp>(def))
    return hasEvenRows(cast.getSource());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def)) {
    // Between the outermost dimension and the row everything must be taken
    // whole, with sizes that make the strides multiples of each other.
    RankedTensorType source = slice.getSourceType();
    if (slice.getType().getRank() != source.getRank() || !slice.hasUnitStride())
      return false;
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    for (int64_t dim = 1; dim + 1 < source.getRank(); ++dim)
      if (source.isDynamicDim(dim) ||
          getConstantIntValue(sizes[dim]) != source.getDimSize(dim))
        return false;
    return hasEvenRows(slice.getSource());
  }
  return true;
}

/// `reshape`, of another value.
template <typename OpT>
static Value reshapeLike(PatternRewriter &rewriter, OpT reshape, Value value) {
  Location loc = reshape.getLoc();
  auto type = cast<RankedTensorType>(reshape->getResult(0).getType())
                  .clone(getElementTypeOrSelf(value));
  if constexpr (std::is_same_v<OpT, tensor::CollapseShapeOp>)
    return tensor::CollapseShapeOp::create(rewriter, loc, type, value,
                                           reshape.getReassociation());
  else if constexpr (std::is_same_v<OpT, tensor::ExpandShapeOp>)
    return tensor::ExpandShapeOp::create(rewriter, loc, type, value,
                                         reshape.getReassociationIndices(),
                                         reshape.getMixedOutputShape());
  else
    return tensor::CastOp::create(rewriter, loc, type, value);
}

/// True if the innermost dimension is its own group.
template <typename OpT>
static bool keepsRows(OpT reshape) {
  if constexpr (std::is_same_v<OpT, tensor::CastOp>)
    return isa<RankedTensorType>(reshape.getType());
  else
    return reshape.getReassociationIndices().back().size() == 1;
}

namespace {
template <typename OpT>
struct MoveReshapeAboveNorm : public OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT reshape,
                                PatternRewriter &rewriter) const override {
    auto norm = reshape->getOperand(0).template getDefiningOp<RMSNormOp>();
    if (!norm || !norm->hasOneUse())
      return rewriter.notifyMatchFailure(reshape, "not of a norm's only user");
    if (llvm::none_of(reshape->getUsers(),
                      [](Operation *user) { return isa<QuantizeOp>(user); }))
      return rewriter.notifyMatchFailure(reshape, "not quantized");
    if (!keepsRows(reshape))
      return rewriter.notifyMatchFailure(reshape, "rows are not kept");
    // A cast that forgets sizes is folded into its user.
    if (auto cast = dyn_cast<tensor::CastOp>(reshape.getOperation());
        cast && tensor::canFoldIntoConsumerOp(cast))
      return rewriter.notifyMatchFailure(reshape, "folds downwards");
    Value init = norm.getInits()[0];
    if (cast<ShapedType>(norm.getInput().getType()).getShape() !=
        cast<ShapedType>(init.getType()).getShape())
      return rewriter.notifyMatchFailure(norm, "sizes are known differently");
    if (std::is_same_v<OpT, tensor::CollapseShapeOp> &&
        !(hasEvenRows(norm.getInput()) && hasEvenRows(init)))
      return rewriter.notifyMatchFailure(norm, "the reshape could copy");

    Value input = reshapeLike(rewriter, reshape, norm.getInput());
    Value newInit = reshapeLike(rewriter, reshape, init);
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
} // namespace

void mlafuse::populateMoveReshapePatterns(RewritePatternSet &patterns) {
  patterns.add<MoveReshapeAboveNorm<tensor::CollapseShapeOp>,
               MoveReshapeAboveNorm<tensor::ExpandShapeOp>,
               MoveReshapeAboveNorm<tensor::CastOp>>(patterns.getContext());
}
