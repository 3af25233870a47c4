//===- Motion.cpp - making two ops neighbours -----------------------------===//

#include "Motion.h"
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
    return Verdict::legal();
  if (Operation *user = collectUsers(first, plan.anchor, plan.sunk))
    return Verdict::missed(FusionCode::Effects,
                           "an op with side effects uses the first before "
                           "another makes what the second needs",
                           user);
  return Verdict::legal();
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
