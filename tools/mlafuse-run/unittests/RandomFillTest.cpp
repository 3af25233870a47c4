//===- RandomFillTest.cpp - tests of made-up values -------------------===//
#include "RandomFill.h"
#include "ElementType.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

Argument argumentOf(mlafuse_type type) {
  Argument argument;
  argument.name = "x";
  argument.type = type;
  return argument;
}

Argument withRange(mlafuse_type type, double low, double high,
                   bool distinct = false) {
  Argument argument = argumentOf(type);
  argument.range.emplace();
  argument.range->low.number = low;
  argument.range->high.number = high;
  argument.distinct = distinct;
  return argument;
}

template <typename T>
std::vector<T> fill(const Argument &argument, size_t count, uint64_t seed = 1,
                    const int64_t *symbols = nullptr) {
  std::vector<T> values(count);
  EXPECT_EQ(static_cast<int64_t>(sizeof(T)), typeBytes(argument.type));
  Error error = fillRandom(argument, symbols, seed, static_cast<int64_t>(count),
                           reinterpret_cast<uint8_t *>(values.data()));
  EXPECT_FALSE(error) << error.getText();
  return values;
}

std::string errorOf(const Argument &argument, int64_t count) {
  std::vector<uint8_t> data(static_cast<size_t>(count) * 8);
  return fillRandom(argument, nullptr, 1, count, data.data()).getText();
}

float fromBf16(uint16_t code) {
  uint32_t bits = static_cast<uint32_t>(code) << 16;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

} // namespace

TEST(RandomFill, FollowsFromSeedAndName) {
  Argument x = argumentOf(MLAFUSE_F32), y = x;
  y.name = "y";
  EXPECT_EQ(fill<float>(x, 100, 7), fill<float>(x, 100, 7));
  EXPECT_NE(fill<float>(x, 100, 7), fill<float>(x, 100, 8));
  EXPECT_NE(fill<float>(x, 100, 7), fill<float>(y, 100, 7));
}

TEST(RandomFill, SameOnEveryMachine) {
  std::vector<uint16_t> values = fill<uint16_t>(argumentOf(MLAFUSE_BF16), 3, 1);
  EXPECT_EQ(values, (std::vector<uint16_t>{0x3FEA, 0x3F8B, 0x3F59}));
}

TEST(RandomFill, FloatsAreNormal) {
  std::vector<uint16_t> codes = fill<uint16_t>(argumentOf(MLAFUSE_BF16), 50000);
  double sum = 0, squares = 0;
  for (uint16_t code : codes) {
    double value = fromBf16(code);
    sum += value;
    squares += value * value;
  }
  double mean = sum / 50000;
  EXPECT_NEAR(mean, 0, 0.02);
  EXPECT_NEAR(squares / 50000 - mean * mean, 1, 0.03);
}

TEST(RandomFill, Float8CodesAreFinite) {
  for (uint8_t code : fill<uint8_t>(argumentOf(MLAFUSE_F8E4M3FN), 20000))
    EXPECT_NE(code & 0x7F, 0x7F);
  for (uint8_t code : fill<uint8_t>(argumentOf(MLAFUSE_F8E4M3FNUZ), 20000))
    EXPECT_NE(code, 0x80);
  for (uint8_t code : fill<uint8_t>(argumentOf(MLAFUSE_F8E5M2), 20000))
    EXPECT_LT(code & 0x7F, 0x7C);
  for (uint8_t code : fill<uint8_t>(argumentOf(MLAFUSE_F8E8M0FNU), 1000)) {
    EXPECT_GE(code, 127 - 4);
    EXPECT_LE(code, 127 + 4);
  }
}

TEST(RandomFill, IntegersWithoutRange) {
  EXPECT_EQ(fill<int64_t>(argumentOf(MLAFUSE_I64), 5),
            std::vector<int64_t>(5, 0));
  EXPECT_EQ(fill<int32_t>(argumentOf(MLAFUSE_I32), 5),
            std::vector<int32_t>(5, 0));
  std::vector<uint8_t> bytes = fill<uint8_t>(argumentOf(MLAFUSE_I8), 10000);
  for (int value = 0; value < 256; ++value)
    EXPECT_NE(std::count(bytes.begin(), bytes.end(), value), 0) << value;
}

