//===- NarrowQuotient.h - bf16 and f16 over a group's scale -----*- C++ -*-===//
//
// Sums that were rounded to the model's type have 8 or 11 significant bits, and
// so has the absolute maximum that their scale is computed from. A quotient
// takes two instructions then: with 1/s in two parts, high + low, x/s is
// RN(x * high + RN(x * low)). What that may be off by before it is rounded,
// 2^-46 of it, is less than quotients of so few bits are from the numbers at
// which a code changes; checkCodes() tries them.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_NARROWQUOTIENT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_NARROWQUOTIENT_H

#include "../Quotient.h"

namespace mlafuse::kernel::projection {

/// The f32 scale of a group of bf16 or f16, and what they are divided by.
class NarrowScale {
public:
  /// True if the codes and the scale have the bits that divisions give, of
  /// groups of `elements` (bf16 or f16).
  static bool isExact(const QuantBuffers &buffers, mlir::Type elements);

  /// Of a group whose absolute maximum, the floor included, is `absMax`.
  NarrowScale(Emitter &e, const EffectiveRule &rule, mlir::Value absMax);

  mlir::Value get() const { return scale; }
  /// The quotients of an f32 vector of elements.
  mlir::Value divide(Emitter &e, mlir::Value x) const;

  /// Whether the elements of a group with the absolute maximum `absMax` get the
  /// codes that a division gives, whatever they are; `max` is the largest
  /// number of `codes`, the type of the codes. The reciprocal instruction may
  /// be off by one unit of the last place.
  static bool checkCodes(double max, const llvm::fltSemantics &codes,
                         const llvm::fltSemantics &elements, float absMax);

private:
  mlir::Value scale, high, low;
};

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_NARROWQUOTIENT_H
