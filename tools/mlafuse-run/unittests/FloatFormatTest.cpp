//===- FloatFormatTest.cpp - tests of narrow float types --------------===//
#include "FloatFormat.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

uint32_t code(mlafuse_type type, double value) {
  return encode(type, roundToType(type, value));
}

} // namespace

TEST(FloatFormat, KnownCodes) {
  struct Case {
    mlafuse_type type;
    double value;
    uint32_t code;
  };
  const Case cases[] = {
      {MLAFUSE_BF16, 1, 0x3F80},
      {MLAFUSE_BF16, -2, 0xC000},
      {MLAFUSE_BF16, 1 + 0x1p-8, 0x3F80}, // Tie to even, down.
      {MLAFUSE_BF16, 1 + 0x3p-8, 0x3F82}, // Tie to even, up.
      {MLAFUSE_BF16, 1e39, 0x7F7F},
      {MLAFUSE_BF16, 0x1p-133, 0x0001},
      {MLAFUSE_F16, 1, 0x3C00},
      {MLAFUSE_F16, 65520, 0x7BFF},
      {MLAFUSE_F16, 0x1p-24, 0x0001},
      {MLAFUSE_F16, 0x1p-14, 0x0400},
      {MLAFUSE_F16, -0x1p-26, 0x0000},
      {MLAFUSE_F8E4M3FN, 1, 0x38},
      {MLAFUSE_F8E4M3FN, 448, 0x7E},
      {MLAFUSE_F8E4M3FN, -1e9, 0xFE},
      {MLAFUSE_F8E4M3FN, 0x1p-9, 0x01},
      {MLAFUSE_F8E4M3FN, 0x1p-6, 0x08},
      {MLAFUSE_F8E4M3FNUZ, 1, 0x40},
      {MLAFUSE_F8E4M3FNUZ, 240, 0x7F},
      {MLAFUSE_F8E4M3FNUZ, -1e-9, 0x00}, // 0x80 would be a NaN.
      {MLAFUSE_F8E4M3FNUZ, 0x1p-10, 0x01},
      {MLAFUSE_F8E5M2, 1, 0x3C},
      {MLAFUSE_F8E5M2, 1e9, 0x7B},
      {MLAFUSE_F8E5M2, 0x1p-16, 0x01},
      {MLAFUSE_F8E8M0FNU, 1, 127},
      {MLAFUSE_F8E8M0FNU, 0.25, 125},
      {MLAFUSE_F8E8M0FNU, -3, 0},
      {MLAFUSE_F8E8M0FNU, 1e60, 254},
  };
  for (const Case &number : cases)
    EXPECT_EQ(code(number.type, number.value), number.code)
        << number.type << " " << number.value;
}

TEST(FloatFormat, F32IsTheMachines) {
  for (double value : {1.0, -0.1, 1e-40, 3.4e38, 0x1p-149, 16777217.0}) {
    float wanted = static_cast<float>(value);
    uint32_t bits;
    memcpy(&bits, &wanted, sizeof(bits));
    EXPECT_EQ(code(MLAFUSE_F32, value), bits) << value;
  }
}
