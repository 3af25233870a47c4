//===- ExpLog.cpp - Exponential, logarithm, inverse square root -----------===//
//
// The polynomials interpolate at the Chebyshev nodes of their interval, then
// are rounded to f32. The error bounds in Numerics.h are those that the unit
// test measures.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "llvm/ADT/ArrayRef.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlafuse;

using Predicate = arith::CmpFPredicate;

/// ln 2 = ln2High + ln2Low. ln2High has 16 bits, so that its product with an
/// exponent is exact (Cody and Waite, Software Manual for the Elementary
/// Functions, chapter 6).
static constexpr double ln2High = 0x1.62e4p-1;
static constexpr double ln2Low = 0x1.7f7d1cp-20;

/// coefficients[0] + coefficients[1] * x + ..., by Horner's rule.
static Value emitPolynomial(Emit &e, Value x, ArrayRef<double> coefficients) {
  Value sum = e.f32(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = e.fma(sum, x, e.f32(c));
  return sum;
}

Value mlafuse::emitInvSqrt(OpBuilder &b, Location loc, Value x) {
  Emit e(b, loc, x);
  return e.divf(e.f32(1.0), math::SqrtOp::create(b, loc, x));
}

// exp(x) = 2^n * exp(r), n = round(x / ln 2), |r| <= ln 2 / 2.
Value mlafuse::emitExp(OpBuilder &b, Location loc, Value x) {
  Emit e(b, loc, x);
  // Adding 1.5 * 2^23 rounds to an integer, which the low bits then hold.
  Value magic = e.f32(0x1.8p23);
  Value shifted = e.fma(x, e.f32(0x1.715476p+0), magic);
  Value n = e.subf(shifted, magic);
  Value r = e.fma(n, e.f32(-ln2High), x);
  r = e.fma(n, e.f32(-ln2Low), r);
  // 1 + r + r^2 * (exp(r) - 1 - r) / r^2
  Value p = emitPolynomial(e, r,
                           {1.0, 1.0, 0x1.0p-1, 0x1.5554dcp-3, 0x1.555518p-5,
                            0x1.120be2p-7, 0x1.6d117cp-10});
  Value result = e.float32(e.add(e.bits(p), e.shl(e.bits(shifted), 23)));

  // Outside, n leaves the exponent field. The upper bound is the largest f32
  // whose exponential rounds to a finite number, the lower one the smallest
  // whose exponential is normal. UGT also sends NaN through the addition.
  Value infinity = e.f32(std::numeric_limits<double>::infinity());
  result = e.select(e.compare(Predicate::UGT, x, e.f32(0x1.62e42ep+6)),
                    e.addf(x, infinity), result);
  return e.select(e.compare(Predicate::OLT, x, e.f32(-0x1.5d589ep+6)),
                  e.f32(0.0), result);
}

// log(x) = k * ln 2 + log(1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and with
// s = f / (2 + f):  log(1 + f) = log((1 + s) / (1 - s)) = 2s + s * R,
// R = s^2 * (2/3 + 2/5 s^2 + ...), rearranged to f - (f^2/2 - s * (f^2/2 + R))
// since f is exact and s is not. The reduction and the rearrangement are those
// of fdlibm's e_log.c.
Value mlafuse::emitLog(OpBuilder &b, Location loc, Value x) {
  Emit e(b, loc, x);
  Value isSubnormal = e.compare(Predicate::OLT, x, e.f32(0x1p-126));
  Value normal = e.select(isSubnormal, e.mulf(x, e.f32(0x1p25)), x);
  Value extra = e.select(isSubnormal, e.f32(-25.0), e.f32(0.0));

  // Measured from sqrt(1/2), the exponent field is k and the rest 1 + f.
  constexpr int64_t sqrtHalf = 0x3F3504F3;
  Value offset = e.add(e.bits(normal), -sqrtHalf);
  Value exponent = arith::SIToFPOp::create(
      b, loc, withElementType(x.getType(), b.getF32Type()),
      e.shrSigned(offset, 23));
  Value k = e.addf(exponent, extra);
  Value f = e.subf(e.float32(e.add(e.bitAnd(offset, 0x007FFFFF), sqrtHalf)),
                   e.f32(1.0));

  Value s = e.divf(f, e.addf(e.f32(2.0), f));
  Value z = e.mulf(s, s);
  Value rest = e.mulf(z, emitPolynomial(e, z,
                                        {0x1.555556p-1, 0x1.9999ecp-2,
                                         0x1.245c28p-2, 0x1.ddd4dap-3}));
  Value halfSquare = e.mulf(e.mulf(e.f32(0.5), f), f);
  Value tail = e.mulf(s, e.addf(halfSquare, rest));
  // k * ln2High + (f - (halfSquare - (tail + k * ln2Low)))
  tail = e.fma(k, e.f32(ln2Low), tail);
  Value result = e.subf(f, e.subf(halfSquare, tail));
  result = e.fma(k, e.f32(ln2High), result);

  const double infinity = std::numeric_limits<double>::infinity();
  result = e.select(e.compare(Predicate::OLT, x, e.f32(infinity)), result,
                    e.addf(x, x));
  result = e.select(e.compare(Predicate::OLT, x, e.f32(0.0)),
                    e.f32(std::nan("")), result);
  return e.select(e.compare(Predicate::OEQ, x, e.f32(0.0)), e.f32(-infinity),
                  result);
}
