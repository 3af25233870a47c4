//===- Quotient.cpp - elements divided by their group's scale -------------===//
//
// A division takes a GPU a dozen instructions. Elements of a group have one
// divisor, so its reciprocal is computed once, and each quotient corrected by
// its exact remainder: with r = RN(1/s) and q within an ulp of x/s,
// RN(q - r * (q*s - x)) is RN(x/s) (Markstein, IBM J. Res. Dev. 34, 1990),
// as long as nothing under- or overflows on the way. Written with this sign a
// remainder of zero keeps the sign of a quotient of zero.
//
//===----------------------------------------------------------------------===//

#include "Quotient.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// True if the correction is exact for every input: the scale is not below
/// 2^-64, so that remainders are not subnormal where the code is not zero, and
/// no element is above the largest code times the scale, so that quotients do
/// not overflow.
static bool canCorrect(const QuantBuffers &buffers) {
  EffectiveRule rule = buffers.spec.getEffectiveRule();
  if (buffers.spec.key.getIsStatic() || buffers.spec.key.isPerTensor() ||
      buffers.scaleUb)
    return false;
  double leastScale = rule.floorOnScale ? rule.floor : rule.floor / rule.max;
  return leastScale >= 0x1p-64;
}

static Value emitCorrected(Emitter &e, Value scale, Value values) {
  int64_t lanes = cast<VectorType>(values.getType()).getNumElements();
  Value inverse = arith::DivFOp::create(e, constant(e, 1), scale);
  // The scale of a group that holds Inf is Inf. Its finite elements become zero
  // (x * 0), as the division has it, and the others NaN.
  Value zero = constant(e, 0);
  Value isFinite =
      arith::CmpFOp::create(e, arith::CmpFPredicate::ONE, inverse, zero);
  Value divisor = arith::SelectOp::create(e, isFinite, scale, zero);
  Value quotient = mul(e, values, splat(e, inverse, lanes));
  Value remainder = math::FmaOp::create(e, quotient, splat(e, divisor, lanes),
                                        arith::NegFOp::create(e, values));
  Value negated = arith::NegFOp::create(e, inverse);
  return math::FmaOp::create(e, remainder, splat(e, negated, lanes), quotient);
}

Value kernel::emitQuotient(Emitter &e, const QuantBuffers &buffers,
                           const Divisor &divisor, Value values) {
  int64_t lanes = cast<VectorType>(values.getType()).getNumElements();
  EffectiveRule rule = buffers.spec.getEffectiveRule();
  if (divisor.exponent) {
    Value factor = reciprocalOfPowerOfTwo(e, e.getLoc(), divisor.exponent);
    return mul(e, values, splat(e, factor, lanes));
  }
  if (divisor.inverse && (!divisor.scale || rule.reciprocal || rule.ue8m0))
    return mul(e, values, splat(e, divisor.inverse, lanes));
  if (canCorrect(buffers))
    return emitCorrected(e, divisor.scale, values);
  return arith::DivFOp::create(e, values, splat(e, divisor.scale, lanes));
}
