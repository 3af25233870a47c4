//===- PowersOfTwo.cpp - factors that bring numbers near f16 --------------===//

#include "PowersOfTwo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;

/// Of f32: bits behind the exponent, its bias, and the largest exponent whose
/// inverse is normal.
static constexpr int64_t kExponentShift = 23, kBias = 127, kMaxExponent = 253;
/// Magnitudes are brought to 2 to this, or up to twice as much.
static constexpr int64_t kTarget = 14;

/// Of f32 exponents, biased.
static PowerOfTwo create(Emitter &e, Value exponent) {
  auto toF32 = [&](Value exponent) -> Value {
    Value bits = arith::ShLIOp::create(e, exponent, i32(e, kExponentShift));
    return arith::BitcastOp::create(e, e.getF32Type(), bits);
  };
  return {toF32(exponent), toF32(ptx::minusI(e, i32(e, 2 * kBias), exponent))};
}

static Value getExponent(Emitter &e, Value exponent, int64_t bias) {
  Value wanted = ptx::minusI(e, i32(e, kBias + kTarget + bias), exponent);
  return ptx::minI(e, wanted, i32(e, kMaxExponent));
}

PowerOfTwo PowerOfTwo::bringNear(Emitter &e, Value exponent, int64_t bias) {
  return create(e, getExponent(e, exponent, bias));
}

PowerOfTwo PowerOfTwo::bringNear(Emitter &e, Value number) {
  Value magnitude = math::AbsFOp::create(e, number);
  Value bits = arith::BitcastOp::create(e, e.getI32Type(), magnitude);
  Value exponent = arith::ShRUIOp::create(e, bits, i32(e, kExponentShift));
  Value wanted = getExponent(e, exponent, kBias);
  return create(e, arith::SelectOp::create(e, ptx::isEqualI(e, bits, 0),
                                           i32(e, kBias), wanted));
}
