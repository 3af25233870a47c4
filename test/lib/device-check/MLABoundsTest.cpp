//===- MLABoundsTest.cpp - what the comparison of MLA's results catches ---===//
#include "MLABounds.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

Argument makeArgument(std::string name, mlafuse_type type,
                      std::vector<int64_t> shape) {
  Argument argument;
  argument.name = std::move(name);
  argument.type = type;
  argument.access = MLAFUSE_WRITE;
  for (int64_t size : shape) {
    Dim dim;
    dim.value = size;
    argument.shape.push_back(dim);
  }
  return argument;
}

/// An argument of f32 or codes, as it was and as both devices left it.
struct Case {
  explicit Case(Argument made) : argument(std::move(made)) {
    EXPECT_FALSE(placeArgument(argument, {}, Spacing(), placement));
    before.assign(placement.bytes, 0xA5);
    actual = expected = before;
  }

  void set(int64_t index, float got, float wanted) {
    put(actual, index, got);
    put(expected, index, wanted);
  }
  void setAll(float value) {
    for (int64_t i = 0; i < placement.elements(); ++i)
      set(i, value, value);
  }
  void setCode(int64_t index, uint8_t got, uint8_t wanted) {
    actual[placement.begin + static_cast<size_t>(index)] = got;
    expected[placement.begin + static_cast<size_t>(index)] = wanted;
  }

  Compared compared() const {
    return {argument, placement, before, actual, expected};
  }

  Argument argument;
  Placement placement;
  MemoryImage before, actual, expected;

private:
  void put(MemoryImage &image, int64_t index, float value) {
    std::memcpy(&image[placement.begin + static_cast<size_t>(4 * index)],
                &value, sizeof(value));
  }
};

/// Two tokens of two heads of four columns.
constexpr TokenRows twoTokens = {0, 2, 2};

struct Rows : Case {
  Rows() : Case(makeArgument("o", MLAFUSE_F32, {2, 1, 2, 4})) { setAll(1); }

  std::string error(TokenRows rows = twoTokens) {
    tally = MLATally();
    return compareRows(compared(), rows, 4e-3, tally).getText();
  }
  MLATally tally;
};

TEST(MLABounds, RowsAreComparedByTheirNorm) {
  Rows test;
  EXPECT_EQ(test.error(), "");
  EXPECT_EQ(test.tally.rows, 4);
  // Of a row of norm 2.
  test.set(6, 1.0079f, 1);
  EXPECT_EQ(test.error(), "");
  EXPECT_NEAR(test.tally.worstRow, 0.00395, 1e-5);
  test.set(6, 1.0081f, 1);
  EXPECT_NE(test.error().find("argument 'o', token 0, head 1: off by 0.00405"),
            std::string::npos)
      << test.error();
  EXPECT_NE(test.error().find("furthest at [0, 0, 1, 2]: 1.00810003"),
            std::string::npos)
      << test.error();
}

TEST(MLABounds, NoNaNPassesForANumber) {
  Rows test;
  test.set(3, NAN, 1);
  EXPECT_NE(test.error(), "");
  test.set(3, 1, NAN);
  EXPECT_NE(test.error(), "");
  test.set(3, NAN, -NAN);
  EXPECT_EQ(test.error(), "");
  test.set(3, INFINITY, INFINITY);
  EXPECT_EQ(test.error(), "");
  test.set(3, INFINITY, -INFINITY);
  EXPECT_NE(test.error(), "");
}

TEST(MLABounds, ARowOfZerosIsZero) {
  Rows test;
  for (int64_t i = 0; i < 4; ++i)
    test.set(i, 0, 0);
  EXPECT_EQ(test.error(), "");
  test.set(2, 1e-30f, 0);
  EXPECT_NE(test.error(), "");
}

TEST(MLABounds, RowsBeyondTheCountAreUntouched) {
  Rows test;
  EXPECT_NE(test.error({0, 1, 2}), "") << "written, but not live";
  test.actual = test.expected = test.before;
  for (int64_t i = 0; i < 8; ++i)
    test.set(i, 2, 2);
  EXPECT_EQ(test.error({0, 1, 2}), "");
  EXPECT_EQ(test.tally.rows, 2);
  EXPECT_NE(test.error({1, 1, 2}), "") << "rows ahead of the offset";
  // A near number in a row that is not to be written is an error, too.
  ++test.actual[test.placement.begin + 40];
  EXPECT_NE(test.error({0, 1, 2}), "");
}

