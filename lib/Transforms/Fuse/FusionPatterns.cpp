//===- FusionPatterns.cpp - the declarative fusions' native parts ---------===//
//
// The patterns are records in MLAFuse/Transforms/Fusions. An op with variadic
// results is bound to all of them there: `opOf` is the way back.
//
//===----------------------------------------------------------------------===//

#include "Legality.h"
#include "MLAFuse/Transforms/Patterns.h"

using namespace mlir;
using namespace mlafuse;

static Operation *opOf(ValueRange results) {
  return results.empty() ? nullptr : results.front().getDefiningOp();
}

static Location fuseLocations(StringRef tag, Operation *a, Operation *b) {
  return FusedLoc::get({a->getLoc(), b->getLoc()},
                       StringAttr::get(a->getContext(), tag), a->getContext());
}

static SmallVector<Value, 4> concatenate(ValueRange a, ValueRange b) {
  SmallVector<Value, 4> all(a);
  llvm::append_range(all, b);
  return all;
}

//===----------------------------------------------------------------------===//
// Norm and quantization
//===----------------------------------------------------------------------===//

static bool canTakeQuantize(ValueRange normResults, ValueRange quantResults) {
  Operation *quant = opOf(quantResults);
  std::optional<NormSide> norm =
      quant ? getNormOf(cast<QuantizeOp>(quant).getInput()) : std::nullopt;
  MotionPlan plan;
  return norm && norm->op == opOf(normResults) &&
         checkNormQuantize(*norm, cast<QuantizeOp>(quant), plan).isLegal;
}

static void bringTogether(PatternRewriter &rewriter, ValueRange normResults,
                          ValueRange quantResults) {
  auto quant = cast<QuantizeOp>(opOf(quantResults));
  MotionPlan plan;
  planNeighbours(opOf(normResults), quant, &quant.getInputMutable(), plan);
  makeNeighbours(rewriter, plan);
}

static SmallVector<Value, 4> getFusedInits(ValueRange normResults,
                                           ValueRange quantResults) {
  auto quant = cast<QuantizeOp>(opOf(quantResults));
  NormSide norm = getNormSides(opOf(normResults)).front();
  SmallVector<Value, 4> inits(quant.getInits());
  if (std::optional<unsigned> residual = norm.getResidualIndex())
    inits.push_back(norm.getInits()[*residual]);
  if (!norm.getNormalized().hasOneUse())
    inits.push_back(norm.getInits()[*norm.getUnquantizedIndex()]);
  return inits;
}

static NumericsAttr getChainNumerics(ValueRange normResults) {
  NormSide norm = getNormSides(opOf(normResults)).front();
  bool isExact = getElementTypeOrSelf(norm.getNormalized()) ==
                 getElementTypeOrSelf(norm.input);
  return NumericsAttr::get(norm.op->getContext(),
                           isExact ? Numerics::Exact : Numerics::Contracted);
}

static SmallVector<Value, 4> takeOverNormQuantize(PatternRewriter &rewriter,
                                                  ValueRange fusedResults,
                                                  ValueRange normResults,
                                                  ValueRange quantResults) {
  Operation *quant = opOf(quantResults), *fused = opOf(fusedResults);
  NormSide norm = getNormSides(opOf(normResults)).front();
  fused->setLoc(fuseLocations("norm+quantize", norm.op, quant));
  NormSide side = getNormSides(fused).front();
  if (std::optional<unsigned> residual = side.getResidualIndex())
    rewriter.replaceAllUsesWith(norm.getResults()[*norm.getResidualIndex()],
                                side.getResults()[*residual]);
  if (Value kept = side.getNormalized())
    rewriter.replaceAllUsesExcept(norm.getNormalized(), kept, quant);
  return SmallVector<Value, 4>(fusedResults.take_front(quantResults.size()));
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

static bool areSiblings(ValueRange qResults, ValueRange kvResults) {
  MotionPlan plan;
  return checkSiblings(getNormSides(opOf(qResults)).front(),
                       getNormSides(opOf(kvResults)).front(), plan)
      .isLegal;
}

static SmallVector<Value, 4> takeOverPair(PatternRewriter &rewriter,
                                          ValueRange dualResults,
                                          ValueRange qResults,
                                          ValueRange kvResults) {
  Operation *dual = opOf(dualResults);
  dual->setLoc(fuseLocations("siblings", opOf(qResults), opOf(kvResults)));
  SmallVector<Value, 4> underPair(2);
  auto takeOver = [&](ValueRange from, ValueRange to) {
    for (auto [old, replacement] : llvm::zip(from, to)) {
      for (OpOperand &use : old.getUses())
        if (isa<PairOp>(use.getOwner()))
          underPair[use.getOperandNumber()] = replacement;
      rewriter.replaceUsesWithIf(old, replacement, [](OpOperand &use) {
        return !isa<PairOp>(use.getOwner());
      });
    }
  };
  takeOver(qResults, dualResults.take_front(qResults.size()));
  takeOver(kvResults, dualResults.drop_front(qResults.size()));
  return underPair;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static bool canQuantizeOutput(Value output, ValueRange quantResults) {
  auto producer = dyn_cast_or_null<QuantizableOutput>(output.getDefiningOp());
  MotionPlan plan;
  return producer && !producer.getOutputQuant() && !quantResults.empty() &&
         output == producer->getResult(0) &&
         checkOutputQuantize(producer, cast<QuantizeOp>(opOf(quantResults)),
                             plan)
             .isLegal;
}

static SmallVector<Value, 4> quantizeOutput(PatternRewriter &rewriter,
                                            Value output,
                                            ValueRange quantResults) {
  auto quant = cast<QuantizeOp>(opOf(quantResults));
  auto producer = cast<QuantizableOutput>(output.getDefiningOp());
  MotionPlan plan;
  planNeighbours(producer, quant, &quant.getInputMutable(), plan);
  makeNeighbours(rewriter, plan);
  Operation *fused =
      producer.buildQuantized(rewriter, quant.getOutputQuantization());
  fused->setLoc(fuseLocations("output+quantize", producer, quant));
  size_t taken = quantResults.size();
  for (auto [old, replacement] :
       llvm::zip(producer->getResults().drop_front(),
                 fused->getResults().drop_front(taken)))
    rewriter.replaceAllUsesWith(old, replacement);
  return SmallVector<Value, 4>(fused->getResults().take_front(taken));
}

namespace {
#include "MLAFuse/Transforms/Fusions.cpp.inc"
} // namespace

void mlafuse::populateFuseNormQuantizePatterns(RewritePatternSet &patterns) {
  patterns.add<FuseRMSNormQuantize, FuseAddRMSNormQuantize>(
      patterns.getContext());
}

void mlafuse::populateFuseDualNormPatterns(RewritePatternSet &patterns) {
  patterns.add<FuseDualRMSNorm, FuseDualQuantizedQ, FuseDualQuantizedKV,
               FuseDualQuantizedBoth>(patterns.getContext());
}

void mlafuse::populateFuseOutputQuantizePatterns(RewritePatternSet &patterns) {
  patterns.add<FuseOutputQuantize>(patterns.getContext());
}
