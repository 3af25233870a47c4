//===- SplitDivisionTest.cpp - how requests are dealt to groups -----------===//
//
// What is emitted for constants folds to constants.
//
//===----------------------------------------------------------------------===//

#include "Attention/SplitDivision.h"
#include "PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

namespace {

/// What starting a part costs in these tests.
constexpr int64_t kOverhead = 2;

struct Division {
  int64_t unit, unitsPerGroup;
  int64_t overhead = kOverhead;
  bool operator==(const Division &other) const {
    return unit == other.unit && unitsPerGroup == other.unitsPerGroup &&
           overhead == other.overhead;
  }
};

void PrintTo(const Division &division, std::ostream *os) {
  *os << "unit " << division.unit << ", " << division.unitsPerGroup
      << " units per group, overhead " << division.overhead;
}

/// The constants that the function returns.
SmallVector<int64_t> getReturned(func::FuncOp function) {
  SmallVector<int64_t> values;
  for (Value operand : function.front().getTerminator()->getOperands()) {
    APInt value;
    EXPECT_TRUE(matchPattern(operand, m_ConstantInt(&value)));
    values.push_back(value.getSExtValue());
  }
  return values;
}

/// Divides requests of so many key blocks.
Division divide(int64_t groups, ArrayRef<int64_t> blocks, int64_t splits = 0) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  Emitter e(loc, &context);
  e.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      e, "f",
      e.getFunctionType({}, {e.getI32Type(), e.getI32Type(), e.getI32Type()}));
  e.setInsertionPointToStart(function.addEntryBlock());

  int64_t requests = blocks.size();
  int64_t total =
      std::accumulate(blocks.begin(), blocks.end(), requests * kOverhead);
  int64_t most = blocks.empty() ? 0 : *llvm::max_element(blocks) + kOverhead;
  AttentionSchedule schedule{};
  schedule.splits = splits;
  schedule.splitOverhead = kOverhead;
  SplitWork work{ptx::i32(e, groups), ptx::i32(e, requests), ptx::i32(e, total),
                 ptx::i32(e, most), Value()};
  SplitDivision division = divideWork(e, schedule, work);
  func::ReturnOp::create(
      e, ValueRange{division.unit, division.unitsPerGroup, division.overhead});

  PassManager manager(&context);
  manager.addPass(createCanonicalizerPass());
  EXPECT_TRUE(succeeded(manager.run(*module)));
  SmallVector<int64_t> values = getReturned(function);
  return {values[0], values[1], values[2]};
}

SmallVector<int64_t> repeat(int64_t blocks, int64_t count) {
  return SmallVector<int64_t>(count, blocks);
}

} // namespace

// A group with one part has nothing to weigh its start against.
TEST(SplitDivision, OneRequestIsCutEvenly) {
  EXPECT_EQ(divide(132, {512}), (Division{4, 4, 0}));
  EXPECT_EQ(divide(66, {512}), (Division{8, 8, 0}));
}

// 128 requests of 64 would have parts of 64: a little more, and none is cut.
TEST(SplitDivision, RequestsBeginWhereGroupsDo) {
  EXPECT_EQ(divide(132, repeat(64, 128)), (Division{64, 64, 0}));
  // Two groups each.
  EXPECT_EQ(divide(132, repeat(256, 64)), (Division{128, 128, 0}));
  // Eight, of eight key blocks each: no group has nine.
  EXPECT_EQ(divide(66, repeat(64, 8)), (Division{8, 8, 0}));
}

// A third more for the groups would cost more than the cuts.
TEST(SplitDivision, CutsAnywhere) {
  EXPECT_EQ(divide(132, repeat(64, 100)), (Division{1, 50}));
  EXPECT_EQ(divide(132, {598, 8}), (Division{1, 5}));
}

TEST(SplitDivision, KeepsManyRequestsWhole) {
  EXPECT_EQ(divide(66, repeat(64, 128)), (Division{66, 132}));
  // Unequal: whole requests would leave groups idle.
  SmallVector<int64_t> blocks = repeat(8, 127);
  blocks.push_back(598);
  EXPECT_EQ(divide(66, blocks), (Division{1, 29}));
}

TEST(SplitDivision, NoWork) {
  EXPECT_EQ(divide(132, {}), (Division{1, 1, 0}));
  // A request without keys belongs to some group.
  EXPECT_EQ(divide(132, {0}), (Division{1, 1, 0}));
}

