//===- OutlineKernels.cpp - launch regions to kernels ---------------------===//

#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEOUTLINEKERNELS
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

/// Whether a thread waits for the kernels ahead of its own on the stream.
static bool waitsForPrevious(gpu::LaunchOp launch) {
  return launch.getBody()
      .walk([](Operation *op) {
        auto control = dyn_cast<NVVM::GriddepcontrolOp>(op);
        auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
        bool waits =
            (control && control.getKind() == NVVM::GridDepActionKind::wait) ||
            (assembly &&
             assembly.getAsmString().contains("griddepcontrol.wait"));
        return waits ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

struct OutlineKernels
    : public mlafuse::impl::MLAFuseOutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchOp> launches;
    getOperation().walk(
        [&](gpu::LaunchOp launch) { launches.push_back(launch); });
    if (launches.empty())
      return;
    gpu::GPUModuleOp kernels = createKernelModule(getOperation());
    SymbolTable symbols(kernels);
    for (gpu::LaunchOp launch : launches) {
      if (launch->hasAttr(kOverlapsPreviousAttr) && !waitsForPrevious(launch)) {
        launch.emitOpError("has '")
            << kOverlapsPreviousAttr
            << "' and no thread waits for the kernel before it "
               "(griddepcontrol.wait)";
        return signalPassFailure();
      }
      outline(launch, kernels, symbols);
    }
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                            UnitAttr::get(&getContext()));
  }

private:
  static void outline(gpu::LaunchOp launch, gpu::GPUModuleOp kernels,
                      SymbolTable &symbols) {
    // A constant is no parameter.
    (void)sinkOperationsIntoLaunchOp(
        launch, [](Operation *op) { return matchPattern(op, m_Constant()); });
    auto function = launch->getParentOfType<func::FuncOp>();
    SmallVector<Value> operands;
    gpu::GPUFuncOp kernel = outlineKernelFunc(
        launch, (function.getName() + "_kernel").str(), operands);
    symbols.insert(kernel);
    if (Attribute blocks = launch->getAttr(kBlocksPerMultiprocessorAttr))
      kernel->setAttr(kBlocksPerMultiprocessorAttr, blocks);
    // Outlining reads every id and size, used or not.
    for (Operation &op : llvm::make_early_inc_range(kernel.front()))
      if (isOpTriviallyDead(&op))
        op.erase();

    OpBuilder builder(launch);
    auto call = gpu::LaunchFuncOp::create(
        builder, launch.getLoc(), kernel, launch.getGridSizeOperandValues(),
        launch.getBlockSizeOperandValues(), launch.getDynamicSharedMemorySize(),
        operands);
    if (Attribute overlaps = launch->getAttr(kOverlapsPreviousAttr))
      call->setAttr(kOverlapsPreviousAttr, overlaps);
    launch.erase();
  }
};

} // namespace
