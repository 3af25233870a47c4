//===- NarrowQuotient.cpp - bf16 and f16 over a group's scale -------------===//

#include "NarrowQuotient.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;
using llvm::APFloat;

namespace {

/// 1/max in two parts that are not negative: Inf times their sum is Inf.
struct Reciprocal {
  explicit Reciprocal(double max) : high(static_cast<float>(1 / max)) {
    if (high > 1 / max)
      high = std::nextafter(high, 0.0f);
    low = static_cast<float>(1 / max - high);
  }
  float high, low;
};

/// Takes a number one unit of its last place down, or two. A reciprocal that is
/// off by one at most is not above 1/s then, so what is left of 1/s is not
/// negative, and the quotient of -0 is -0.
constexpr float kBelow = 1 - 0x1p-23f;

/// Above all scales, and with a reciprocal. For the scale Inf it leaves 0 of
/// 1/s: finite elements become zeros, as the division has it, others NaN.
constexpr float kMostScale = 0x1p126f;

/// Of an absolute maximum: no part of a scale is subnormal above it.
constexpr double kLeastFloor = 0x1p-64;

} // namespace

//===----------------------------------------------------------------------===//
// What is exact
//===----------------------------------------------------------------------===//

bool NarrowScale::checkCodes(double max, const llvm::fltSemantics &codes,
                             const llvm::fltSemantics &elements, float absMax) {
  auto encode = [&](float quotient) {
    APFloat value(quotient);
    bool losesInfo;
    value.convert(codes, APFloat::rmNearestTiesToEven, &losesInfo);
    return value.bitcastToAPInt();
  };
  // Quotients below half of the least code are zero.
  float least =
      absMax / max * APFloat::getSmallest(codes).convertToDouble() / 2;
  Reciprocal inverse(max);
  float scale = std::fma(absMax, inverse.high, absMax * inverse.low);
  if (scale != static_cast<float>(absMax / max))
    return false;
  // Two units below a reciprocal that is off by one, itself of 1/s rounded.
  constexpr int kUnits = 4;
  struct Parts {
    float high, low;
  };
  SmallVector<Parts, kUnits + 1> parts;
  float high = 1 / scale;
  for (int unit = 0; unit <= kUnits; ++unit) {
    float left = std::fma(-scale, high, 1.0f);
    if (left >= 0)
      parts.push_back({high, high * left});
    high = std::nextafter(high, 0.0f);
  }
  APFloat element(absMax);
  bool losesInfo;
  element.convert(elements, APFloat::rmTowardZero, &losesInfo);
  for (; !element.isZero(); element.next(/*nextDown=*/true)) {
    float x = element.convertToFloat(), quotient = x / scale;
    if (x < least)
      break;
    for (const Parts &it : parts) {
      float actual = std::fma(x, it.high, x * it.low);
      if (quotient != actual && encode(quotient) != encode(actual))
        return false;
    }
  }
  return true;
}

bool NarrowScale::isExact(const QuantBuffers &buffers, Type elements) {
  QuantKeyAttr key = buffers.spec.key;
  EffectiveRule rule = buffers.spec.getEffectiveRule();
  // A test tries the maxima of these, all of bf16 and some of f16; of a floor
  // that follows.
  if (!isa<Float8E4M3FNType, Float8E5M2Type>(key.getDataType()) ||
      !key.getScaleType().isF32() || !key.isDynamic() || !key.isPerGroup() ||
      buffers.scaleUb || rule.max != key.getDataTypeMax() || rule.ue8m0 ||
      rule.reciprocal || rule.floorOnScale || rule.floor < kLeastFloor)
    return false;
  auto getSemantics = [](Type type) -> const llvm::fltSemantics & {
    return cast<FloatType>(type).getFloatSemantics();
  };
  return checkCodes(rule.max, getSemantics(key.getDataType()),
                    getSemantics(elements), static_cast<float>(rule.floor));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

NarrowScale::NarrowScale(Emitter &e, const EffectiveRule &rule, Value absMax) {
  Reciprocal inverse(rule.max);
  scale = ptx::fusedMultiplyAdd(e, absMax, constant(e, inverse.high),
                                mul(e, absMax, constant(e, inverse.low)));
  high = mul(e, ptx::reciprocalFast(e, scale), constant(e, kBelow));
  Value capped = arith::MinNumFOp::create(e, scale, constant(e, kMostScale));
  Value left = ptx::fusedMultiplyAdd(e, arith::NegFOp::create(e, capped), high,
                                     constant(e, 1));
  low = mul(e, high, left);
}

Value NarrowScale::divide(Emitter &e, Value x) const {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  return ptx::fusedMultiplyAdd(e, x, splat(e, high, lanes),
                               mul(e, x, splat(e, low, lanes)));
}
