//===- Magnitude.cpp - Absolute value, maximum, clamp ---------------------===//
//
// Written as comparisons and selects in the operand order of x86's minps and
// maxps, which return their second operand if either is NaN.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

using namespace mlir;
using namespace mlafuse;

Value mlafuse::absF32(OpBuilder &b, Location loc, Value x) {
  return math::AbsFOp::create(b, loc, x);
}

Value mlafuse::maxIgnoringNaN(OpBuilder &b, Location loc, Value accumulator,
                              Value x) {
  Emit e(b, loc, x);
  return e.select(e.compare(arith::CmpFPredicate::OGT, x, accumulator), x,
                  accumulator);
}

Value mlafuse::clampKeepNaN(OpBuilder &b, Location loc, Value x, Value limit) {
  Emit e(b, loc, x);
  Value low = arith::NegFOp::create(b, loc, limit);
  x = e.select(e.compare(arith::CmpFPredicate::OLT, limit, x), limit, x);
  return e.select(e.compare(arith::CmpFPredicate::OGT, low, x), low, x);
}
