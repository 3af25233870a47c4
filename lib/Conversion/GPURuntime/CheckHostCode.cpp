//===- CheckHostCode.cpp - what is left on the host -----------------------===//

#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/Signature.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSECHECKHOSTCODE
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

/// Whether a host that only launches may run `op` by itself; ops in its regions
/// are asked apart.
static bool isHostCode(Operation *op) {
  if (isa<scf::ParallelOp, scf::ForallOp>(op))
    return false;
  // Some ops with regions have effects of their own.
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return effects.hasNoEffect();
  return op->hasTrait<OpTrait::IsTerminator>() ||
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
         isMemoryEffectFree(op);
}

/// Whose memory `memref` is, for a message.
static std::string describeMemory(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  auto argument = dyn_cast<BlockArgument>(memref);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  if (!function)
    return "a tensor";
  unsigned index = argument.getArgNumber();
  if (!llvm::is_contained(getEntries(function->getParentOfType<ModuleOp>()),
                          function))
    return "argument #" + std::to_string(index);
  FailureOr<FunctionSignature> signature = FunctionSignature::get(function);
  if (failed(signature) || index >= signature->arguments.size())
    return "a new tensor";
  return "argument '" + signature->arguments[index].name + "'";
}

namespace {

struct CheckHostCode
    : public mlafuse::impl::MLAFuseCheckHostCodeBase<CheckHostCode> {
  using MLAFuseCheckHostCodeBase::MLAFuseCheckHostCodeBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        block.walk<WalkOrder::PreOrder>(
            [&](Operation *op) { return check(op); });
  }

private:
  /// Says what is wrong once for an op and all within it.
  WalkResult check(Operation *op) {
    if (isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op))
      return WalkResult::skip();
    if (isHostCode(op))
      return WalkResult::advance();
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      copy.emitOpError("of ")
          << describeMemory(copy.getSource()) << " to "
          << describeMemory(copy.getTarget()) << " has no kernel for " << chip
          << ": the op that computes a tensor writes it where it belongs if "
             "its "
             "destination is that place (of a tensor.insert_slice, the "
             "tensor.extract_slice of the same place)";
    else
      op->emitOpError("has no kernel for ")
          << chip
          << ", and the host of a GPU target reads and writes no memory: "
          << "write it with ops of the mlafuse dialect, or leave it out of "
             "this "
             "program";
    signalPassFailure();
    return WalkResult::skip();
  }
};

} // namespace
