//===- Origins.cpp - memory that the source itself asks for ---------------===//

#include "Origins.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlafuse;

static constexpr StringLiteral kOpName = "mlafuse.origin";
static constexpr StringLiteral kAsksForMemory = "mlafuse.asks_for_memory";

/// CSE merges empty tensors, and a program may use one twice: the contents are
/// undefined, so each use may as well have its own.
static void separateEmptyTensors(ModuleOp module) {
  SmallVector<tensor::EmptyOp> empties;
  module->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
  for (tensor::EmptyOp empty : empties) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : empty->getUses())
      if (!isa<tensor::DimOp>(use.getOwner()))
        uses.push_back(&use);
    OpBuilder builder(empty);
    // Uses are listed last to first; the first keeps the op.
    for (OpOperand *use : ArrayRef(uses).drop_back(uses.empty() ? 0 : 1)) {
      builder.setInsertionPointAfter(empty);
      use->set(builder.clone(*empty)->getResult(0));
    }
  }
}

static bool asksForMemory(Operation *op) {
  return isa<tensor::EmptyOp, tensor::InsertSliceOp, tensor::FromElementsOp,
             tensor::GenerateOp, tensor::SplatOp, tensor::PadOp,
             tensor::ConcatOp, tensor::ParallelInsertSliceOp,
             bufferization::AllocTensorOp, memref::AllocOp, memref::CopyOp,
             bufferization::MaterializeInDestinationOp>(op);
}

void mlafuse::markOrigins(ModuleOp module) {
  separateEmptyTensors(module);
  Builder builder(module.getContext());
  module->walk([&](Operation *op) {
    NamedAttrList mark;
    mark.append(kOpName, op->getName().getIdentifier());
    if (asksForMemory(op))
      mark.append(kAsksForMemory, builder.getUnitAttr());
    op->setLoc(FusedLoc::get({op->getLoc()},
                             mark.getDictionary(op->getContext()),
                             op->getContext()));
  });
}

static DictionaryAttr getMark(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto mark =
      fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
  return mark && mark.contains(kOpName) ? mark : nullptr;
}

std::optional<Origin> mlafuse::getOrigin(Location location) {
  DictionaryAttr mark = getMark(location);
  if (!mark)
    return std::nullopt;
  return Origin{mark.getAs<StringAttr>(kOpName).getValue(),
                mark.contains(kAsksForMemory)};
}

void mlafuse::unmarkOrigins(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FusedLoc location) -> std::optional<Attribute> {
    if (getMark(location))
      return location.getLocations().front();
    return std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
}
