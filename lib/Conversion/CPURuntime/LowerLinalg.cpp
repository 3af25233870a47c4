//===- LowerLinalg.cpp - linalg and copies on memrefs to loops ------------===//

#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/ParallelGrain.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSELOWERLINALG
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// Elements that are worth waking a thread for.
constexpr int64_t kElementsPerRange = 4096;

/// The outermost loop is the one that is cut into ranges: every iteration of it
/// runs the static loops within.
void setGrain(linalg::LinalgOp op, const linalg::LinalgLoops &loops) {
  if (loops.empty())
    return;
  auto outermost = dyn_cast<scf::ParallelOp>(loops.front());
  if (!outermost)
    return;
  // With several parallel dimensions the last one is serial (see outlining).
  unsigned firstSerial = std::max<unsigned>(outermost.getNumLoops(), 2) - 1;
  SmallVector<int64_t, 4> sizes = op.getStaticLoopRanges();
  int64_t work = 1;
  for (int64_t size : ArrayRef(sizes).drop_front(firstSerial))
    work *= ShapedType::isDynamic(size) ? 1 : std::max<int64_t>(size, 1);
  setParallelGrain(outermost, std::max<int64_t>(kElementsPerRange / work, 1));
}

struct LowerLinalg : public mlafuse::impl::MLAFuseLowerLinalgBase<LowerLinalg> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkMemory(module)))
      return signalPassFailure();
    IRRewriter rewriter(module.getContext());
    SmallVector<memref::CopyOp> copies;
    module->walk([&](memref::CopyOp op) { copies.push_back(op); });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    }

    SmallVector<linalg::LinalgOp> ops;
    module->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::LinalgLoops> loops =
          linalg::linalgOpToParallelLoops(rewriter, op);
      if (failed(loops)) {
        op->emitOpError("cannot be lowered to loops");
        return signalPassFailure();
      }
      setGrain(op, *loops);
      rewriter.eraseOp(op);
    }
  }

private:
  /// Upstream's loop emitter takes buffers of a known rank for granted.
  static LogicalResult checkMemory(ModuleOp module) {
    WalkResult result = module->walk([](Operation *op) {
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
          linalgOp && !linalgOp.hasPureBufferSemantics()) {
        op->emitOpError("is not on memrefs; run 'mlafuse-bufferize' first");
        return WalkResult::interrupt();
      }
      if (isa<memref::CopyOp>(op) &&
          llvm::any_of(op->getOperandTypes(),
                       llvm::IsaPred<UnrankedMemRefType>)) {
        op->emitOpError("is on memory of unknown rank, which has no loops");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
