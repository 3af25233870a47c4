//===- ToCPU.cpp - mlafuse ops on memrefs to vectorized loops -------------===//
//
// mlafuse.x ins(%a : memref) outs(%b : memref)
//   ==> scf.parallel over rows { vector code on one row }
//
//===----------------------------------------------------------------------===//

#include "../Rows/VerifyKernelOp.h"
#include "Lowerings.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSETOCPU
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

/// Sizes that the attention kernel is specialized for.
static LogicalResult verifyStaticHeads(Operation *op) {
  auto attention = dyn_cast<LatentAttentionOp>(op);
  if (attention && cast<MemRefType>(attention.getQ().getType()).isDynamicDim(2))
    return op->emitOpError()
           << "the CPU kernel needs a static number of heads, got q of "
           << attention.getQ().getType();
  return success();
}

/// What an iteration may keep on its thread's stack: half of the 8 MiB that
/// threads have where nobody sets another limit.
static constexpr int64_t kMaxStackBytes = 4 * 1024 * 1024;

/// Checks the buffers of the code that was emitted between `first` and `op`.
static LogicalResult verifyStack(Operation *first, Operation *op) {
  int64_t bytes = 0;
  for (Operation *emitted = first; emitted != op;
       emitted = emitted->getNextNode())
    emitted->walk([&](memref::AllocaOp buffer) {
      MemRefType type = buffer.getType();
      int64_t bits = type.getElementType().isIndex()
                         ? IndexType::kInternalStorageBitWidth
                         : type.getElementTypeBitWidth();
      bytes += type.getNumElements() * bits / 8;
    });
  if (bytes > kMaxStackBytes)
    return op->emitOpError()
           << "is too wide for the CPU kernel: it keeps " << bytes
           << " bytes of its rows on the stack, and may keep "
           << kMaxStackBytes;
  return success();
}

static LogicalResult lowerOp(Operation *op) {
  if (failed(rows::verifyKernelOp(op, "CPU")) || failed(verifyStaticHeads(op)))
    return failure();
  Operation *before = op->getPrevNode();
  cpu::Emitter e(op->getLoc(), op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<RMSNormOp, AddRMSNormOp, RMSNormQuantizeOp, DualRMSNormOp,
            DualRMSNormQuantizeOp, QuantizeOp, DequantizeOp, RopeOp,
            CacheUpdateOp, HeadProjectionOp, LatentAttentionOp, PrefillOp,
            MergeAttnStatesOp>([&](auto op) {
        cpu::lower(e, op);
        Operation *first =
            before ? before->getNextNode() : &op->getBlock()->front();
        if (failed(verifyStack(first, op)))
          return failure();
        op->erase();
        return success();
      })
      .Default(
          [](Operation *op) { return op->emitOpError("has no CPU kernel"); });
}

namespace {
struct ToCPU : public mlafuse::impl::MLAFuseToCPUBase<ToCPU> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<MLAFuseDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(lowerOp(op)))
        return signalPassFailure();

    // Products of the surrounding model; what the kernel does not take is left
    // to the generic lowering of linalg.
    SmallVector<linalg::MatmulOp> products;
    getOperation()->walk([&](linalg::MatmulOp op) {
      if (cpu::canLower(op))
        products.push_back(op);
    });
    for (linalg::MatmulOp op : products) {
      cpu::Emitter e(op->getLoc(), op);
      cpu::lower(e, op);
      op->erase();
    }
  }
};
} // namespace
