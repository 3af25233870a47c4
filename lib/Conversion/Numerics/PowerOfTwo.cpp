//===- PowerOfTwo.cpp - Scales that are powers of two ---------------------===//
//
// All on the exponent field. 2^-127 is the one power of two among the scales
// that is subnormal in f32; its bits are 0x00400000, above those of zero and
// below those of 2^-126, so that a maximum puts it in.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

using namespace mlir;
using namespace mlafuse;

Value mlafuse::ue8m0RoundUp(OpBuilder &b, Location loc, Value scale) {
  Emit e(b, loc, scale);
  return e.float32(e.bitAnd(e.add(e.bits(scale), 0x007FFFFF), 0x7F800000));
}

Value mlafuse::exponentByte(OpBuilder &b, Location loc, Value x) {
  Emit e(b, loc, x);
  return e.bitAnd(e.shrUnsigned(e.bits(x), 23), 0xFF);
}

Value mlafuse::mxExponent(OpBuilder &b, Location loc, Value absMax, int emax) {
  assert(emax >= 1 && "with emax 0 the clamp to 127 would be needed");
  Emit e(b, loc, absMax);
  // The exponent field is floor(log2) + 127 for normal numbers and 255 for Inf.
  // For zero and subnormals it is 0, which the clamp at -127 makes right.
  return e.maxSigned(e.add(exponentByte(b, loc, absMax), -emax), 0);
}

Value mlafuse::reciprocalOfPowerOfTwo(OpBuilder &b, Location loc,
                                      Value biasedExponent) {
  Emit e(b, loc, biasedExponent);
  Value field = e.sub(e.i32(254), biasedExponent);
  return e.float32(e.maxUnsigned(e.shl(field, 23), 0x00400000));
}

Value mlafuse::scaleByPowerOfTwo(OpBuilder &b, Location loc, Value x,
                                 Value biasedExponent) {
  Emit e(b, loc, x);
  return e.mulf(x, reciprocalOfPowerOfTwo(b, loc, biasedExponent));
}
