//===- Reshape.cpp - which reshapes are views -----------------------------===//

#include "Reshape.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlafuse;

/// Between the outermost dimension and the row everything must be taken whole,
/// with sizes that make the strides multiples of each other.
static bool takesWholeRows(tensor::ExtractSliceOp slice) {
  RankedTensorType source = slice.getSourceType();
  if (slice.getType().getRank() != source.getRank() || !slice.hasUnitStride())
    return false;
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  for (int64_t dim = 1; dim + 1 < source.getRank(); ++dim)
    if (source.isDynamicDim(dim) ||
        getConstantIntValue(sizes[dim]) != source.getDimSize(dim))
      return false;
  return true;
}

bool mlafuse::hasEvenRows(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Only a function's own arguments have a layout that is known here.
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && argument.getOwner()->isEntryBlock() &&
           !function.getArgAttr(argument.getArgNumber(), "mlafuse.strided");
  }
  Operation *def = value.getDefiningOp();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def))
    return takesWholeRows(slice) && hasEvenRows(slice.getSource());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(def))
    return hasEvenRows(insert.getDest());
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def))
    return hasEvenRows(def->getOperand(0));
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(def))
    return hasEvenRows(
        destinations.getTiedOpOperand(cast<OpResult>(value))->get());
  // What makes memory of its own makes it contiguous; what a region yields may
  // be anything.
  return def->getNumRegions() == 0;
}

Value mlafuse::expandRows(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<ReassociationIndices> reassociation,
                          ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> expanded(sizes);
  expanded.back() = builder.getIndexAttr(type.getShape().back());
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(expanded, dynamic, shape);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       reassociation, expanded);
}

Value mlafuse::collapseRows(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<ReassociationIndices> reassociation) {
  return tensor::CollapseShapeOp::create(builder, loc, value, reassociation);
}
