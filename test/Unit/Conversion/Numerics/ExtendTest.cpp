//===- ExtendTest.cpp - Narrow formats to f32, every code -----------------===//

#include "Formats.h"
#include "Kernel.h"

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;

namespace {

/// Every code of the format, extended, against APFloat.
template <typename Code>
void expectExtensionExact(const Format &format, unsigned lanes,
                          bool codesAreBytes = false) {
  SCOPED_TRACE(format.name + ", lanes " + std::to_string(lanes));
  std::vector<Code> codes(size_t(1) << format.bits);
  std::iota(codes.begin(), codes.end(), Code(0));
  Type type = format.getType(getContext());
  Type operand = codesAreBytes ? IntegerType::get(&getContext(), 8)
                               : format.getStorageType(getContext());
  auto got = runElementwise<float>(
      operand, lanes,
      [&](OpBuilder &b, Location loc, ValueRange v) {
        return extendToF32(b, loc, v[0], type);
      },
      codes);
  for (size_t i = 0; i < codes.size(); ++i)
    ASSERT_PRED2(sameFloat, got[i], format.decode(i)) << "code " << i;
}

TEST(Extend, EveryCode) {
  for (unsigned lanes : {0u, 16u, 5u})
    for (const Format &format : getFormats()) {
      if (format.bits == 16)
        expectExtensionExact<uint16_t>(format, lanes);
      else
        expectExtensionExact<uint8_t>(format, lanes);
    }
}

TEST(Extend, F8FromBytes) {
  for (const Format &format : getFormats())
    if (format.bits == 8)
      expectExtensionExact<uint8_t>(format, 16, /*codesAreBytes=*/true);
}

TEST(Extend, UpperBitsOfF4CodesAreIgnored) {
  const Format &format = getFormat("f4E2M1FN");
  std::vector<uint8_t> codes(256);
  std::iota(codes.begin(), codes.end(), 0);
  auto got = runElementwise<float>(
      format.getStorageType(getContext()), 16,
      [&](OpBuilder &b, Location loc, ValueRange v) {
        return extendToF32(b, loc, v[0], format.getType(getContext()));
      },
      codes);
  for (size_t i = 0; i < codes.size(); ++i)
    ASSERT_PRED2(sameFloat, got[i], format.decode(i % 16)) << "code " << i;
}

TEST(Extend, E8M0IsAPowerOfTwo) {
  std::vector<uint8_t> codes(256);
  std::iota(codes.begin(), codes.end(), 0);
  for (unsigned lanes : {0u, 16u}) {
    auto got = runElementwise<float>(
        Float8E8M0FNUType::get(&getContext()), lanes,
        [](OpBuilder &b, Location loc, ValueRange v) {
          return extendToF32(b, loc, v[0]);
        },
        codes);
    for (int i = 0; i < 255; ++i)
      ASSERT_EQ(got[i], std::ldexp(1.0f, i - 127)) << "code " << i;
    ASSERT_TRUE(std::isnan(got[255]));
  }
}

TEST(Extend, F32IsUnchanged) {
  OpBuilder b(&getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToStart(module->getBody());
  Value one = createFloat(b, b.getUnknownLoc(), b.getF32Type(), 1.0);
  EXPECT_EQ(extendToF32(b, b.getUnknownLoc(), one), one);
  EXPECT_EQ(roundFromF32(b, b.getUnknownLoc(), one, b.getF32Type()), one);
}

TEST(Extend, ListsItsTypes) {
  MLIRContext *context = &getContext();
  for (const Format &format : getFormats()) {
    EXPECT_TRUE(isExtendable(format.getType(*context))) << format.name;
    EXPECT_TRUE(isRoundable(format.getType(*context))) << format.name;
  }
  EXPECT_TRUE(isExtendable(Float8E8M0FNUType::get(context)));
  EXPECT_FALSE(isRoundable(Float8E8M0FNUType::get(context)));
  EXPECT_FALSE(isExtendable(Float64Type::get(context)));
  EXPECT_FALSE(isRoundable(Float8E5M2FNUZType::get(context)));
}

/// Vectors of rank 2 work as those of rank 1 do.
TEST(Extend, RankTwo) {
  Type element = Float8E4M3FNType::get(&getContext());
  auto line = VectorType::get(8, element);
  auto rectangle = VectorType::get({2, 4}, element);
  Kernel kernel({line}, [&](OpBuilder &b, Location loc, ValueRange v) {
    Value codes = vector::ShapeCastOp::create(b, loc, rectangle, v[0]);
    Value x = extendToF32(b, loc, codes);
    codes = roundFromF32(b, loc, x, element);
    return vector::ShapeCastOp::create(b, loc, line, codes).getResult();
  });
  uint8_t codes[8] = {0x00, 0x01, 0x38, 0x7E, 0x80, 0x81, 0xB8, 0xFE};
  uint8_t result[8] = {};
  kernel(codes, nullptr, result);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(result[i], codes[i]);
}

} // namespace
