//===- RoundTest.cpp - f32 to narrow formats ------------------------------===//

#include "Formats.h"
#include "Kernel.h"

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;

namespace {

constexpr size_t randomCount = 10'000'000;

/// Each number of the format and each tie between two of them, also the tie
/// beyond the largest, with the f32 up to three steps away, of both signs.
std::vector<float> boundaries(const Format &format) {
  std::vector<float> numbers = format.nonNegativeNumbers();
  std::vector<double> centers(numbers.begin(), numbers.end());
  double beyond = 2.0 * numbers.back() - numbers[numbers.size() - 2];
  for (size_t i = 0; i < numbers.size(); ++i) {
    double next = i + 1 < numbers.size() ? numbers[i + 1] : beyond;
    centers.push_back((double(numbers[i]) + next) / 2);
  }
  centers.push_back(0x1p-126);
  centers.push_back(0x1p-149);
  centers.push_back(INFINITY);
  std::vector<float> floats;
  for (double center : centers)
    for (int64_t step = -3; step <= 3; ++step)
      for (uint32_t sign : {0u, 0x80000000u}) {
        int64_t bits = toBits(static_cast<float>(center)) + step;
        if (bits >= 0)
          floats.push_back(fromBits(bits | sign));
      }
  return floats;
}

/// Every bf16, as f32.
std::vector<float> everyBF16() {
  std::vector<float> floats;
  for (uint32_t i = 0; i < 65536; ++i)
    floats.push_back(fromBits(i << 16));
  return floats;
}

/// Every f16, as f32.
std::vector<float> everyF16() {
  std::vector<float> floats;
  for (uint32_t i = 0; i < 65536; ++i)
    floats.push_back(getFormat("f16").decode(i));
  return floats;
}

/// The codes are right but for the payload of f16 NaNs, which is free.
bool isRight(const Format &format, unsigned got, unsigned wanted) {
  return got == wanted || (format.name == "f16" && wanted == format.nan &&
                           std::isnan(format.decode(got)));
}

template <typename Code>
std::vector<Code> round(const Format &format, unsigned lanes,
                        const std::vector<float> &floats,
                        std::optional<double> limit) {
  return runElementwise<Code>(
      Float32Type::get(&getContext()), lanes,
      [&](OpBuilder &b, Location loc, ValueRange v) {
        return roundFromF32(b, loc, v[0], format.getType(getContext()), limit);
      },
      floats);
}

template <typename Code>
void expectRoundingExact(const Format &format, const std::vector<float> &floats,
                         std::optional<double> limit) {
  std::vector<Code> scalar = round<Code>(format, 0, floats, limit);
  std::vector<Code> vector = round<Code>(format, 16, floats, limit);
  for (size_t i = 0; i < floats.size(); ++i) {
    unsigned wanted = format.encode(floats[i], limit.value_or(INFINITY));
    ASSERT_TRUE(isRight(format, scalar[i], wanted))
        << format.name << " of bits " << std::hex << toBits(floats[i])
        << ": scalar " << unsigned(scalar[i]) << ", wanted " << wanted;
    ASSERT_TRUE(isRight(format, vector[i], wanted))
        << format.name << " of bits " << std::hex << toBits(floats[i])
        << ": vector " << unsigned(vector[i]) << ", wanted " << wanted;
  }
}

void expectRoundingExact(const Format &format, const std::vector<float> &floats,
                         std::optional<double> limit = std::nullopt) {
  if (format.bits == 16)
    expectRoundingExact<uint16_t>(format, floats, limit);
  else
    expectRoundingExact<uint8_t>(format, floats, limit);
}

TEST(Round, EveryBoundary) {
  for (const Format &format : getFormats())
    expectRoundingExact(format, boundaries(format));
}

TEST(Round, EveryBF16AndF16) {
  for (const Format &format : getFormats()) {
    expectRoundingExact(format, everyBF16());
    expectRoundingExact(format, everyF16());
  }
}

TEST(Round, RandomBits) {
  std::vector<float> floats = randomFloats(randomCount);
  for (const Format &format : getFormats())
    expectRoundingExact(format, floats);
}

/// Uniform bits seldom fall into the narrow range of f8 and f4: here all do.
TEST(Round, RandomBitsInRange) {
  std::vector<float> floats = randomFloats(randomCount / 4);
  for (float &x : floats)
    x = fromBits((toBits(x) & 0x87FFFFFF) + 0x39000000);
  for (const Format &format : getFormats())
    if (format.bits <= 8)
      expectRoundingExact(format, floats);
}

TEST(Round, LimitClampsFirst) {
  struct {
    const char *format;
    double limit;
  } cases[] = {{"f8E4M3FNUZ", 224}, {"f8E4M3FN", 240}, {"f8E4M3FN", 448},
               {"f8E5M2", 57344},   {"f4E2M1FN", 6},   {"f8E4M3FN", 1.0 / 3}};
  for (auto [name, limit] : cases) {
    const Format &format = getFormat(name);
    expectRoundingExact(format, boundaries(format), limit);
    expectRoundingExact(format, everyBF16(), limit);
  }
}

TEST(Round, RulesOfTheContract) {
  struct {
    const char *format;
    float x;
    unsigned code;
  } cases[] = {
      {"bf16", NAN, 0x7FC0},        {"bf16", fromBits(0xFFFFFFFF), 0x7FC0},
      {"bf16", 3.4e38f, 0x7F80},    {"bf16", -0.0f, 0x8000},
      {"f16", 65520.0f, 0x7C00},    {"f16", 65519.0f, 0x7BFF},
      {"f8E4M3FN", INFINITY, 0x7E}, {"f8E4M3FN", -500.0f, 0xFE},
      {"f8E4M3FN", -NAN, 0x7F},     {"f8E4M3FN", -0x1p-11f, 0x80},
      {"f8E4M3FNUZ", 1e9f, 0x7F},   {"f8E4M3FNUZ", -INFINITY, 0xFF},
      {"f8E4M3FNUZ", -NAN, 0x80},   {"f8E4M3FNUZ", -0.0f, 0x00},
      {"f8E4M3FNUZ", -0x1p-11f, 0}, {"f8E4M3FNUZ", -0x1.8p-11f, 0x81},
      {"f8E5M2", INFINITY, 0x7B},   {"f8E5M2", NAN, 0x7F},
      {"f4E2M1FN", -NAN, 0x7},      {"f4E2M1FN", -INFINITY, 0xF},
      {"f4E2M1FN", 0.25f, 0},       {"f4E2M1FN", 0.75f, 2},
      {"f4E2M1FN", 1.75f, 4},       {"f4E2M1FN", 2.5f, 4},
      {"f4E2M1FN", 3.5f, 6},        {"f4E2M1FN", 5.0f, 6},
      {"f4E2M1FN", -0.2f, 8}};
  for (auto [name, x, code] : cases) {
    const Format &format = getFormat(name);
    unsigned got = format.bits == 16
                       ? round<uint16_t>(format, 16, {x}, std::nullopt)[0]
                       : round<uint8_t>(format, 16, {x}, std::nullopt)[0];
    EXPECT_EQ(got, code) << name << " of " << x;
  }
}

TEST(Round, RoundThroughIsRoundAndExtend) {
  std::vector<float> floats = randomFloats(1'000'000);
  for (const Format &format : getFormats())
    for (unsigned lanes : {0u, 16u}) {
      std::vector<float> inputs = boundaries(format);
      inputs.insert(inputs.end(), floats.begin(), floats.end());
      auto got = runElementwise<float>(
          Float32Type::get(&getContext()), lanes,
          [&](OpBuilder &b, Location loc, ValueRange v) {
            return roundThrough(b, loc, v[0], format.getType(getContext()));
          },
          inputs);
      for (size_t i = 0; i < inputs.size(); ++i)
        ASSERT_PRED2(sameFloat, got[i],
                     format.name == "f4E2M1FN" || !std::isnan(inputs[i])
                         ? format.decode(format.encode(inputs[i]))
                         : NAN)
            << format.name << " of bits " << std::hex << toBits(inputs[i]);
    }
}

} // namespace
