//===- ElementaryTest.cpp - exp, log and 1/sqrt against libm --------------===//
//
// The reference is libm in double precision, whose own error is below 2^-29 of
// an f32 unit in the last place.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Kernel.h"

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"

#include "gtest/gtest.h"

#include <iostream>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;

namespace {

using Builder = Value (*)(OpBuilder &, Location, Value);

std::vector<float> run(Builder builder, unsigned lanes,
                       const std::vector<float> &floats) {
  return runElementwise<float>(
      Float32Type::get(&getContext()), lanes,
      [&](OpBuilder &b, Location loc, ValueRange v) {
        return builder(b, loc, v[0]);
      },
      floats);
}

/// Every `stride`-th f32 between two bit patterns.
std::vector<float> sample(uint32_t first, uint32_t last, uint32_t stride) {
  std::vector<float> floats;
  for (uint64_t bits = first; bits <= last; bits += stride)
    floats.push_back(fromBits(bits));
  return floats;
}

/// Units in the last place, of f32, at `wanted`.
double ulps(float got, double wanted) {
  int exponent = std::max(std::ilogb(wanted), -126);
  return std::fabs(got - wanted) / std::ldexp(1.0, exponent - 23);
}

double largestError(Builder builder, double (*reference)(double),
                    unsigned lanes, const std::vector<float> &floats) {
  std::vector<float> got = run(builder, lanes, floats);
  double largest = 0;
  for (size_t i = 0; i < floats.size(); ++i) {
    double wanted = reference(floats[i]);
    double error = wanted == got[i] ? 0 : ulps(got[i], wanted);
    if (!(error <= largest)) // NaN too
      largest = error;
  }
  return largest;
}

void expectWithinOneUlp(const char *name, Builder builder,
                        double (*reference)(double), uint32_t first,
                        uint32_t last, uint32_t stride) {
  std::vector<float> floats = sample(first, last, stride);
  for (unsigned lanes : {0u, 16u}) {
    double error = largestError(builder, reference, lanes, floats);
    std::cout << name << ", lanes " << lanes << ": " << error << " ulp over "
              << floats.size() << " samples\n";
    EXPECT_LE(error, 1.0);
  }
}

TEST(Exp, WithinOneUlp) {
  // From the smallest subnormal to the ends of the normal results.
  expectWithinOneUlp("exp of negative", emitExp, std::exp, 0x80000000,
                     toBits(-0x1.5d589ep+6f), 61);
  expectWithinOneUlp("exp of positive", emitExp, std::exp, 0,
                     toBits(0x1.62e42ep+6f), 61);
}

TEST(Exp, EndsOfTheRange) {
  struct {
    float x, wanted;
  } cases[] = {{0.0f, 1.0f},
               {-0.0f, 1.0f},
               {-INFINITY, 0.0f},
               {-0x1.5d58a0p+6f, 0.0f}, // below 2^-126: flushed
               {-1e30f, 0.0f},
               {INFINITY, INFINITY},
               {0x1.62e430p+6f, INFINITY},
               {1e30f, INFINITY},
               {NAN, NAN},
               {fromBits(0xFFC00001), NAN},
               {fromBits(0x7F800001), NAN}};
  for (unsigned lanes : {0u, 16u})
    for (auto [x, wanted] : cases)
      EXPECT_PRED2(sameFloat, run(emitExp, lanes, {x})[0], wanted) << x;
  // The ends themselves are inside.
  for (float x : {-0x1.5d589ep+6f, 0x1.62e42ep+6f})
    EXPECT_LE(ulps(run(emitExp, 16, {x})[0], std::exp(double(x))), 1.0);
}

TEST(Log, WithinOneUlp) {
  expectWithinOneUlp("log of subnormals", emitLog, std::log, 1, 0x007FFFFF, 61);
  expectWithinOneUlp("log of normals", emitLog, std::log, 0x00800000,
                     0x7F7FFFFF, 61);
  expectWithinOneUlp("log near 1", emitLog, std::log, toBits(0.9f),
                     toBits(1.1f), 1);
}

TEST(Log, EndsOfTheRange) {
  struct {
    float x, wanted;
  } cases[] = {{1.0f, 0.0f},
               {0.0f, -INFINITY},
               {-0.0f, -INFINITY},
               {INFINITY, INFINITY},
               {-INFINITY, NAN},
               {-1.0f, NAN},
               {fromBits(0x80000001), NAN},
               {NAN, NAN},
               {fromBits(0x7F800001), NAN},
               {fromBits(0xFFFFFFFF), NAN}};
  for (unsigned lanes : {0u, 16u})
    for (auto [x, wanted] : cases)
      EXPECT_PRED2(sameFloat, run(emitLog, lanes, {x})[0], wanted) << x;
}

TEST(InvSqrt, TwoRoundings) {
  std::vector<float> floats = sample(0, 0x7F800000, 997);
  floats.insert(floats.end(), {INFINITY, 1e-6f, -1.0f, NAN, -0.0f});
  for (unsigned lanes : {0u, 16u}) {
    std::vector<float> got = run(emitInvSqrt, lanes, floats);
    for (size_t i = 0; i < floats.size(); ++i)
      ASSERT_PRED2(sameFloat, got[i], 1.0f / std::sqrt(floats[i])) << floats[i];
  }
}

} // namespace
