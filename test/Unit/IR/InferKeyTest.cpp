//===- InferKeyTest.cpp - from types back to the quantization key ---------===//

#include "Parse.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;

namespace {

class InferKey : public ::testing::Test {
protected:
  /// The name of the key that is inferred, "none" for no quantization, or
  /// "error".
  std::string infer(Type output, ArrayRef<int64_t> shape, Type blockScale = {},
                    ArrayRef<int64_t> scaleShape = {},
                    bool hasTensorScale = false) {
    test::Diagnostics diagnostics(context);
    ShapedType scale;
    if (blockScale)
      scale = RankedTensorType::get(scaleShape, blockScale);
    FailureOr<QuantKeyAttr> key = inferOutputQuantKey(
        [&] { return emitError(UnknownLoc::get(&context)); },
        RankedTensorType::get(shape, output), scale, hasTensorScale);
    error = diagnostics.getText();
    EXPECT_EQ(failed(key), !error.empty());
    if (failed(key))
      return "error";
    return *key ? key->getKnownName().str() : "none";
  }

  test::Context context;
  Builder builder{&context};
  Type bf16 = builder.getBF16Type(), f32 = builder.getF32Type();
  Type fp8 = Float8E4M3FNType::get(&context);
  Type fnuz = Float8E4M3FNUZType::get(&context);
  Type i8 = builder.getI8Type();
  static constexpr int64_t dynamic = ShapedType::kDynamic;
  std::string error;
};

TEST_F(InferKey, NotQuantized) {
  EXPECT_EQ(infer(bf16, {dynamic, 512}), "none");
}

TEST_F(InferKey, StaticTensor) {
  EXPECT_EQ(infer(fp8, {dynamic, 512}, {}, {}, true), "fp8_static_tensor_sym");
}

TEST_F(InferKey, StaticScaleOfOtherType) {
  EXPECT_EQ(infer(fnuz, {dynamic, 512}, {}, {}, true), "error");
  EXPECT_NE(error.find("f8E4M3FNUZ"), std::string::npos) << error;
}

TEST_F(InferKey, Token) {
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, 1}),
            "fp8_dynamic_token_sym");
}

TEST_F(InferKey, Groups) {
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, 4}),
            "fp8_dynamic_128_sym");
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, 8}),
            "fp8_dynamic_64_sym");
}

TEST_F(InferKey, NVFP4) {
  EXPECT_EQ(infer(i8, {dynamic, 256}, fp8, {dynamic, 32}, true),
            "nvfp4_dynamic");
}

TEST_F(InferKey, TwoScalesOfOtherType) {
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, 4}, true), "error");
  EXPECT_NE(error.find("NVFP4"), std::string::npos) << error;
}

// 512 / 5 would be 102 as an integer.
TEST_F(InferKey, ScalesThatDoNotDivide) {
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, 5}), "error");
  EXPECT_EQ(error, "5 scales do not divide rows of 512 into equal groups\n");
}

TEST_F(InferKey, GroupThatNoKernelHas) {
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, 2}), "error");
  EXPECT_EQ(error, "groups of 256 (rows of 512, 2 scales): kernels exist for "
                   "groups of 64 and 128\n");
}

TEST_F(InferKey, MoreScalesThanElements) {
  EXPECT_EQ(infer(fp8, {dynamic, 64}, f32, {dynamic, 128}), "error");
}

TEST_F(InferKey, ScaleStorageThatIsNoMatrix) {
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {4}), "error");
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {}), "error");
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, dynamic}), "error");
  EXPECT_EQ(infer(fp8, {dynamic, 512}, f32, {dynamic, 0}), "error");
}

TEST_F(InferKey, RowsThatAreNotKnown) {
  EXPECT_EQ(infer(fp8, {dynamic, dynamic}, f32, {dynamic, 4}), "error");
  EXPECT_EQ(infer(fp8, {}, f32, {dynamic, 4}), "error");
  EXPECT_EQ(infer(fp8, {dynamic, 0}, f32, {dynamic, 4}), "error");
}

} // namespace
