//===- BarriersAMD.cpp - Barriers that order shared memory alone ----------===//
//
// Between two threads of a block goes only what is in shared memory (see
// Kernel::barrier of ToGPU), so a barrier waits for LDS and leaves caches and
// stores to global memory alone. Rows that are overwritten in place need no
// more: whoever stores to an element after the barrier stores after its load.
// The load's value went into the sum or maximum that its thread gave to LDS
// ahead of the barrier, so it had arrived in a register by then; and the
// compiler moves no access of memory that is written across the fences.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"

using namespace mlir;
using namespace mlafuse;

namespace {

struct LowerBarrier : OpRewritePattern<gpu::BarrierOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::BarrierOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<amdgpu::LDSBarrierOp>(op);
    return success();
  }
};

} // namespace

void mlafuse::populateBarrierPatternsAMD(RewritePatternSet &patterns) {
  patterns.add<LowerBarrier>(patterns.getContext());
}
