//===- Indices.cpp - Ids and sizes known ahead ----------------------------===//
//
// The block size is an attribute of the kernel and the subgroup size one of the
// chip. NVIDIA's register of the warp's number may change during a run, and
// AMD's block size needs a device library: neither is used.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;

static ArrayRef<int32_t> getBlockSize(Operation *op) {
  return *op->getParentOfType<gpu::GPUFuncOp>().getKnownBlockSize();
}

namespace {

struct LowerBlockDim : OpRewritePattern<gpu::BlockDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::BlockDimOp op,
                                PatternRewriter &rewriter) const override {
    unsigned dimension = static_cast<unsigned>(op.getDimension());
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(
        op, getBlockSize(op)[dimension]);
    return success();
  }
};

struct LowerSubgroupSize : OpRewritePattern<gpu::SubgroupSizeOp> {
  LowerSubgroupSize(MLIRContext *context, int64_t subgroupSize)
      : OpRewritePattern(context), subgroupSize(subgroupSize) {}
  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, subgroupSize);
    return success();
  }
  int64_t subgroupSize;
};

struct LowerNumSubgroups : OpRewritePattern<gpu::NumSubgroupsOp> {
  LowerNumSubgroups(MLIRContext *context, int64_t subgroupSize)
      : OpRewritePattern(context), subgroupSize(subgroupSize) {}
  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op,
                                PatternRewriter &rewriter) const override {
    int64_t threads = 1;
    for (int32_t size : getBlockSize(op))
      threads *= size;
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(
        op, llvm::divideCeil(threads, subgroupSize));
    return success();
  }
  int64_t subgroupSize;
};

struct LowerSubgroupId : OpRewritePattern<gpu::SubgroupIdOp> {
  LowerSubgroupId(MLIRContext *context, int64_t subgroupSize)
      : OpRewritePattern(context), subgroupSize(subgroupSize) {}
  LogicalResult matchAndRewrite(gpu::SubgroupIdOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ArrayRef<int32_t> size = getBlockSize(op);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    // Threads are numbered with x running fastest.
    Value thread;
    for (int dimension = 2; dimension >= 0; --dimension) {
      if (size[dimension] == 1)
        continue;
      Value id = gpu::ThreadIdOp::create(
          rewriter, loc, static_cast<gpu::Dimension>(dimension));
      if (thread)
        id = arith::AddIOp::create(
            rewriter, loc, id,
            arith::MulIOp::create(rewriter, loc, thread,
                                  constant(size[dimension])));
      thread = id;
    }
    if (!thread)
      rewriter.replaceOp(op, constant(0));
    else
      rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, thread,
                                                  constant(subgroupSize));
    return success();
  }
  int64_t subgroupSize;
};

} // namespace

void mlafuse::populateIndexPatterns(RewritePatternSet &patterns,
                                    const Chip &chip) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LowerBlockDim>(context);
  patterns.add<LowerSubgroupSize, LowerNumSubgroups, LowerSubgroupId>(
      context, chip.subgroupSize);
}
