//===- PowersOfTwo.h - factors that bring numbers near f16 ------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_POWERSOFTWO_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_POWERSOFTWO_H

#include "../NVIDIA/Asm.h"

namespace mlafuse::kernel {

/// A power of two, and its inverse; f32, neither of them subnormal.
struct PowerOfTwo {
  mlir::Value power, inverse;

  /// Brings magnitudes with the exponent `exponent` (i32; biased by `bias`, as
  /// their type has it) to [2^14, 2^15), which f16 has room for. Where that
  /// takes more than there is, as near as it gets.
  static PowerOfTwo bringNear(Emitter &e, mlir::Value exponent, int64_t bias);

  /// The same for an f32, whose sign does not count; 1 for 0, which is times a
  /// large power of two a NaN where that overflows.
  static PowerOfTwo bringNear(Emitter &e, mlir::Value number);
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_POWERSOFTWO_H
