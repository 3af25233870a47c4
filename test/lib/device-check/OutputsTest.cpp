//===- OutputsTest.cpp - what the comparison with the CPU catches -----===//
#include "Outputs.h"
#include "Values.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace mlafuse::rt;

namespace {

Argument makeArgument(std::string name, mlafuse_type type, int64_t width,
                      mlafuse_access access = MLAFUSE_WRITE,
                      mlafuse_layout layout = MLAFUSE_CONTIGUOUS) {
  Argument argument;
  argument.name = std::move(name);
  argument.type = type;
  argument.access = access;
  argument.layout = layout;
  Dim rows, columns;
  rows.kind = Dim::Kind::Symbol;
  columns.value = width;
  argument.shape = {rows, columns};
  return argument;
}

/// An argument of two rows, as it was and as both devices left it.
struct Case {
  explicit Case(const Argument &argument) : argument(argument) {
    EXPECT_FALSE(placeArgument(argument, {2}, {3, 0}, placement));
    EXPECT_FALSE(fillImage(argument, placement, {2}, Values(), before));
    actual = expected = before;
  }

  /// The same element of both results.
  void set(int64_t row, int64_t column, uint32_t got, uint32_t wanted) {
    size_t at = placement.rowBegin(row) +
                static_cast<size_t>(column * placement.elementBytes);
    std::memcpy(&actual[at], &got, static_cast<size_t>(placement.elementBytes));
    std::memcpy(&expected[at], &wanted,
                static_cast<size_t>(placement.elementBytes));
  }

  Error compare(Strictness strictness) {
    return compareArgument(argument, placement, strictness, before, actual,
                           expected, tally);
  }

  bool passes(Strictness strictness, int64_t movedScales = 0) {
    tally = Tally();
    return !compare(strictness) &&
           !judge(argument, strictness, tally, movedScales);
  }

