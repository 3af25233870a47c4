//===- Overlap.cpp - what may be read before the launch ahead ends --------===//

#include "Overlap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlafuse;

/// Whether `op` is known to do no more with `buffer` than to read it.
static bool onlyReads(Operation *op, Value buffer) {
  // Who has a pointer may do anything.
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return false;
  // Nor is it followed through what may be one of several buffers.
  if (isMemoryEffectFree(op))
    return !op->hasTrait<OpTrait::IsTerminator>() &&
           llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
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

/// What `buffer` is a part of.
static Value getWhole(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether `holds` is true of all users of the whole buffer and its parts, each
/// with the part that it uses.
static bool forAllUsers(Value buffer,
                        function_ref<bool(Operation *, Value)> holds) {
  SmallVector<Value> views = {getWhole(buffer)};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
      else if (!holds(user, view))
        return false;
    }
  }
  return true;
}

/// Whether `buffer` is an argument of the function, or part of one, that the
/// function only reads.
static bool isReadOnlyArgument(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(getWhole(buffer));
  return argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
         forAllUsers(buffer, onlyReads);
}

/// Whether `op` launches a kernel whatever happens, of which some form accesses
/// `buffer`.
static bool launchesFor(Operation *op, Value buffer) {
  auto hasLaunch = [](Region &region) {
    return !region.empty() && !region.front().getOps<gpu::LaunchOp>().empty();
  };
  bool launches =
      isa<gpu::LaunchOp>(op) ||
      (isa<scf::IfOp>(op) && llvm::all_of(op->getRegions(), hasLaunch));
  return launches && !forAllUsers(buffer, [&](Operation *user, Value) {
           return !op->isProperAncestor(user);
         });
}

bool kernel::canReadEarly(Operation *op, Value input, ValueRange buffers) {
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (launchesFor(before, input))
      return llvm::all_of(buffers, isReadOnlyArgument);
  return false;
}
