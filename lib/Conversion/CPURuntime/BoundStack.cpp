//===- BoundStack.cpp - keeps allocas from growing the stack in loops -----===//

#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEBOUNDSTACK
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// Vectors of any target are aligned so.
constexpr int64_t kAlignment = 64;

struct BoundStack : public mlafuse::impl::MLAFuseBoundStackBase<BoundStack> {
  void runOnOperation() override {
    SmallVector<memref::AllocaOp> allocas;
    getOperation()->walk([&](memref::AllocaOp op) { allocas.push_back(op); });
    DenseSet<Operation *> restored;
    for (memref::AllocaOp alloca : allocas) {
      if (!alloca.getAlignment())
        alloca.setAlignment(kAlignment);
      auto function = alloca->getParentOfType<FunctionOpInterface>();
      auto loop = alloca->getParentOfType<LoopLikeOpInterface>();
      if (!function || !loop)
        continue;
      if (alloca->getNumOperands() == 0)
        alloca->moveBefore(&function.getFunctionBody().front().front());
      else if (restored.insert(loop).second)
        restoreStack(loop);
    }
  }

private:
  /// Gives back, at the end of each iteration, what it took of the stack.
  static void restoreStack(LoopLikeOpInterface loop) {
    Block &body = loop.getLoopRegions().front()->back();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    Value saved = LLVM::StackSaveOp::create(
        builder, loop.getLoc(),
        LLVM::LLVMPointerType::get(builder.getContext()));
    builder.setInsertionPoint(body.getTerminator());
    LLVM::StackRestoreOp::create(builder, loop.getLoc(), saved);
  }
};

} // namespace
