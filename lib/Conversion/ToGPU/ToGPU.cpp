//===- ToGPU.cpp - mlafuse ops on memrefs to kernels ----------------------===//

#include "../Rows/VerifyKernelOp.h"
#include "Lowerings.h"
#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/IR/PartLocation.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSETOGPU
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

/// Errors at a part of an op of the source say of which.
static LogicalResult nameWhole(Diagnostic &diagnostic) {
  StringRef name = getWholeName(diagnostic.getLocation());
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !name.empty())
    diagnostic.attachNote() << "it is a part of '" << name << "'";
  // Handled by whoever does without this.
  return failure();
}

static LogicalResult lowerOp(Operation *op, const Chip &chip) {
  if (failed(rows::verifyKernelOp(op, chip.name)))
    return failure();
  kernel::Emitter e(op->getLoc(), op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<RMSNormOp, AddRMSNormOp, RMSNormQuantizeOp, DualRMSNormOp,
            DualRMSNormQuantizeOp, QuantizeOp, DequantizeOp, RopeOp,
            CacheUpdateOp, MergeAttnStatesOp, HeadProjectionOp,
            LatentAttentionOp>(
          [&](auto op) { return kernel::lower(e, chip, op); })
      .Default([&](Operation *op) {
        return op->emitOpError("has no kernel for ")
               << chip.name
               << ": GPUs run norms, quantization, rope, cache updates and "
                  "merges, NVIDIA's also decode attention and projections; "
                  "--target=cpu runs every op";
      });
}

/// What all parts of a kernel share of a block's memory: what it declares, and
/// what the launch adds to that.
static LogicalResult verifySharedMemory(gpu::LaunchOp launch,
                                        const Chip &chip) {
  int64_t bytes = 0;
  for (BlockArgument buffer : launch.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    // Each buffer is aligned to the widest access.
    bytes +=
        llvm::alignTo(type.getNumElements() * type.getElementTypeBitWidth() / 8,
                      Chip::kAccessBytes);
  }
  int64_t most = std::min(chip.sharedBytes, Chip::kDefaultSharedBytes);
  APInt dynamic(32, 0);
  if (Value size = launch.getDynamicSharedMemorySize();
      size && bytes <= most && matchPattern(size, m_ConstantInt(&dynamic))) {
    int64_t all = llvm::alignTo(bytes, Chip::kDynamicSharedAlignment) +
                  dynamic.getZExtValue();
    if (all <= chip.sharedBytes)
      return success();
    return launch.emitError()
           << "the kernel for " << chip.name << " needs " << all
           << " bytes of shared memory; a block has " << chip.sharedBytes;
  }
  if (bytes <= most)
    return success();
  return launch.emitError()
         << "the kernel for " << chip.name << " needs " << bytes
         << " bytes of shared memory, for the maxima of a row's groups; a "
            "block has "
         << most << ": take larger groups, or quantize apart (--no-fuse)";
}

namespace {

struct ToGPU : public mlafuse::impl::MLAFuseToGPUBase<ToGPU> {
  using MLAFuseToGPUBase::MLAFuseToGPUBase;

  void runOnOperation() override {
    ScopedDiagnosticHandler handler(&getContext(), nameWhole);
    const Chip *known = findChip(chip);
    if (!known) {
      getOperation().emitError("unknown chip '")
          << chip << "'; known are " << listChips();
      return signalPassFailure();
    }
    // Shapes of kernels are those of this chip.
    getOperation()->setAttr(kChipAttr,
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
    WalkResult result = getOperation().walk([&](gpu::LaunchOp launch) {
      return WalkResult(verifySharedMemory(launch, *known));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
