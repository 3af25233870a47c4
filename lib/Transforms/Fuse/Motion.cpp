//===- Motion.cpp - making two ops neighbours -----------------------------===//

#include "Motion.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "Memory.h"
#include "Phases.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlafuse;

/// Ops of `first`'s block after it that `second` needs, in block order. Stops
/// at a path to `first` other than `link`, and gives the op at its end.
static Operation *collectNeeded(Operation *first, Operation *second,
                                OpOperand *link,
                                SmallVectorImpl<Operation *> &needed) {
  Block *block = first->getBlock();
  llvm::SetVector<Operation *> slice;
  Operation *dependent = nullptr;
  auto visit = [&](Operation *user, Value value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return;
    def = block->findAncestorOpInBlock(*def);
    if (!def || def == second)
      return;
    if (def == first)
      dependent = user;
    else if (first->isBeforeInBlock(def))
      slice.insert(def);
  };
  for (OpOperand &operand : second->getOpOperands())
    if (&operand != link)
      visit(second, operand.get());
  for (size_t i = 0; i < slice.size() && !dependent; ++i) {
    Operation *op = slice[i];
    // Ops inside regions may use values from outside without naming them.
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        visit(op, operand);
    });
  }
  needed.assign(slice.begin(), slice.end());
  llvm::sort(needed,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return dependent;
}

/// Users of `first` before `end`, direct or not, in block order. Stops at one
/// with effects, and gives it.
static Operation *collectUsers(Operation *first, Operation *end,
                               SmallVectorImpl<Operation *> &users) {
  Block *block = first->getBlock();
  llvm::SetVector<Operation *> slice;
  slice.insert(first);
  for (size_t i = 0; i < slice.size(); ++i)
    for (Operation *user : slice[i]->getUsers()) {
      user = block->findAncestorOpInBlock(*user);
      if (!user || !user->isBeforeInBlock(end))
        continue;
      if (!isMemoryEffectFree(user))
        return user;
      slice.insert(user);
    }
  users.assign(std::next(slice.begin()), slice.end());
  llvm::sort(users,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return nullptr;
}

/// Where `op`, between the two or one of them, stands after the moves.
static unsigned getPlace(Operation *op, const MotionPlan &plan) {
  if (llvm::is_contained(plan.hoisted, op))
    return 1;
  if (op == plan.first)
    return 2;
  if (op == plan.second)
    return 3;
  if (llvm::is_contained(plan.sunk, op))
    return 4;
  bool staysBefore = plan.anchor && !plan.anchor->isBeforeInBlock(op);
  return staysBefore ? 0 : 5;
}

/// A write must not come to stand before an access to the memory that it
/// overwrites, nor in one op with it.
static Verdict checkOldValues(const MotionPlan &plan, OpOperand *link) {
  Block *block = plan.first->getBlock();
  auto isOvertaken = [&](Operation *op, Operation *writer) {
    return !op->isBeforeInBlock(plan.first) && op->isBeforeInBlock(writer) &&
           ((op == plan.first && writer == plan.second) ||
            getPlace(op, plan) > getPlace(writer, plan));
  };
  Operation *end = plan.second->getNextNode();
  for (Operation *writer = plan.first; writer != end;
       writer = writer->getNextNode()) {
    if (getPlace(writer, plan) == 5 || isOpTriviallyDead(writer))
      continue;
    for (Value written : getWritten(writer)) {
      Operation *access =
          findAccess(written, writer, block, [&](Operation *op) {
            // Siblings do not see each other's writes, in either order.
            return isOvertaken(op, writer) ||
                   (!link && writer == plan.first && op == plan.second);
          });
      if (access)
        return Verdict::missed(FusionCode::OldValue,
                               "a destination would be overwritten while its "
                               "old value is still read",
                               access);
    }
  }
  return Verdict::legal();
}

Verdict mlafuse::planNeighbours(Operation *first, Operation *second,
                                OpOperand *link, MotionPlan &plan) {
  plan = MotionPlan();
  plan.first = first;
  plan.second = second;
  SmallVector<Operation *> needed;
  if (Operation *dependent = collectNeeded(first, second, link, needed))
    return Verdict::missed(FusionCode::Dependence,
                           "one needs a value that is computed from the "
                           "other's result",
                           dependent);
  for (Operation *op : needed) {
    if (!isMemoryEffectFree(op))
      plan.anchor = op;
  }
  for (Operation *op : needed)
    if (!plan.anchor || plan.anchor->isBeforeInBlock(op))
      plan.hoisted.push_back(op);
  if (!plan.anchor)
    return checkOldValues(plan, link);
  if (Operation *user = collectUsers(first, plan.anchor, plan.sunk))
    return Verdict::missed(FusionCode::Effects,
                           "an op with side effects uses the first before "
                           "another makes what the second needs",
                           user);
  return checkOldValues(plan, link);
}

void mlafuse::makeNeighbours(RewriterBase &rewriter, const MotionPlan &plan) {
  if (plan.anchor) {
    rewriter.moveOpAfter(plan.first, plan.anchor);
    Operation *last = plan.first;
    for (Operation *op : plan.sunk) {
      rewriter.moveOpAfter(op, last);
      last = op;
    }
  }
  for (Operation *op : plan.hoisted)
    rewriter.moveOpBefore(op, plan.first);
  if (plan.first->getNextNode() != plan.second)
    rewriter.moveOpAfter(plan.second, plan.first);
}

void mlafuse::placeOperands(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!isa<RMSNormQuantizeOp, DualRMSNormOp, DualRMSNormQuantizeOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (isa_and_nonnull<tensor::ExtractSliceOp, tensor::EmptyOp>(def) &&
          def->hasOneUse() && def->getBlock() == op->getBlock())
        def->moveBefore(op);
    }
  });
}
