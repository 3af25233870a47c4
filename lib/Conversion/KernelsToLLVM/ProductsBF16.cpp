//===- ProductsBF16.cpp - products of bf16 by one instruction -------------===//
//
// truncf(mulf(extf(a), extf(b))) : bf16  ==> mulf(a, b) : bf16
//
// The product of two bf16 has 16 bits and is exact in f32, so that both round
// once. The packed instruction takes the place of three conversions and a
// product for each element.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;

/// What `value` was widened from, if that is bf16.
static Value getNarrow(Value value) {
  auto widened = value.getDefiningOp<arith::ExtFOp>();
  return widened && getElementTypeOrSelf(widened.getIn()).isBF16()
             ? widened.getIn()
             : Value();
}

namespace {

struct MultiplyInBF16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto product = op.getIn().getDefiningOp<arith::MulFOp>();
    if (!getElementTypeOrSelf(op.getType()).isBF16() || !product ||
        !getElementTypeOrSelf(product.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not a product to bf16");
    Value a = getNarrow(product.getLhs()), b = getNarrow(product.getRhs());
    if (!a || !b)
      return rewriter.notifyMatchFailure(op, "not a product of bf16");
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, a, b);
    return success();
  }
};

} // namespace

void mlafuse::populateProductPatternsBF16(RewritePatternSet &patterns) {
  patterns.add<MultiplyInBF16>(patterns.getContext());
}
