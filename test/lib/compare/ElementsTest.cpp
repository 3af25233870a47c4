//===- ElementsTest.cpp - codes and numbers of each format ------------===//
#include "Elements.h"
#include "TestFile.h"

#include <cmath>

using namespace mlafuse::rt;

namespace {

struct Case {
  std::string dtype, encoding;
  uint64_t code;
  double value;
};

/// Elements of one stored element, which `bytes` keeps.
Elements makeElements(const std::string &dtype, const std::string &encoding,
                      uint64_t code, std::vector<uint8_t> &bytes) {
  bytes = bytesOf({"x", dtype, {1}, {code}});
  Elements elements;
  Error error = Elements::make({"x", dtype, {1}, bytes.data(), bytes.size()},
                               encoding, elements);
  EXPECT_FALSE(error) << error.getText();
  return elements;
}

TEST(Elements, ValuesOfEachFormat) {
  const Case cases[] = {
      {"F32", "", 0x3F800000, 1},        {"F32", "", 0xFF800000, -INFINITY},
      {"F32", "", 0x00000001, 0x1p-149}, {"BF16", "", 0xC040, -3},
      {"F16", "", 0x0001, 0x1p-24},      {"F16", "", 0x7BFF, 65504},
      {"F8_E4M3", "", 0x7E, 448},        {"F8_E4M3", "", 0x01, 0x1p-9},
      {"F8_E5M2", "", 0x7B, 57344},      {"F8_E8M0", "", 0x00, 0x1p-127},
      {"F8_E8M0", "", 0x80, 2},          {"U8", "e4m3fnuz", 0x7F, 240},
      {"U8", "e4m3fnuz", 0x01, 0x1p-10}, {"U8", "e2m1", 0xF, -6},
      {"U8", "e2m1", 0x1, 0.5},          {"U8", "", 200, 200},
      {"I32", "", 0xFFFFFFFF, -1},       {"I64", "", 0xFFFFFFFFFFFFFFFE, -2},
  };
  for (const Case &test : cases) {
    std::vector<uint8_t> bytes;
    Elements elements =
        makeElements(test.dtype, test.encoding, test.code, bytes);
    EXPECT_EQ(elements.value(0), test.value) << test.dtype << test.encoding;
    EXPECT_FALSE(elements.isNaN(0)) << test.dtype << test.encoding;
  }
}

TEST(Elements, NaNOfEachFormat) {
  const Case cases[] = {
      {"F32", "", 0xFFC00001, NAN}, {"BF16", "", 0x7FC0, NAN},
      {"F16", "", 0x7C01, NAN},     {"F8_E4M3", "", 0xFF, NAN},
      {"F8_E5M2", "", 0x7D, NAN},   {"F8_E8M0", "", 0xFF, NAN},
      {"U8", "e4m3fnuz", 0x80, NAN}};
  for (const Case &test : cases) {
    std::vector<uint8_t> bytes;
    Elements elements =
        makeElements(test.dtype, test.encoding, test.code, bytes);
    EXPECT_TRUE(elements.isNaN(0)) << test.dtype << test.encoding;
    EXPECT_TRUE(std::isnan(elements.value(0)));
  }
}

TEST(Elements, PackedElementsLowestFirst) {
  std::vector<uint8_t> bytes;
  Elements nibbles = makeElements("U8", "e2m1x2", 0x72, bytes);
  ASSERT_EQ(nibbles.size(), 2);
  EXPECT_EQ(nibbles.value(0), 1);
  EXPECT_EQ(nibbles.value(1), 6);
  EXPECT_EQ(nibbles.indexText(1), "[1]");
  Elements exponents = makeElements("I32", "e8m0x4", 0x8182807F, bytes);
  ASSERT_EQ(exponents.size(), 4);
  EXPECT_EQ(exponents.value(0), 1);
  EXPECT_EQ(exponents.value(3), 4);
}

TEST(Elements, OrdinalsFollowTheNumbers) {
  std::vector<uint8_t> bytes = {0x81, 0x80, 0x00, 0x01, 0x02};
  Elements elements;
  ASSERT_FALSE(Elements::make({"x", "F8_E4M3", {5}, bytes.data(), bytes.size()},
                              "", elements));
  for (int64_t i = 0; i + 1 < elements.size(); ++i)
    EXPECT_EQ(elements.ordinal(i) + 1, elements.ordinal(i + 1));
}

TEST(Elements, UnknownTypesAreErrors) {
  std::vector<uint8_t> bytes(8);
  Elements elements;
  EXPECT_TRUE(Elements::make({"x", "C64", {1}, bytes.data(), 8}, "", elements));
  EXPECT_TRUE(
      Elements::make({"x", "U8", {8}, bytes.data(), 8}, "e3m0", elements));
}

} // namespace