TEST(RandomFill, IntegersWithinRange) {
  std::vector<int32_t> values =
      fill<int32_t>(withRange(MLAFUSE_I32, -1, 3), 1000);
  for (int32_t value : {-1, 0, 1, 2})
    EXPECT_GT(std::count(values.begin(), values.end(), value), 150) << value;
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 2);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -1);
}

TEST(RandomFill, RangeOfASize) {
  Argument argument = withRange(MLAFUSE_I64, 0, 0);
  argument.range->high.dim = Dim{Dim::Kind::Symbol, 0, {}, "P"};
  const int64_t symbols[] = {3};
  std::vector<int64_t> values = fill<int64_t>(argument, 200, 1, symbols);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 2);
}

TEST(RandomFill, FloatsWithinRange) {
  std::vector<uint16_t> codes =
      fill<uint16_t>(withRange(MLAFUSE_BF16, 0.5, 1), 20000);
  for (uint16_t code : codes) {
    ASSERT_GE(fromBf16(code), 0.5);
    // Rounding up to the bound itself is what the next draw avoids.
    ASSERT_LT(fromBf16(code), 1);
  }
}

TEST(RandomFill, Distinct) {
  for (size_t count : {1, 10, 99, 100}) {
    std::vector<int64_t> values =
        fill<int64_t>(withRange(MLAFUSE_I64, 5, 105, /*distinct=*/true), count);
    std::sort(values.begin(), values.end());
    EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
    EXPECT_GE(values.front(), 5);
    EXPECT_LT(values.back(), 105);
  }
}

TEST(RandomFill, Errors) {
  EXPECT_EQ(errorOf(withRange(MLAFUSE_I64, 0, 4, true), 5),
            "--random, argument 'x': wanted 5 values that all differ, but its "
            "range 0 to below 4 has 4");
  EXPECT_EQ(errorOf(withRange(MLAFUSE_I64, 4, 4), 1),
            "--random, argument 'x': no value of i64 found in its range 4 to "
            "below 4");
  EXPECT_EQ(errorOf(withRange(MLAFUSE_I64, 4, 4), 0), "");
  EXPECT_NE(errorOf(withRange(MLAFUSE_I8, 0, 1000), 1), "");
  EXPECT_NE(errorOf(withRange(MLAFUSE_I64, 0, 1e300), 1), "");
  EXPECT_NE(errorOf(withRange(MLAFUSE_BF16, 1.001, 1.002), 1)
                .find("no value of bf16 found"),
            std::string::npos);
  EXPECT_NE(errorOf(withRange(MLAFUSE_F32, 0, 1, true), 1)
                .find("only of integers with a range"),
            std::string::npos);
}

TEST(RandomFill, Offsets) {
  const int64_t symbols[] = {100};
  Argument q = argumentOf(MLAFUSE_I32), k = q;
  q.offsets = k.offsets = Dim{Dim::Kind::Symbol, 0, {}, "T"};
  k.name = "k";
  std::vector<int32_t> values = fill<int32_t>(q, 5, 1, symbols);
  EXPECT_EQ(values.front(), 0);
  EXPECT_EQ(values.back(), 100);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  // Queries and keys are cut alike, each seed elsewhere.
  EXPECT_EQ(values, fill<int32_t>(k, 5, 1, symbols));
  EXPECT_NE(values, fill<int32_t>(q, 5, 2, symbols));
  EXPECT_EQ(fill<int32_t>(q, 0, 1, symbols), std::vector<int32_t>());
}

TEST(RandomFill, OffsetsThatDoNotFit) {
  Argument argument = argumentOf(MLAFUSE_I32);
  argument.offsets = Dim{Dim::Kind::Static, 3, {}, "3"};
  EXPECT_NE(errorOf(argument, 1).find("one value cannot ascend from 0 to 3"),
            std::string::npos);
  argument.offsets->value = int64_t(1) << 31;
  EXPECT_NE(errorOf(argument, 2).find("do not fit i32"), std::string::npos);
}
