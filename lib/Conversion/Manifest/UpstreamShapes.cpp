//===- UpstreamShapes.cpp - sizes that upstream ops require equal ---------===//

#include "Shapes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlafuse;

/// Size `i` of `mixed` (an attribute or an index value).
static Dim mixedDim(OpFoldResult size, DimSets &dims) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return dims.constant(*number);
  return dims.ofIndex(cast<Value>(size));
}

/// Dimensions of the slice `slice` of a larger tensor have the sizes of `op`,
/// but for those that a rank reduction drops.
static void relateSlice(OffsetSizeAndStrideOpInterface op, Value slice,
                        const llvm::SmallBitVector &dropped, DimSets &dims) {
  unsigned position = 0;
  for (auto [i, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(i))
      dims.equate(dims.of(slice, position++), mixedDim(size, dims));
}

/// Every dimension of `narrow` is the product of a group of dimensions of
/// `wide`.
static void relateReshape(Value narrow, Value wide,
                          ArrayRef<ReassociationIndices> groups,
                          DimSets &dims) {
  for (auto [i, group] : llvm::enumerate(groups)) {
    SmallVector<Dim, 4> factors;
    for (int64_t member : group)
      factors.push_back(dims.of(wide, member));
    dims.equate(dims.of(narrow, i), dims.product(factors));
  }
}

/// The dynamic sizes of `result`, in order.
static void relateDynamicSizes(Value result, ValueRange sizes, DimSets &dims) {
  auto type = cast<RankedTensorType>(result.getType());
  for (int64_t i : llvm::seq(type.getRank()))
    if (type.isDynamicDim(i)) {
      dims.equate(dims.of(result, i), dims.ofIndex(sizes.front()));
      sizes = sizes.drop_front();
    }
}

/// All dimensions but the one in which the parts follow each other.
static void relateConcat(tensor::ConcatOp op, DimSets &dims) {
  for (Value input : op.getInputs())
    for (unsigned i = 0, rank = op.getResultType().getRank(); i < rank; ++i)
      if (i != op.getDim())
        dims.equate(dims.of(op, i), dims.of(input, i));
}

/// Dimensions that one loop walks are equal.
static void relateLinalg(linalg::LinalgOp op, DimSets &dims) {
  SmallVector<std::optional<Dim>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      Dim dim = dims.of(operand.get(), i);
      std::optional<Dim> &walked = loops[loop.getPosition()];
      if (walked)
        dims.equate(*walked, dim);
      else
        walked = dim;
    }
  }
}

