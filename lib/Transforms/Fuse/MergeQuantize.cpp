//===- MergeQuantize.cpp - one quantization in place of equal ones --------===//
//
// quantize(x) outs(a), quantize(x) outs(b) ==> quantize(x) outs(a), used twice
//
// Legal on values: both give the same codes. It must also not move a result out
// of memory that somebody looks at, so the destination that goes is one that
// nothing else can see; where a row is left as it was, both start from the same
// destination. Nor may it overwrite what is still read, or be overwritten
// before the last of its users. The location keeps what was merged, for the
// remarks.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "Memory.h"
#include "Phases.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

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
  Operation *def = init.getDefiningOp();
  if (isa_and_nonnull<tensor::CastOp, tensor::ExpandShapeOp,
                      tensor::CollapseShapeOp>(def))
    return isScratch(def->getOperand(0));
  return isa_and_nonnull<tensor::EmptyOp>(def);
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

/// True if `value` is there before `op`, or can be: `moved` are then the pure
/// ops that make it, in order.
static bool canComeBefore(Value value, Operation *op,
                          const DominanceInfo &dominance,
                          llvm::SetVector<Operation *> &moved) {
  Operation *def = value.getDefiningOp();
  if (dominance.properlyDominates(value, op) || moved.contains(def))
    return true;
  if (!def || def == op || !isPure(def) || def->getNumRegions() != 0 ||
      !llvm::all_of(def->getOperands(), [&](Value operand) {
        return canComeBefore(operand, op, dominance, moved);
      }))
    return false;
  moved.insert(def);
  return true;
}

/// True if no one needs what `writer` overwrites once `earlier` was there.
static bool canWriteAt(Value destination, Operation *writer,
                       QuantizeOp earlier) {
  Block *block = earlier->getBlock();
  Operation *end = block->findAncestorOpInBlock(*writer);
  // Across branches nobody looks for what is read between.
  return end && !findAccess(destination, writer, block, [&](Operation *op) {
           return !op->isBeforeInBlock(earlier) &&
                  (op == end || op->isBeforeInBlock(end));
         });
}

/// Replaces `later` by `earlier` if no one can tell.
static bool mergeInto(QuantizeOp earlier, QuantizeOp later,
                      const DominanceInfo &dominance) {
  if (!computeTheSame(earlier, later) ||
      !dominance.properlyDominates(earlier, later))
    return false;
  // A destination that is looked at stays; the earlier op may take the later
  // one's, if it can be there by then.
  SmallVector<Value> inits(earlier.getInits());
  llvm::SetVector<Operation *> moved;
  for (auto [init, other] : llvm::zip(inits, later.getInits())) {
    if (init == other || isScratch(other))
      continue;
    if (!isScratch(init) || !canComeBefore(other, earlier, dominance, moved) ||
        !canWriteAt(other, later, earlier))
      return false;
    init = other;
  }
  for (Operation *op : moved)
    for (Value written : getWritten(op))
      if (!canWriteAt(written, op, earlier))
        return false;
  if (llvm::any_of(inits, [&](Value init) {
        return isWrittenByOthers(init, {earlier, later});
      }))
    return false;
  for (Operation *op : moved)
    op->moveBefore(earlier);
  earlier.getInitsMutable().assign(inits);
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
