//===- Overlap.cpp - what may be read before the launch ahead ends --------===//

#include "Overlap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse;

/// Whether `op` is known to do no more with `buffer` than to read it.
static bool onlyReads(Operation *op, Value buffer) {
  // Who has a pointer may do anything.
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return false;
  if (isMemoryEffectFree(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::none_of(effects, [&](const MemoryEffects::EffectInstance &it) {
    return !isa<MemoryEffects::Read>(it.getEffect()) &&
           (!it.getValue() || it.getValue() == buffer);
  });
}

/// Whether `buffer` is an argument of the function, or part of one, that the
/// function only reads.
static bool isReadOnlyArgument(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument ||
      !isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return false;
  SmallVector<Value> views = {buffer};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
      else if (!onlyReads(user, view))
        return false;
    }
  }
  return true;
}

/// Whether a kernel of the same function is launched ahead of `op`.
static bool followsLaunch(Operation *op) {
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    WalkResult found =
        before->walk([](gpu::LaunchOp) { return WalkResult::interrupt(); });
    if (found.wasInterrupted())
      return true;
  }
  return false;
}

bool kernel::canReadEarly(Operation *op, ValueRange buffers) {
  return followsLaunch(op) && llvm::all_of(buffers, isReadOnlyArgument);
}