/// The size that an affine expression over index operands stands for.
static std::optional<Dim> affineDim(AffineExpr expr, ValueRange mapDims,
                                    ValueRange mapSymbols, DimSets &dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return dims.constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims.ofIndex(mapDims[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return dims.ofIndex(mapSymbols[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Dim> left =
      affineDim(binary.getLHS(), mapDims, mapSymbols, dims);
  if (!left)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::CeilDiv) {
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (divisor && divisor.getValue() > 0)
      return dims.ceilDiv(*left, divisor.getValue());
    return std::nullopt;
  }
  if (expr.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  std::optional<Dim> right =
      affineDim(binary.getRHS(), mapDims, mapSymbols, dims);
  if (!right)
    return std::nullopt;
  return dims.product({*left, *right});
}

template <typename OpT>
static void relateCeilDiv(OpT op, DimSets &dims) {
  APInt divisor;
  if (op.getType().isIndex() &&
      matchPattern(op.getRhs(), m_ConstantInt(&divisor)) &&
      divisor.isStrictlyPositive())
    dims.equate(
        dims.ofIndex(op.getResult()),
        dims.ceilDiv(dims.ofIndex(op.getLhs()), divisor.getSExtValue()));
}

static void relateLoop(scf::ForOp op, DimSets &dims) {
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  for (auto [init, argument, yielded, result] :
       llvm::zip(op.getInitArgs(), op.getRegionIterArgs(), yield.getOperands(),
                 op.getResults())) {
    dims.equateShapes(init, argument);
    dims.equateShapes(init, yielded);
    dims.equateShapes(init, result);
  }
}

void mlafuse::relateUpstreamShapes(Operation *op, DimSets &dims) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    relateLinalg(linalgOp, dims);
  if (auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      dims.equateShapes(result,
                        destinationStyle.getTiedOpOperand(result)->get());

  TypeSwitch<Operation *>(op)
      .Case([&](tensor::CastOp op) {
        dims.equateShapes(op.getSource(), op.getDest());
      })
      .Case([&](tensor::DimOp op) {
        if (std::optional<int64_t> index = op.getConstantIndex())
          if (isa<RankedTensorType>(op.getSource().getType()))
            dims.equate(dims.ofIndex(op.getResult()),
                        dims.of(op.getSource(), *index));
      })
      .Case([&](tensor::EmptyOp op) {
        for (auto [i, size] : llvm::enumerate(op.getMixedSizes()))
          dims.equate(dims.of(op, i), mixedDim(size, dims));
      })
      .Case([&](tensor::GenerateOp op) {
        relateDynamicSizes(op, op.getDynamicExtents(), dims);
      })
      .Case([&](tensor::SplatOp op) {
        relateDynamicSizes(op, op.getDynamicSizes(), dims);
      })
      .Case([&](tensor::ConcatOp op) { relateConcat(op, dims); })
      .Case([&](tensor::ExtractSliceOp op) {
        relateSlice(op, op.getResult(), op.getDroppedDims(), dims);
      })
      .Case([&](tensor::InsertSliceOp op) {
        relateSlice(op, op.getSource(), op.getDroppedDims(), dims);
        dims.equateShapes(op.getDest(), op.getResult());
      })
      .Case([&](tensor::CollapseShapeOp op) {
        relateReshape(op.getResult(), op.getSrc(), op.getReassociationIndices(),
                      dims);
      })
      .Case([&](tensor::ExpandShapeOp op) {
        for (auto [i, size] : llvm::enumerate(op.getMixedOutputShape()))
          dims.equate(dims.of(op.getResult(), i), mixedDim(size, dims));
        relateReshape(op.getSrc(), op.getResult(), op.getReassociationIndices(),
                      dims);
      })
      .Case([&](scf::ForOp op) { relateLoop(op, dims); })
      .Case([&](scf::ForallOp op) {
        for (auto [output, argument, result] : llvm::zip(
                 op.getOutputs(), op.getRegionIterArgs(), op.getResults())) {
          dims.equateShapes(output, argument);
          dims.equateShapes(output, result);
        }
      })
      .Case([&](scf::IfOp op) {
        for (Region *region : op.getRegions())
          if (!region->empty())
            for (auto [yielded, result] :
                 llvm::zip(region->front().getTerminator()->getOperands(),
                           op.getResults()))
              dims.equateShapes(yielded, result);
      })
      .Case([&](arith::SelectOp op) {
        dims.equateShapes(op.getTrueValue(), op.getResult());
        dims.equateShapes(op.getFalseValue(), op.getResult());
      })
      .Case([&](arith::MulIOp op) {
        if (op.getType().isIndex())
          dims.equate(dims.ofIndex(op.getResult()),
                      dims.product({dims.ofIndex(op.getLhs()),
                                    dims.ofIndex(op.getRhs())}));
      })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto op) { relateCeilDiv(op, dims); })
      .Case([&](affine::AffineApplyOp op) {
        unsigned dimCount = op.getAffineMap().getNumDims();
        if (std::optional<Dim> dim =
                affineDim(op.getAffineMap().getResult(0),
                          op.getOperands().take_front(dimCount),
                          op.getOperands().drop_front(dimCount), dims))
          dims.equate(dims.ofIndex(op.getResult()), *dim);
      });
}