TEST(MLABounds, RowsOfAllHeadsOfATokenInOneRow) {
  Case test(makeArgument("o", MLAFUSE_F32, {2, 8}));
  test.setAll(1);
  test.set(13, 2, 1);
  MLATally tally;
  Error error = compareRows(test.compared(), twoTokens, 4e-3, tally);
  EXPECT_NE(error.getText().find("token 1, head 1"), std::string::npos);
}

TEST(MLABounds, RoundedRowsAreComparedWithWhatIsNotRounded) {
  // One token of one head: 4.375 and 4.40625 are next to each other in bf16,
  // and 7e-3 of the row apart.
  const uint16_t bits[4] = {0x408C, 0, 0, 0};
  Argument argument = makeArgument("o", MLAFUSE_BF16, {1, 1, 1, 4});
  Placement placement;
  ASSERT_FALSE(placeArgument(argument, {}, Spacing(), placement));
  MemoryImage before(placement.bytes, 0xA5), actual = before;
  std::memcpy(&actual[placement.begin], bits, sizeof(bits));
  Case wanted(makeArgument("o", MLAFUSE_F32, {1, 1, 1, 4}));
  Compared compared = {argument,         placement,       before,
                       actual,           wanted.expected, &wanted.argument,
                       &wanted.placement};
  MLATally tally;
  auto error = [&](float number) {
    wanted.setAll(0);
    wanted.set(0, 0, number);
    return compareRows(compared, {0, 1, 1}, 4e-3, tally).getText();
  };
  EXPECT_EQ(error(4.391f), ""); // Would be rounded to 4.40625.
  EXPECT_NE(error(4.40625f), "");
  EXPECT_NE(error(4.35f), "");
}

TEST(MLABounds, LogarithmsAreNear) {
  Case test(makeArgument("lse", MLAFUSE_F32, {2, 1, 2}));
  test.setAll(-INFINITY);
  MLATally tally;
  auto passes = [&](TokenRows rows) {
    return !compareLse(test.compared(), rows, 1e-3, tally);
  };
  EXPECT_TRUE(passes(twoTokens));
  test.set(2, 5.0009f, 5);
  EXPECT_TRUE(passes(twoTokens));
  EXPECT_NEAR(tally.worstLse, 9e-4, 1e-6);
  test.set(2, 5.0011f, 5);
  EXPECT_FALSE(passes(twoTokens));
  test.set(2, -1e30f, -INFINITY);
  EXPECT_FALSE(passes(twoTokens));
  test.set(2, NAN, 5);
  EXPECT_FALSE(passes(twoTokens));
  test.set(2, 5, 5);
  EXPECT_FALSE(passes({0, 1, 2})) << "a logarithm that is not to be written";
}

/// A token of two groups of four codes of f8E4M3FN.
struct Numbers {
  Numbers()
      : codes(makeArgument("codes_g4", MLAFUSE_F8E4M3FN, {1, 8})),
        source(makeArgument("o", MLAFUSE_F32, {1, 8})), scales(8, 1),
        expectedScales(8, 1) {
    source.setAll(1);
    for (int64_t i = 0; i < 8; ++i)
      codes.setCode(i, 0x38, 0x38); // 1
    codes.setCode(0, 0x78, 0x78);   // 256
  }

  std::string error(std::optional<mlafuse_type> type = MLAFUSE_F32) {
    tally = MLATally();
    Dequantized values = {codes.argument,   codes.placement,
                          codes.actual,     codes.expected,
                          scales.data(),    expectedScales.data(),
                          source.expected,  source.argument,
                          source.placement, type,
                          globalScale};
    return compareDequantized(values, {0, 1, 1}, tally).getText();
  }
  void setScale(float got, float wanted) {
    for (size_t i = 0; i < 4; ++i) {
      scales[i] = got;
      expectedScales[i] = wanted;
    }
  }

