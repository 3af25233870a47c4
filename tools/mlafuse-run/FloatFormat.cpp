//===- FloatFormat.cpp - numbers in narrow float types ----------------===//
#include "FloatFormat.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mlafuse::rt {
namespace {

/// sign | exponent | mantissa, with subnormals.
struct Format {
  int mantissaBits;
  int bias;
  int bits;
  double max; ///< The largest finite number.
};

Format formatOf(mlafuse_type type) {
  switch (type) {
  case MLAFUSE_BF16:
    return {7, 127, 16, 0x1.FEp127};
  case MLAFUSE_F16:
    return {10, 15, 16, 65504};
  case MLAFUSE_F8E4M3FN:
    return {3, 7, 8, 448};
  case MLAFUSE_F8E4M3FNUZ:
    return {3, 8, 8, 240};
  case MLAFUSE_F8E5M2:
    return {2, 15, 8, 57344};
  default:
    return {23, 127, 32, 0x1.FFFFFEp127};
  }
}

/// floor(log2(value)) of a positive number.
int exponentOf(double value) {
  int exponent;
  std::frexp(value, &exponent);
  return exponent - 1;
}

constexpr int e8m0Bias = 127;

} // namespace

double roundToType(mlafuse_type type, double value) {
  if (type == MLAFUSE_F8E8M0FNU) {
    double exponent =
        value > 0 ? std::nearbyint(std::log2(value)) : double(-e8m0Bias);
    return std::ldexp(
        1.0, static_cast<int>(std::clamp(exponent, double(-e8m0Bias), 127.0)));
  }
  if (value == 0)
    return 0;
  Format format = formatOf(type);
  double magnitude = std::fabs(value);
  // The distance of neighbours where the number lies.
  int exponent = std::max(exponentOf(magnitude), 1 - format.bias);
  double step = std::ldexp(1.0, exponent - format.mantissaBits);
  double rounded =
      std::min(std::nearbyint(magnitude / step) * step, format.max);
  // Negative numbers that round to zero become the zero that all types have.
  return rounded == 0 ? 0 : std::copysign(rounded, value);
}

uint32_t encode(mlafuse_type type, double value) {
  if (type == MLAFUSE_F8E8M0FNU)
    return static_cast<uint32_t>(exponentOf(value) + e8m0Bias);
  if (value == 0)
    return 0;
  Format format = formatOf(type);
  double magnitude = std::fabs(value);
  int exponent = std::max(exponentOf(magnitude), 1 - format.bias);
  uint32_t mantissa = static_cast<uint32_t>(
      std::ldexp(magnitude, format.mantissaBits - exponent));
  // A normal number's mantissa has its leading 1, which raises the exponent
  // field from the 0 of subnormals to the 1 of the smallest normal ones.
  uint32_t code = mantissa + (static_cast<uint32_t>(exponent + format.bias - 1)
                              << format.mantissaBits);
  return value < 0 ? code | 1u << (format.bits - 1) : code;
}

} // namespace mlafuse::rt