// Parts of a request are no more than asked for.
TEST(SplitDivision, BoundsParts) {
  EXPECT_EQ(divide(132, {512}, /*splits=*/2), (Division{256, 256, 0}));
  SmallVector<int64_t> blocks = repeat(8, 150);
  blocks.push_back(598);
  EXPECT_EQ(divide(132, blocks, /*splits=*/3), (Division{1, 300}));
}

namespace {

/// (value + half) / divisor as SmallDivisor has it, with an inverse that is off
/// by `ulps`.
int64_t divideSmall(int64_t value, float half, int64_t divisor, int ulps) {
  float inverse = 1.0f / static_cast<float>(divisor);
  if (ulps)
    inverse = std::nextafter(inverse, ulps > 0 ? 2.0f : 0.0f);
  return static_cast<int64_t>((static_cast<float>(value) + half) * inverse);
}

void expectQuotients(int64_t value, int64_t divisor) {
  for (int ulps : {-1, 0, 1}) {
    ASSERT_EQ(divideSmall(value, 0.5f, divisor, ulps), value / divisor)
        << value << " / " << divisor;
    ASSERT_EQ(divideSmall(value, -0.5f, divisor, ulps) + 1,
              std::max<int64_t>((value + divisor - 1) / divisor, 1))
        << value << " / " << divisor;
  }
}

} // namespace

// Where quotients change, up to the end.
TEST(SmallDivisor, QuotientsAreExact) {
  for (int64_t divisor = 1; divisor < 700; ++divisor)
    for (int64_t first : {int64_t(0), SmallDivisor::kEnd / divisor / 2,
                          SmallDivisor::kEnd / divisor - 20})
      for (int64_t i = 0; i < 20; ++i)
        for (int64_t step : {-1, 0, 1}) {
          int64_t value = (first + i) * divisor + step;
          if (value >= 0 && value < SmallDivisor::kEnd)
            expectQuotients(value, divisor);
        }
  for (int64_t divisor = 700; divisor < SmallDivisor::kEnd; divisor += 997)
    for (int64_t value = divisor; value < SmallDivisor::kEnd; value += divisor)
      for (int64_t step : {-1, 0, 1})
        if (value + step < SmallDivisor::kEnd)
          expectQuotients(value + step, divisor);
}

namespace {

/// The same as FewDivisor has it: one too many or too few is mended.
int64_t divideFew(int64_t value, int64_t divisor, int ulps) {
  int64_t near = divideSmall(value, 0.0f, divisor, ulps);
  int64_t rest = value - near * divisor;
  return rest >= divisor ? near + 1 : rest < 0 ? near - 1 : near;
}

} // namespace

// Any values whose quotients are few: where these change, up to the end.
TEST(FewDivisor, QuotientsAreExact) {
  constexpr int64_t mostValues = std::numeric_limits<int32_t>::max();
  constexpr int64_t mostQuotients = int64_t(1) << 20;
  for (int64_t divisor = 1; divisor < mostValues; divisor += divisor / 7 + 1) {
    int64_t most = std::min(mostQuotients - 1, mostValues / divisor);
    for (int64_t first : {int64_t(0), most / 3, most - 20})
      for (int64_t i = 0; i < 20; ++i)
        for (int64_t step : {-1, 0, 1}) {
          int64_t value = (first + i) * divisor + step;
          if (value < 0 || value > mostValues ||
              value / divisor >= mostQuotients)
            continue;
          for (int ulps : {-1, 0, 1})
            ASSERT_EQ(divideFew(value, divisor, ulps), value / divisor)
                << value << " / " << divisor;
        }
  }
}

TEST(SmallDivisor, Instructions) {
  std::string text = test::getPTX("sm_90a", [](test::Body &body) {
    SmallDivisor divisor(body.e, body.getI32());
    body.keep(divisor.getFloor(body.e, body.getI32(1)));
    body.keep(divisor.getParts(body.e, body.getI32(2)));
  });
  test::expectLines(text, {"cvt.rn.f32.s32 #, #;", "rcp.approx.ftz.f32 #, #;",
                           "cvt.rn.f32.s32 #, #;", "cvt.rzi.s32.f32 #, #;",
                           "cvt.rn.f32.s32 #, #;", "cvt.rzi.s32.f32 #, #;"});
  EXPECT_EQ(text.find("div."), std::string::npos);
}