  Case codes, source;
  std::vector<float> scales, expectedScales;
  double globalScale = 1;
  MLATally tally;
};

TEST(MLABounds, NumbersAreWithinAStepAndAPartOfTheirGroup) {
  Numbers test;
  EXPECT_EQ(test.error(), "");
  EXPECT_EQ(test.tally.codes, 8);
  // In the second group the largest is 1: one step of 1/8 and 0.01.
  test.codes.setCode(5, 0x39, 0x38);
  EXPECT_EQ(test.error(), "");
  EXPECT_EQ(test.tally.movedCodes, 1);
  test.codes.setCode(5, 0x3A, 0x38);
  EXPECT_NE(test.error().find("[0, 5]: 1.25"), std::string::npos)
      << test.error();
  // In the first it is 256, of which 2.56 are allowed beside the step.
  test.codes.setCode(5, 0x38, 0x38);
  test.codes.setCode(2, 0x45, 0x38); // 3.25
  EXPECT_EQ(test.error(), "");
  test.codes.setCode(2, 0x47, 0x38); // 3.75
  EXPECT_NE(test.error(), "");
  test.codes.setCode(2, 0x7F, 0x38);
  EXPECT_NE(test.error(), "") << "NaN in place of a number";
}

TEST(MLABounds, WithoutGroupsTheWholeRowCounts) {
  Numbers test;
  test.codes.argument.name = "codes";
  test.codes.setCode(5, 0x45, 0x38);
  EXPECT_EQ(test.error(std::nullopt), "");
  EXPECT_EQ(groupColumns(makeArgument("codes", MLAFUSE_F8E4M3FN, {}), 96), 96);
  EXPECT_EQ(groupColumns(makeArgument("codes_g16_e2m1x2", MLAFUSE_I8, {}), 96),
            16);
}

TEST(MLABounds, ScalesAreNear) {
  Numbers test;
  test.setScale(1.0099f, 1);
  EXPECT_EQ(test.error(), "");
  EXPECT_EQ(test.tally.movedScales, 2 - 1);
  test.setScale(1.0101f, 1);
  EXPECT_NE(test.error().find("group at [0, 0]: scale 1.0101, wanted 1"),
            std::string::npos)
      << test.error();
  test.setScale(1.005f, 1);
  EXPECT_NE(test.error(std::nullopt), "") << "an input that differs";
}

TEST(MLABounds, APowerOfTwoMovesWhereTheMagnitudeIsNearIt) {
  Numbers test;
  test.setScale(2, 1);
  test.codes.setCode(0, 0x70, 0x78); // 128 of 2 in place of 256 of 1
  for (int64_t i = 1; i < 4; ++i)
    test.codes.setCode(i, 0x30, 0x38);
  EXPECT_NE(test.error(), "");
  test.source.set(3, 448 * 1.005f, 448 * 1.005f);
  EXPECT_EQ(test.error(), "");
  test.source.set(3, 448 * 1.02f, 448 * 1.02f);
  EXPECT_NE(test.error(), "");
}

TEST(MLABounds, AScaleOfE4m3MovesByACode) {
  Numbers test;
  test.globalScale = 100;
  // Codes 1 and 1.125, and 1.25, of the global scale.
  test.setScale(0.01125f, 0.01f);
  test.codes.setCode(0, 0x76, 0x78);
  EXPECT_EQ(test.error(MLAFUSE_F8E4M3FN), "");
  EXPECT_NE(test.error(MLAFUSE_F32), "");
  test.setScale(0.0125f, 0.01f);
  EXPECT_NE(test.error(MLAFUSE_F8E4M3FN), "");
}

TEST(MLABounds, ProductsAloneAreNearerThanAttention) {
  using Op = MLAFunction::Op;
  EXPECT_LT(rowBound(Op::Projection, MLAFUSE_F32),
            rowBound(Op::Projection, MLAFUSE_BF16));
  EXPECT_LT(rowBound(Op::Projection, MLAFUSE_BF16),
            rowBound(Op::Attention, MLAFUSE_BF16));
}

} // namespace
