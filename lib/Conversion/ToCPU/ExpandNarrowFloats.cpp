//===- ExpandNarrowFloats.cpp - bf16 and f8 arithmetic on f32 -------------===//
//
// op(bf16) ==> truncf(op(extf)), extf and truncf ==> exact integer code
//
// x86 has no bf16 arithmetic, and what LLVM makes of a conversion is a call
// into a compiler's support library or an instruction that flushes subnormals.
// f16 stays: F16C converts it exactly.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Conversion/Numerics.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEEXPANDNARROWFLOATS
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

static bool isExpanded(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<BFloat16Type>(element) ||
         (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8);
}

namespace {

struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpanded(op.getIn().getType()) ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not a narrow float to f32");
    rewriter.replaceOp(op, extendToF32(rewriter, op.getLoc(), op.getIn()));
    return success();
  }
};

struct ExpandTruncF : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto mode =
        op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even);
    Type element = getElementTypeOrSelf(op.getType());
    // f8 truncation does not saturate; quantize does, and is its own op.
    if (!element.isBF16() ||
        !getElementTypeOrSelf(op.getIn().getType()).isF32() ||
        mode != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "not f32 to bf16, to nearest");
    rewriter.replaceOp(
        op, roundFromF32(rewriter, op.getLoc(), op.getIn(), element));
    return success();
  }
};

struct ExpandNarrowFloats
    : public mlafuse::impl::MLAFuseExpandNarrowFloatsBase<ExpandNarrowFloats> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, {BFloat16Type::get(context)}, Float32Type::get(context));
    RewritePatternSet emulation(context);
    arith::populateEmulateUnsupportedFloatsPatterns(emulation, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    // Buffers, casts and control flow carry bf16 without computing on it.
    target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
        [&](Operation *op) {
          return isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp,
                     arith::ConstantOp, arith::SelectOp>(op) ||
                 converter.isLegal(op);
        });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(emulation))))
      return signalPassFailure();

    RewritePatternSet expansion(context);
    expansion.add<ExpandExtF, ExpandTruncF>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansion))))
      return signalPassFailure();

    WalkResult left = getOperation()->walk([](Operation *op) {
      if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
        return WalkResult::advance();
      Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
      if (!isExpanded(from) && !isExpanded(to))
        return WalkResult::advance();
      op->emitOpError() << "has no exact CPU code from " << from << " to " << to
                        << "; f32 to bf16 (to nearest even) and narrow types "
                           "to f32 have, and 'mlafuse.quantize' makes f8";
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