  Argument argument;
  Placement placement;
  MemoryImage before, actual, expected;
  Tally tally;
};

TEST(Outputs, NamesSayHowStrictTheComparisonIs) {
  EXPECT_EQ(strictnessOf("norm_dual"), Strictness::SumRoundedTwice);
  EXPECT_EQ(strictnessOf("norm_dual_contracted_n512"), Strictness::Sum);
  EXPECT_EQ(strictnessOf("norm_rms_norm_bf16_w_bf16_result_n512"),
            Strictness::Sum);
  EXPECT_EQ(strictnessOf("norm_rms_norm_bf16_no_weight_n512"), Strictness::Sum);
  EXPECT_EQ(strictnessOf("merge_bf16"), Strictness::Exponential);
  EXPECT_EQ(strictnessOf("quantize_norm_like"), Strictness::Bits);
  EXPECT_EQ(strictnessOf("normal"), Strictness::Bits);
}

TEST(Outputs, WithoutASumBitsMustBeEqual) {
  Case test(makeArgument("codes", MLAFUSE_F8E4M3FN, 4));
  EXPECT_TRUE(test.passes(Strictness::Bits));
  test.set(1, 2, 0x38, 0x39);
  EXPECT_FALSE(test.passes(Strictness::Bits));
  EXPECT_EQ(test.tally.first, "[1, 2]: 1 (0x38), wanted 1.125 (0x39)");
  // NaNs are one value, whatever their sign.
  test.set(1, 2, 0x7F, 0xFF);
  EXPECT_TRUE(test.passes(Strictness::Bits));
}

TEST(Outputs, ASumMovesFewCodesAndThoseToNeighbours) {
  Case test(makeArgument("codes", MLAFUSE_F8E4M3FN, 4));
  for (int64_t column = 0; column < 4; ++column)
    test.set(0, column, 0x38, 0x39);
  EXPECT_TRUE(test.passes(Strictness::Sum));
  test.set(1, 0, 0x38, 0x39);
  EXPECT_FALSE(test.passes(Strictness::Sum)) << "five of eight";
  // All codes under a scale that moved may move, and further.
  test.set(1, 0, 0x38, 0x40);
  EXPECT_TRUE(test.passes(Strictness::Sum, 1));
}

TEST(Outputs, ACodeFarOffIsAnErrorOfTheKernel) {
  Case test(makeArgument("codes", MLAFUSE_F8E4M3FN, 4));
  test.set(1, 0, 0x38, 0x3A);
  EXPECT_FALSE(test.passes(Strictness::Sum));
  test.set(1, 0, 0x7F, 0x38);
  EXPECT_FALSE(test.passes(Strictness::Sum)) << "NaN in place of a number";
}

TEST(Outputs, ASecondRoundingMovesAModelFloatByTwo) {
  Case test(makeArgument("y", MLAFUSE_BF16, 4));
  test.set(1, 0, 0x3F80, 0x3F82);
  EXPECT_TRUE(test.passes(Strictness::SumRoundedTwice));
  EXPECT_FALSE(test.passes(Strictness::Sum));
  test.set(1, 0, 0x3F80, 0x3F83);
  EXPECT_FALSE(test.passes(Strictness::SumRoundedTwice));
  // As seldom as by one.
  for (int64_t column = 0; column < 4; ++column)
    test.set(0, column, 0x3F80, 0x3F82);
  test.set(1, 0, 0x3F80, 0x3F82);
  EXPECT_FALSE(test.passes(Strictness::SumRoundedTwice)) << "five of eight";
}

TEST(Outputs, TheSumWithTheResidualHasEqualBits) {
  Case test(makeArgument("h", MLAFUSE_BF16, 4));
  EXPECT_TRUE(test.passes(Strictness::SumRoundedTwice));
  test.set(1, 0, 0x3F80, 0x3F81);
  EXPECT_FALSE(test.passes(Strictness::SumRoundedTwice));
}

TEST(Outputs, PackedCodesAreComparedOneByOne) {
  Case test(makeArgument("codes_e2m1x2", MLAFUSE_I8, 2));
  test.set(0, 0, 0x32, 0x23);
  ASSERT_FALSE(test.compare(Strictness::Sum));
  EXPECT_EQ(test.tally.compared, 8);
  EXPECT_EQ(test.tally.differing, 2);
  EXPECT_EQ(test.tally.far, 0);
  // Bytes of no said meaning are equal or not.
  Case bytes(makeArgument("cache", MLAFUSE_I8, 2));
  bytes.set(0, 0, 0x32, 0x33);
  EXPECT_FALSE(bytes.passes(Strictness::Sum));
}

TEST(Outputs, ScalesOfANormAreNear) {
  Case test(makeArgument("scales", MLAFUSE_F32, 4));
  for (int64_t row = 0; row < 2; ++row)
    for (int64_t column = 0; column < 4; ++column)
      test.set(row, column, 0x3F800001, 0x3F800000);
  EXPECT_TRUE(test.passes(Strictness::Sum));
  EXPECT_FALSE(test.passes(Strictness::Bits));
  for (int64_t column = 0; column < 3; ++column)
    test.set(0, column, 0x3F801000, 0x3F800000);
  EXPECT_FALSE(test.passes(Strictness::Sum));
}

TEST(Outputs, StrayWritesAreFound) {
  Argument strided =
      makeArgument("y", MLAFUSE_BF16, 4, MLAFUSE_WRITE, MLAFUSE_STRIDED);
  Case gap(strided);
  ++gap.actual[gap.placement.rowBegin(0) + gap.placement.rowBytes()];
  Error error = gap.compare(Strictness::Bits);
  EXPECT_EQ(error.getText(), "argument 'y', byte 8 from its start: memory "
                             "between or around its rows was changed");
  for (size_t at : {size_t(0), gap.placement.begin - 1, gap.placement.bytes - 1,
                    gap.placement.bytes - guardBytes}) {
    Case guard(strided);
    ++guard.actual[at];
    EXPECT_TRUE(guard.compare(Strictness::Sum)) << "byte " << at;
  }
}

TEST(Outputs, APowerOfTwoThatMovesTakesItsCodesAlong) {
  Case scale(makeArgument("scales", MLAFUSE_F8E8M0FNU, 4));
  scale.set(0, 0, 120, 121);
  EXPECT_TRUE(scale.passes(Strictness::Sum));
  EXPECT_EQ(scale.tally.far, 1);
  EXPECT_FALSE(scale.passes(Strictness::Bits));
}

TEST(Outputs, AnInputStaysAsItWas) {
  Case test(makeArgument("x", MLAFUSE_BF16, 4, MLAFUSE_READ));
  EXPECT_FALSE(test.compare(Strictness::Bits));
  test.set(0, 0, 1, 1);
  EXPECT_TRUE(test.compare(Strictness::Bits));
}

TEST(Values, BitsAreAllPatternsWithNearOnesInARow) {
  Argument argument = makeArgument("x", MLAFUSE_BF16, 1000, MLAFUSE_READ);
  Placement placement;
  ASSERT_FALSE(placeArgument(argument, {66}, {}, placement));
  Values values;
  values.bits = true;
  MemoryImage image;
  ASSERT_FALSE(fillImage(argument, placement, {66}, values, image));
  std::set<uint16_t> seen;
  for (int64_t row = 0; row < 66; ++row) {
    std::set<int> exponents;
    for (size_t i = 0; i < 1000; ++i) {
      uint16_t code;
      std::memcpy(&code, &image[placement.rowBegin(row) + 2 * i], 2);
      seen.insert(code);
      exponents.insert(code >> 7 & 0xFF);
    }
    // 500 magnitudes of 128 to an exponent; one row goes around the end.
    EXPECT_LE(exponents.size(), 6u) << "row " << row;
  }
  EXPECT_EQ(seen.size(), 65536u);
}

TEST(Values, AreReproducibleAndDifferBySeed) {
  Argument argument = makeArgument("x", MLAFUSE_BF16, 64, MLAFUSE_READ);
  Placement placement;
  ASSERT_FALSE(placeArgument(argument, {8}, {}, placement));
  MemoryImage first, again, other, special;
  Values values;
  ASSERT_FALSE(fillImage(argument, placement, {8}, values, first));
  ASSERT_FALSE(fillImage(argument, placement, {8}, values, again));
  EXPECT_EQ(first, again);
  values.special = true;
  ASSERT_FALSE(fillImage(argument, placement, {8}, values, special));
  EXPECT_NE(first, special);
  values.special = false;
  values.seed = 1;
  ASSERT_FALSE(fillImage(argument, placement, {8}, values, other));
  EXPECT_NE(first, other);
}

} // namespace
