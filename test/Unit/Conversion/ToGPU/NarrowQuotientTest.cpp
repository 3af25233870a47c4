//===- NarrowQuotientTest.cpp - quotients of few bits ---------------------===//

#include "Projection/NarrowQuotient.h"
#include "PTX.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
using kernel::projection::NarrowScale;
using llvm::APFloat;

static double getMax(const llvm::fltSemantics &codes) {
  return APFloat::getLargest(codes).convertToDouble();
}

/// Tries absolute maxima that `elements` have: `count`, of which each is `step`
/// further than the one before.
static void expectCodes(const llvm::fltSemantics &codes,
                        const llvm::fltSemantics &elements, float first,
                        int count, int step = 1) {
  APFloat most(first);
  bool losesInfo;
  most.convert(elements, APFloat::rmTowardPositive, &losesInfo);
  for (int i = 0; i < count && most.isFinite(); ++i) {
    float absMax = most.convertToFloat();
    ASSERT_TRUE(NarrowScale::checkCodes(getMax(codes), codes, elements, absMax))
        << absMax;
    for (int j = 0; j < step; ++j)
      most.next(/*nextDown=*/false);
  }
}

// Powers of two change no digit as long as none is subnormal, as what is left
// of the least reciprocals is.
TEST(NarrowScale, CodesOfBF16AreThoseOfDivisions) {
  constexpr int kDigits = 128;
  for (const llvm::fltSemantics *codes :
       {&APFloat::Float8E4M3FN(), &APFloat::Float8E5M2()}) {
    expectCodes(*codes, APFloat::BFloat(), 1e-10f, kDigits);
    expectCodes(*codes, APFloat::BFloat(), 1, kDigits);
    expectCodes(*codes, APFloat::BFloat(), 0x1p80f, 48 * kDigits);
  }
}

TEST(NarrowScale, CodesOfF16AreThoseOfDivisions) {
  expectCodes(APFloat::Float8E4M3FN(), APFloat::IEEEhalf(), 1, 128, 8);
  expectCodes(APFloat::Float8E5M2(), APFloat::IEEEhalf(), 1, 128, 8);
}

// What is left of so small a reciprocal is subnormal.
TEST(NarrowScale, OtherMaximaMayNotBeExact) {
  const llvm::fltSemantics &codes = APFloat::Float8E4M3FNUZ();
  EXPECT_TRUE(NarrowScale::checkCodes(224, codes, APFloat::BFloat(), 1));
  EXPECT_FALSE(
      NarrowScale::checkCodes(224, codes, APFloat::BFloat(), 0x1.54p127f));
}

TEST(NarrowScale, Instructions) {
  std::string text = getPTX("sm_90a", [](Body &body) {
    EffectiveRule rule;
    rule.max = 448;
    NarrowScale scale(body.e, rule, body.getF32());
    body.keep(scale.get());
    Value x = vector::FromElementsOp::create(
        body.e, VectorType::get({1}, body.e.getF32Type()), body.getF32(1));
    body.keep(vector::ExtractOp::create(body.e, scale.divide(body.e, x), 0)
                  .getResult());
  });
  // The product with 1/448, high and low; then what the scale's reciprocal
  // leaves of 1.
  expectLines(text, {"mul.rn.f32 #, #, 0f2F124925;",
                     "fma.rn.f32 #, #, 0f3B124924, #;",
                     "rcp.approx.ftz.f32 #, #;", "mul.rn.f32 #, #, 0f3F7FFFFE;",
                     "fma.rn.f32 #, #, #, 0f3F800000;", "mul.rn.f32",
                     "mul.rn.f32", "fma.rn.f32"});
}
