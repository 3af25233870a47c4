//===- CheckCacheUpdates.cpp - cache updates that nobody sees -------------===//

#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSECHECKCACHEUPDATES
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// Looks for a use of a cache that reads it or hands it to the caller, through
/// views, later updates, control flow and calls.
class CacheUses {
public:
  explicit CacheUses(ModuleOp module) {
    module->walk([&](func::CallOp call) {
      if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
        calls[callee].push_back(call);
    });
  }

  bool isUsed(Value cache) {
    seen.clear();
    pending.assign({cache});
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      for (OpOperand &use : value.getUses())
        if (!follow(use))
          return true;
    }
    return false;
  }

private:
  /// Notes the values that stand for the same cache after `use`; false if the
  /// use is a real one.
  bool follow(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user))
      return true;
    if (isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::SelectOp>(
            user)) {
      pending.push_back(user->getResult(0));
      return true;
    }
    if (auto update = dyn_cast<CacheUpdateOp>(user);
        update && update.isDpsInit(&use)) {
      pending.push_back(update.getTiedOpResult(&use));
      return true;
    }
    if (auto loop = dyn_cast<LoopLikeOpInterface>(user))
      return enterLoop(loop, use);
    if (auto yield = dyn_cast<scf::YieldOp>(user))
      return leave(yield, use.getOperandNumber());
    if (auto condition = dyn_cast<scf::ConditionOp>(user))
      return passCondition(condition, use.getOperandNumber());
    if (isa<tensor::ParallelInsertSliceOp>(user)) {
      llvm::append_range(pending,
                         user->getParentOfType<scf::ForallOp>()->getResults());
      return true;
    }
    if (auto call = dyn_cast<func::CallOp>(user))
      return enterCall(call, use.getOperandNumber());
    if (auto end = dyn_cast<func::ReturnOp>(user))
      return leaveFunction(end, use.getOperandNumber());
    return false;
  }

  bool enterLoop(LoopLikeOpInterface loop, OpOperand &use) {
    BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
    if (!argument)
      return false;
    pending.push_back(argument);
    // A loop that runs no iteration gives back what it got; a while loop does
    // so only through its condition.
    if (!isa<scf::WhileOp>(loop))
      pending.push_back(loop.getTiedLoopResult(&use));
    return true;
  }

  bool leave(scf::YieldOp yield, unsigned index) {
    Operation *parent = yield->getParentOp();
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      pending.push_back(loop.getBeforeArguments()[index]);
      return true;
    }
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      pending.push_back(loop.getRegionIterArg(index));
    pending.push_back(parent->getResult(index));
    return true;
  }

  bool passCondition(scf::ConditionOp condition, unsigned index) {
    // The condition itself is operand 0.
    auto loop = cast<scf::WhileOp>(condition->getParentOp());
    pending.push_back(loop.getAfterArguments()[index - 1]);
    pending.push_back(loop->getResult(index - 1));
    return true;
  }

  bool enterCall(func::CallOp call, unsigned index) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return false;
    pending.push_back(callee.getArgument(index));
    return true;
  }

  bool leaveFunction(func::ReturnOp end, unsigned index) {
    auto function = cast<func::FuncOp>(end->getParentOp());
    if (function.isPublic())
      return false;
    for (func::CallOp call : calls[function])
      pending.push_back(call->getResult(index));
    return true;
  }

  DenseMap<Operation *, SmallVector<func::CallOp, 2>> calls;
  DenseSet<Value> seen;
  SmallVector<Value> pending;
};

struct CheckCacheUpdates
    : public mlafuse::impl::MLAFuseCheckCacheUpdatesBase<CheckCacheUpdates> {
  void runOnOperation() override {
    CacheUses uses(getOperation());
    bool allUsed = true;
    getOperation()->walk([&](CacheUpdateOp op) {
      if (op->getNumResults() == 0 || uses.isUsed(op->getResult(0)))
        return;
      allUsed = false;
      op.emitOpError("has no user of its result, so the cache stays as it was: "
                     "later readers take the result, and the function returns "
                     "it");
    });
    if (!allUsed)
      signalPassFailure();
  }
};

} // namespace
