//===- Fuse.cpp - the fusion pass -----------------------------------------===//
//
// Fixed phases over opened chains make the result a normal form: what was fused
// before, and in which order, is forgotten first.
//
//===----------------------------------------------------------------------===//

#include "Fuse/Phases.h"
#include "MLAFuse/Transforms/Passes.h"
#include "MLAFuse/Transforms/Patterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEFUSE
#include "MLAFuse/Transforms/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {
struct Fuse : public mlafuse::impl::MLAFuseFuseBase<Fuse> {
  using MLAFuseFuseBase::MLAFuseFuseBase;

  LogicalResult initialize(MLIRContext *context) override {
    open = freeze(context, [](RewritePatternSet &patterns) {
      populateOpenFusedPatterns(patterns, /*inPart=*/true);
    });
    // The tensor dialect's own canonicalization folds casts into the ops and
    // slices of slices into one.
    canonicalize = freeze(context, [](RewritePatternSet &patterns) {
      MLIRContext *context = patterns.getContext();
      populateMoveReshapePatterns(patterns);
      auto *tensor = context->getLoadedDialect<tensor::TensorDialect>();
      tensor->getCanonicalizationPatterns(patterns);
      for (RegisteredOperationName op : context->getRegisteredOperations())
        if (&op.getDialect() == tensor)
          op.getCanonicalizationPatterns(patterns, context);
    });
    norms = freeze(context, populateFuseNormQuantizePatterns);
    siblings = freeze(context, populateFuseDualNormPatterns);
    outputs = freeze(context, populateFuseOutputQuantizePatterns);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FusionRecords records;
    apply(open, /*fold=*/false);
    apply(canonicalize, /*fold=*/true);
    mergeEqualQuantizations(module);
    if (failed(fuseNorms(module, norms)))
      return signalPassFailure();
    recordMissedQuantizations(module, /*ofNorms=*/true, records);
    fuseSiblings(module, siblings, records);
    apply(outputs, /*fold=*/false);
    placeOperands(module);
    recordMissedQuantizations(module, /*ofNorms=*/false, records);
    recordFused(module, records);
    sortInSourceOrder(module, records);
    explain(records);
  }

private:
  template <typename PopulateT>
  static FrozenRewritePatternSet freeze(MLIRContext *context,
                                        PopulateT populate) {
    RewritePatternSet patterns(context);
    populate(patterns);
    return std::move(patterns);
  }

  void apply(const FrozenRewritePatternSet &patterns, bool fold) {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
        .enableFolding(fold)
        .enableConstantCSE(fold);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      signalPassFailure();
  }

  void explain(ArrayRef<FusionRecord> records) {
    for (const FusionRecord &record : records)
      ++(record.isPassed ? numFused : numMissed);
    emitRemarks(records);
    std::vector<FusionReportEntry> entries = makeReport(records);
    FusionReportCollector::add(entries);
    if (report == FusionReport::None)
      return;
    if (llvm::Error error = saveFusionReport(entries, report, reportFile)) {
      mlir::emitError(getOperation().getLoc())
          << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

  FrozenRewritePatternSet open, canonicalize, norms, siblings, outputs;
};
} // namespace
