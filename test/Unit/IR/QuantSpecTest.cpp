//===- QuantSpecTest.cpp - scale storage and rules with their defaults ----===//

#include "Parse.h"
#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;

namespace {

class QuantSpecTest : public ::testing::Test {
protected:
  QuantSpec makeSpec(StringRef key, ScaleLayout layout = ScaleLayout::RowMajor,
                     StringRef rule = "") {
    QuantSpec spec;
    spec.key = cast<QuantKeyAttr>(
        parseAttribute(("#mlafuse.quant_key<" + key + ">").str(), &context));
    spec.layout = ScaleLayoutAttr::get(&context, layout);
    if (!rule.empty())
      spec.rule = cast<ScaleRuleAttr>(parseAttribute(
          ("#mlafuse.scale_rule<" + rule + ">").str(), &context));
    return spec;
  }

  /// The storage type as text.
  std::string getStorage(StringRef key, int64_t rows, int64_t width,
                         ScaleLayout layout = ScaleLayout::RowMajor) {
    std::string text;
    llvm::raw_string_ostream(text)
        << getScaleStorageType(makeSpec(key, layout), rows, width);
    return text;
  }

  test::Context context;
  static constexpr int64_t dynamic = ShapedType::kDynamic;
};

TEST_F(QuantSpecTest, StorageOfOneScale) {
  EXPECT_EQ(getStorage("fp8_static_tensor_sym", 7, 512), "tensor<1xf32>");
  EXPECT_EQ(getStorage("fp8_dynamic_tensor_sym", dynamic, 512),
            "tensor<1xf32>");
}

TEST_F(QuantSpecTest, StorageOfTokens) {
  EXPECT_EQ(getStorage("fp8_dynamic_token_sym", 7, 512), "tensor<7x1xf32>");
  EXPECT_EQ(getStorage("fp8_dynamic_token_sym", 0, 512), "tensor<0x1xf32>");
}

TEST_F(QuantSpecTest, StorageOfGroups) {
  auto storage = [&](int64_t rows, ScaleLayout layout) {
    return getStorage("fp8_dynamic_128_sym", rows, 640, layout);
  };
  EXPECT_EQ(storage(7, ScaleLayout::RowMajor), "tensor<7x5xf32>");
  EXPECT_EQ(storage(7, ScaleLayout::ColumnMajor), "tensor<5x7xf32>");
  EXPECT_EQ(storage(7, ScaleLayout::TMAAligned), "tensor<5x8xf32>");
  EXPECT_EQ(storage(8, ScaleLayout::TMAAligned), "tensor<5x8xf32>");
  EXPECT_EQ(storage(7, ScaleLayout::PackedUE8M0), "tensor<2x8xi32>");
  EXPECT_EQ(storage(0, ScaleLayout::TMAAligned), "tensor<5x0xf32>");
  EXPECT_EQ(storage(dynamic, ScaleLayout::TMAAligned), "tensor<5x?xf32>");
  EXPECT_EQ(storage(dynamic, ScaleLayout::PackedUE8M0), "tensor<2x?xi32>");
}

TEST_F(QuantSpecTest, StorageOfSwizzledScales) {
  EXPECT_EQ(getStorage("nvfp4_dynamic", 7, 96, ScaleLayout::Swizzled128x4),
            "tensor<128x8xf8E4M3FN>");
  EXPECT_EQ(getStorage("mxfp8_dynamic", 129, 96, ScaleLayout::Swizzled128x4),
            "tensor<256x4xf8E8M0FNU>");
  EXPECT_EQ(getStorage("mxfp4_dynamic", dynamic, 160, ScaleLayout::RowMajor),
            "tensor<?x5xf8E8M0FNU>");
}

TEST_F(QuantSpecTest, DefaultRules) {
  EffectiveRule rule = makeSpec("fp8_static_tensor_sym").getEffectiveRule();
  EXPECT_EQ(rule.floor, 0);
  EXPECT_TRUE(rule.reciprocal);
  EXPECT_EQ(rule.max, 448);

  rule = makeSpec("fp8_dynamic_tensor_sym").getEffectiveRule();
  EXPECT_TRUE(rule.reciprocal);
  EXPECT_TRUE(rule.floorOnScale);

  rule = makeSpec("fp8_dynamic_token_sym").getEffectiveRule();
  EXPECT_EQ(rule.floor, 1.0f / (448.0f * 512.0f));
  EXPECT_TRUE(rule.floorOnScale);
  EXPECT_FALSE(rule.reciprocal);

  rule = makeSpec("fp8_dynamic_128_sym").getEffectiveRule();
  EXPECT_EQ(rule.floor, 1e-10f);
  EXPECT_FALSE(rule.floorOnScale);
  EXPECT_FALSE(rule.ue8m0);
}

// The preset's maximum is for fnuz data alone.
TEST_F(QuantSpecTest, PresetOfVllm) {
  StringRef fnuz = "f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym";
  EXPECT_EQ(makeSpec(fnuz).getEffectiveRule().max, 240);
  EXPECT_EQ(
      makeSpec(fnuz, ScaleLayout::RowMajor, "vllm").getEffectiveRule().max,
      224);
  EXPECT_EQ(makeSpec("fp8_dynamic_token_sym", ScaleLayout::RowMajor, "vllm")
                .getEffectiveRule()
                .max,
            448);
}

// What is written out and what is left out are one thing if the bits are.
TEST_F(QuantSpecTest, Equivalence) {
  QuantSpec plain = makeSpec("fp8_dynamic_128_sym");
  plain.layout = {};
  EXPECT_TRUE(plain.isEquivalentTo(
      makeSpec("fp8_dynamic_128_sym", ScaleLayout::RowMajor,
               "floor = 1.0e-10 on absmax, quotient = divide")));
  EXPECT_FALSE(plain.isEquivalentTo(
      makeSpec("fp8_dynamic_128_sym", ScaleLayout::ColumnMajor)));
  EXPECT_FALSE(plain.isEquivalentTo(
      makeSpec("fp8_dynamic_128_sym", ScaleLayout::RowMajor, "deepseek")));
  EXPECT_FALSE(plain.isEquivalentTo(makeSpec("fp8_dynamic_64_sym")));
  EXPECT_TRUE(QuantSpec().isEquivalentTo(QuantSpec()));
}

} // namespace
