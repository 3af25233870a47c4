//===- MergeQuantize.cpp - one quantization in place of equal ones --------===//
//
// quantize(x) outs(a), quantize(x) outs(b) ==> quantize(x) outs(a), used twice
//
// Legal on values: both give the same codes. It must also not move a result out
// of memory that somebody looks at, so the destination that goes is one that
// nothing else can see; where a row is left as it was, both start from the same
// destination. The location keeps what was merged, for the remarks.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "Phases.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlafuse;

static constexpr StringLiteral mergeTag = "equal-quantize";

SmallVector<Location> mlafuse::getMergedLocations(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto name =
      fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  if (name && name.getValue() == mergeTag)
    return SmallVector<Location>(fused.getLocations());
  return {loc};
}

/// True if the memory of `init` is the op's alone: a slice of an empty tensor
/// is part of what somebody puts together.
static bool isScratch(Value init) {
  if (auto cast = init.getDefiningOp<tensor::CastOp>())
    return isScratch(cast.getSource());
  return init.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

static bool areScratch(QuantizeOp op) {
  return llvm::all_of(op.getInits(), isScratch);
}

static bool computeTheSame(QuantizeOp a, QuantizeOp b) {
  return a.getInput() == b.getInput() &&
         a.getQuantSpec().isEquivalentTo(b.getQuantSpec()) &&
         a.getScale() == b.getScale() && a.getScaleUb() == b.getScaleUb() &&
         a.getGlobalScale() == b.getGlobalScale() &&
         a.getNumActualTokens() == b.getNumActualTokens() &&
         a.getRowOffset() == b.getRowOffset() &&
         a.getResultTypes() == b.getResultTypes();
}

/// Replaces `later` by `earlier` if no one can tell.
static bool mergeInto(QuantizeOp earlier, QuantizeOp later,
                      const DominanceInfo &dominance) {
  if (!computeTheSame(earlier, later) ||
      !dominance.properlyDominates(earlier, later))
    return false;
  if (earlier.getInits() != later.getInits() && !areScratch(later)) {
    // The later one's destination is looked at: the earlier one may take it, if
    // its own is not and the other's is there already.
    bool canSwap =
        areScratch(earlier) && llvm::all_of(later.getInits(), [&](Value init) {
          return dominance.properlyDominates(init, earlier);
        });
    if (!canSwap)
      return false;
    earlier.getInitsMutable().assign(later.getInits());
  }
  SmallVector<Location> locations = getMergedLocations(earlier.getLoc());
  llvm::append_range(locations, getMergedLocations(later.getLoc()));
  earlier->setLoc(FusedLoc::get(locations,
                                StringAttr::get(earlier.getContext(), mergeTag),
                                earlier.getContext()));
  later->replaceAllUsesWith(earlier);
  later->erase();
  return true;
}

void mlafuse::mergeEqualQuantizations(ModuleOp module) {
  llvm::MapVector<Value, SmallVector<QuantizeOp>> bySource;
  module.walk<WalkOrder::PreOrder>([&](QuantizeOp op) {
    if (op->getNumResults() != 0)
      bySource[op.getInput()].push_back(op);
  });
  DominanceInfo dominance(module);
  for (auto &[source, quants] : bySource) {
    SmallVector<QuantizeOp> kept;
    for (QuantizeOp later : quants)
      if (llvm::none_of(kept, [&](QuantizeOp earlier) {
            return mergeInto(earlier, later, dominance);
          }))
        kept.push_back(later);
  }
}
