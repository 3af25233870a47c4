//===- Decompose.cpp - fused ops to their unfused chains ------------------===//

#include "MLAFuse/Transforms/Passes.h"
#include "MLAFuse/Transforms/Patterns.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEDECOMPOSE
#include "MLAFuse/Transforms/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {
// f(x) ==> the ops that f is defined as. Upstream ops with the interface, such
// as linalg.softmax, stay: they are not this project's to lower.
struct Aggregate
    : public OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isa<MLAFuseDialect>(op->getDialect()))
      return rewriter.notifyMatchFailure(op, "of another dialect");
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "has no decomposition");
    rewriter.replaceOp(op, *results);
    return success();
  }
};

struct Decompose : public mlafuse::impl::MLAFuseDecomposeBase<Decompose> {
  using MLAFuseDecomposeBase::MLAFuseDecomposeBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateAggregatePatterns(patterns);
    if (!aggregatesOnly)
      populateOpenFusedPatterns(patterns);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
        .enableFolding(false)
        .enableConstantCSE(false);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace

void mlafuse::populateAggregatePatterns(RewritePatternSet &patterns) {
  patterns.add<Aggregate>(patterns.getContext());
}
