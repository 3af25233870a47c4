//===- Numbers.h - bf16 and f8E4M3FN for the reference ----------*- C++ -*-===//
#ifndef MLAFUSE_EXAMPLES_DEEPSEEK_V3_NUMBERS_H
#define MLAFUSE_EXAMPLES_DEEPSEEK_V3_NUMBERS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace deepseek_v3 {

inline float fromBF16(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

/// Finite values only.
inline uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

inline float roundToBF16(double value) {
  return fromBF16(toBF16(static_cast<float>(value)));
}

/// Finite codes only (not 0x7F or 0xFF).
inline float fromE4M3(uint8_t code) {
  int exponent = (code >> 3) & 15, mantissa = code & 7;
  float magnitude = exponent ? std::ldexp(8.0f + mantissa, exponent - 10)
                             : std::ldexp(static_cast<float>(mantissa), -9);
  return code & 0x80 ? -magnitude : magnitude;
}

/// To nearest, ties to even, saturating at 448. Finite values only.
inline uint8_t toE4M3(float value) {
  float magnitude = std::fmin(std::fabs(value), 448.0f);
  // The distance between neighbours is 2^-9 below 2^-6, and grows from there.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  int step = exponent - 4 < -9 ? -9 : exponent - 4;
  float rounded = std::ldexp(std::nearbyint(std::ldexp(magnitude, -step)), step);
  uint8_t code = 0;
  if (rounded >= 0x1p-6f) {
    std::frexp(rounded, &exponent);
    int mantissa =
        static_cast<int>(std::ldexp(rounded, 4 - exponent)) - 8;
    code = static_cast<uint8_t>(((exponent + 6) << 3) | mantissa);
  } else {
    code = static_cast<uint8_t>(std::ldexp(rounded, 9));
  }
  return std::signbit(value) ? code | 0x80 : code;
}

} // namespace deepseek_v3

#endif // MLAFUSE_EXAMPLES_DEEPSEEK_V3_NUMBERS_H
