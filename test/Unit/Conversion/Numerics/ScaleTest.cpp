//===- ScaleTest.cpp - Magnitudes, power-of-two scales, nibbles -----------===//

#include "Formats.h"
#include "Kernel.h"

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;

namespace {

Type f32Type() { return Float32Type::get(&getContext()); }

/// Numbers of every exponent, with few and with many mantissa bits, zero, the
/// subnormals next to zero and next to 2^-126, Inf. None is negative.
std::vector<float> magnitudes() {
  std::vector<float> floats = {0.0f, 1e-10f, INFINITY};
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (uint32_t mantissa : {0u, 1u, 2u, 0x3FFFFFu, 0x400000u, 0x7FFFFFu})
      floats.push_back(fromBits(exponent << 23 | mantissa));
  return floats;
}

TEST(Magnitude, AbsClearsTheSign) {
  std::vector<float> floats = {-1.5f,
                               2.0f,
                               -0.0f,
                               -INFINITY,
                               fromBits(0xFFC00000),
                               fromBits(0x80000001)};
  for (unsigned lanes : {0u, 16u}) {
    auto got = runElementwise<uint32_t>(
        f32Type(), lanes,
        [](OpBuilder &b, Location loc, ValueRange v) {
          return absF32(b, loc, v[0]);
        },
        floats);
    for (size_t i = 0; i < floats.size(); ++i)
      EXPECT_EQ(got[i], toBits(floats[i]) & 0x7FFFFFFF);
  }
}

TEST(Magnitude, MaximumIgnoresNaN) {
  std::vector<float> accumulators, others, wanted;
  for (float accumulator : {0.0f, 1e-10f, 1.0f, INFINITY})
    for (float x : {0.0f, fromBits(1), 0.5f, 2.0f, INFINITY, float(NAN),
                    fromBits(0x7F800001), fromBits(0xFFFFFFFF)}) {
      accumulators.push_back(accumulator);
      others.push_back(x);
      wanted.push_back(std::isnan(x) ? accumulator : std::max(accumulator, x));
    }
  for (unsigned lanes : {0u, 16u}) {
    auto got = runElementwise<float>(
        f32Type(), lanes,
        [](OpBuilder &b, Location loc, ValueRange v) {
          return maxIgnoringNaN(b, loc, v[0], v[1]);
        },
        accumulators, &others);
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_EQ(toBits(got[i]), toBits(wanted[i]))
          << accumulators[i] << ", " << others[i];
  }
}

TEST(Magnitude, ClampKeepsNaNAndZeros) {
  std::vector<float> floats = {448.0f,      449.0f,    -449.0f, -448.0f,
                               INFINITY,    -INFINITY, 0.0f,    -0.0f,
                               fromBits(1), 1.5f,      NAN};
  for (unsigned lanes : {0u, 16u}) {
    auto got = runElementwise<float>(
        f32Type(), lanes,
        [](OpBuilder &b, Location loc, ValueRange v) {
          Value limit = createFloat(b, loc, v[0].getType(), 448.0);
          return clampKeepNaN(b, loc, v[0], limit);
        },
        floats);
    for (size_t i = 0; i < floats.size(); ++i) {
      float x = floats[i];
      EXPECT_PRED2(sameFloat, got[i],
                   std::isnan(x) ? x : std::min(std::max(x, -448.0f), 448.0f));
    }
  }
}

TEST(PowerOfTwo, RoundsUp) {
  std::vector<float> floats = magnitudes();
  for (unsigned lanes : {0u, 16u}) {
    auto got = runElementwise<float>(
        f32Type(), lanes,
        [](OpBuilder &b, Location loc, ValueRange v) {
          return ue8m0RoundUp(b, loc, v[0]);
        },
        floats);
    for (size_t i = 0; i < floats.size(); ++i) {
      float x = floats[i], wanted = x;
      if (x != 0 && std::isfinite(x)) {
        int exponent;
        double fraction = std::frexp(double(x), &exponent);
        wanted = std::ldexp(1.0f, fraction == 0.5 ? exponent - 1 : exponent);
        wanted = std::max(wanted, 0x1p-126f);
      }
      EXPECT_EQ(got[i], wanted) << x;
    }
  }
}

TEST(PowerOfTwo, ExponentByte) {
  std::vector<float> floats = magnitudes();
  floats.push_back(-1.5f);
  for (unsigned lanes : {0u, 16u}) {
    auto got = runElementwise<int32_t>(
        f32Type(), lanes,
        [](OpBuilder &b, Location loc, ValueRange v) {
          return exponentByte(b, loc, v[0]);
        },
        floats);
    for (size_t i = 0; i < floats.size(); ++i)
      EXPECT_EQ(got[i], std::isinf(floats[i]) ? 255
                        : !std::isnormal(floats[i])
                            ? 0
                            : std::ilogb(floats[i]) + 127)
          << floats[i];
  }
}

TEST(PowerOfTwo, MXExponent) {
  std::vector<float> floats = magnitudes();
  for (int emax : {1, 2, 8, 15})
    for (unsigned lanes : {0u, 16u}) {
      auto got = runElementwise<int32_t>(
          f32Type(), lanes,
          [&](OpBuilder &b, Location loc, ValueRange v) {
            return mxExponent(b, loc, v[0], emax);
          },
          floats);
      for (size_t i = 0; i < floats.size(); ++i) {
        int log = floats[i] == 0          ? -1000
                  : std::isinf(floats[i]) ? 128
                                          : std::ilogb(floats[i]);
        int x = std::min(std::max(log - emax, -127), 127);
        ASSERT_EQ(got[i], x + 127) << floats[i] << ", emax " << emax;
      }
    }
}

TEST(PowerOfTwo, ScalesExactly) {
  std::vector<float> floats = magnitudes();
  for (float x : randomFloats(200))
    floats.push_back(x);
  for (unsigned lanes : {0u, 16u})
    for (int biased : {0, 1, 2, 7, 126, 127, 128, 200, 252, 253, 254}) {
      auto got = runElementwise<float>(
          f32Type(), lanes,
          [&](OpBuilder &b, Location loc, ValueRange v) {
            Type type = withElementType(v[0].getType(), b.getI32Type());
            Value exponent = createInt(b, loc, type, biased);
            return scaleByPowerOfTwo(b, loc, v[0], exponent);
          },
          floats);
      for (size_t i = 0; i < floats.size(); ++i) {
        float wanted = std::ldexp(double(floats[i]), 127 - biased);
        ASSERT_PRED2(sameFloat, got[i], wanted) << floats[i] << ", " << biased;
      }
    }
}

TEST(PowerOfTwo, ReciprocalOfEachScale) {
  std::vector<int32_t> exponents;
  for (int biased = 0; biased < 255; ++biased)
    exponents.push_back(biased);
  for (unsigned lanes : {0u, 16u}) {
    auto got = runElementwise<float>(
        IntegerType::get(&getContext(), 32), lanes,
        [](OpBuilder &b, Location loc, ValueRange v) {
          return reciprocalOfPowerOfTwo(b, loc, v[0]);
        },
        exponents);
    for (int biased = 0; biased < 255; ++biased)
      EXPECT_EQ(got[biased], std::ldexp(1.0f, 127 - biased));
  }
}

TEST(Nibbles, EvenCodesAreLow) {
  Type i8 = IntegerType::get(&getContext(), 8);
  Kernel pack({VectorType::get(32, i8)},
              [](OpBuilder &b, Location loc, ValueRange v) {
                return packNibbles(b, loc, v[0]);
              });
  Kernel unpack({VectorType::get(16, i8)},
                [](OpBuilder &b, Location loc, ValueRange v) {
                  return unpackNibbles(b, loc, v[0]);
                });
  for (int block = 0; block < 256; block += 16) {
    uint8_t bytes[16], codes[32], packed[16];
    for (int i = 0; i < 16; ++i)
      bytes[i] = block + i;
    unpack(bytes, nullptr, codes);
    pack(codes, nullptr, packed);
    for (int i = 0; i < 16; ++i) {
      EXPECT_EQ(codes[2 * i], bytes[i] & 15);
      EXPECT_EQ(codes[2 * i + 1], bytes[i] >> 4);
      EXPECT_EQ(packed[i], bytes[i]);
    }
  }
}

TEST(Constants, WrapAndSplat) {
  Type i8 = IntegerType::get(&getContext(), 8);
  Kernel kernel({VectorType::get(4, i8)},
                [](OpBuilder &b, Location loc, ValueRange v) {
                  return createInt(b, loc, v[0].getType(), 0x1FE);
                });
  uint8_t in[4] = {}, out[4] = {};
  kernel(in, nullptr, out);
  for (uint8_t byte : out)
    EXPECT_EQ(byte, 0xFE);
}

} // namespace
