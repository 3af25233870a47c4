//===- PlainDualNorm.cpp - the dual norm as a C++ loop --------------------===//
//
// What a careful C++ programmer would write and clang vectorizes; compiled with
// -O3 -march=native. The reports of -Rpass=loop-vectorize are in
// python-free-docs/Performance.md.
//
//===----------------------------------------------------------------------===//

#include "PlainDualNorm.h"

#include <cmath>
#include <cstring>

static inline float toFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
static inline uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// To bf16 and back; NaN stays NaN.
static inline float roundToBF16(float value) {
  uint32_t bits = toBits(value);
  uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000;
  return value != value ? toFloat(0x7FC00000) : toFloat(rounded);
}

/// To nearest, ties to even, saturating; NaN gives 0x7F.
static inline uint8_t toE4M3(float value) {
  uint32_t bits = toBits(value), sign = (bits >> 24) & 0x80;
  uint32_t magnitude = bits & 0x7FFFFFFF;
  uint32_t normal =
      ((magnitude + 0x7FFFF + ((magnitude >> 20) & 1)) >> 20) - 960;
  uint32_t subnormal = toBits(toFloat(magnitude) + 16384.0f) - 0x46800000;
  uint32_t code = magnitude < 0x3C800000 ? subnormal : normal;
  code = magnitude > 0x43E00000 ? 0x7E : code;
  code = magnitude > 0x7F800000 ? 0x7F : code;
  return static_cast<uint8_t>(code | sign);
}

/// Widens a row into `values` and returns 1 / rms.
static inline float loadRow(const uint16_t *row, int64_t width,
                            float *values) {
  float squares = 0;
  {
#pragma clang fp reassociate(on)
    for (int64_t i = 0; i < width; ++i) {
      float value = toFloat(static_cast<uint32_t>(row[i]) << 16);
      values[i] = value;
      squares += value * value;
    }
  }
  return 1.0f / std::sqrt(squares / static_cast<float>(width) + 1e-6f);
}

static inline float normalize(float value, float inverse, uint16_t weight) {
  return roundToBF16(roundToBF16(value * inverse) *
                     toFloat(static_cast<uint32_t>(weight) << 16));
}

void plainDualNorm(const uint16_t *projection, const uint16_t *qWeight,
                   const uint16_t *kvWeight, uint8_t *codes, float *scales,
                   uint16_t *kv, int64_t begin, int64_t end) {
  for (int64_t t = begin; t < end; ++t) {
    const uint16_t *row = projection + t * 2112;
    alignas(64) float values[1536];
    float inverse = loadRow(row, 1536, values);
    // As integers, for which clang vectorizes the maximum; NaN is left out.
    uint32_t absMax = 0;
    for (int64_t i = 0; i < 1536; ++i) {
      float value = normalize(values[i], inverse, qWeight[i]);
      values[i] = value;
      uint32_t magnitude = toBits(value) & 0x7FFFFFFF;
      magnitude = magnitude > 0x7F800000 ? 0 : magnitude;
      absMax = magnitude > absMax ? magnitude : absMax;
    }
    float scale = toFloat(absMax) / 448.0f;
    constexpr float floor = 1.0f / (448.0f * 512.0f);
    scale = scale > floor ? scale : floor;
    scales[t] = scale;
    uint8_t *code = codes + t * 1536;
    for (int64_t i = 0; i < 1536; ++i)
      code[i] = toE4M3(values[i] / scale);

    inverse = loadRow(row + 1536, 512, values);
    uint16_t *out = kv + t * 512;
    for (int64_t i = 0; i < 512; ++i)
      out[i] = static_cast<uint16_t>(
          toBits(normalize(values[i], inverse, kvWeight[i])) >> 16);
  }
}
