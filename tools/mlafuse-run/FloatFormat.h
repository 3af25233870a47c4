//===- FloatFormat.h - numbers in narrow float types ----------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_FLOATFORMAT_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_FLOATFORMAT_H

#include "mlafuse/runtime/mlafuse.h"

namespace mlafuse::rt {

/// The finite number of a float type that is nearest to `value` (ties to the
/// even code). For f8E8M0FNU, which has powers of two only: the nearest power
/// in its exponent, the smallest one if `value` isn't positive.
double roundToType(mlafuse_type type, double value);

/// The code of a number that roundToType gave, in the low bits.
uint32_t encode(mlafuse_type type, double value);

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_FLOATFORMAT_H
