//===- ToGPU.cpp - mlafuse ops on memrefs to kernels ----------------------===//

#include "../Rows/VerifyKernelOp.h"
#include "Lowerings.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSETOGPU
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

static LogicalResult lowerOp(Operation *op, const Chip &chip) {
  if (failed(rows::verifyKernelOp(op, chip.name)))
    return failure();
  kernel::Emitter e(op->getLoc(), op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<RMSNormOp, AddRMSNormOp, RMSNormQuantizeOp, DualRMSNormOp,
            DualRMSNormQuantizeOp, QuantizeOp, DequantizeOp, RopeOp,
            CacheUpdateOp, MergeAttnStatesOp>(
          [&](auto op) { return kernel::lower(e, chip, op); })
      .Default([&](Operation *op) {
        return op->emitOpError("has no kernel for ") << chip.name;
      });
}

namespace {

struct ToGPU : public mlafuse::impl::MLAFuseToGPUBase<ToGPU> {
  using MLAFuseToGPUBase::MLAFuseToGPUBase;

  void runOnOperation() override {
    const Chip *known = findChip(chip);
    if (!known) {
      getOperation().emitError("unknown chip '")
          << chip << "'; known are " << listChips();
      return signalPassFailure();
    }
    // Shapes of kernels are those of this chip.
    getOperation()->setAttr("mlafuse.chip",
                            StringAttr::get(&getContext(), known->name));
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<MLAFuseDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (failed(lowerOp(op, *known)))
        return signalPassFailure();
      op->erase();
    }
  }
};

} // namespace
