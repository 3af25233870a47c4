//===- SplitDivisionTest.cpp - how requests are dealt to groups -----------===//
//
// What is emitted for constants folds to constants.
//
//===----------------------------------------------------------------------===//

#include "Attention/SplitDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

namespace {

struct Division {
  int64_t unit, unitsPerGroup;
  bool operator==(const Division &other) const {
    return unit == other.unit && unitsPerGroup == other.unitsPerGroup;
  }
};

void PrintTo(const Division &division, std::ostream *os) {
  *os << "unit " << division.unit << ", " << division.unitsPerGroup
      << " units per group";
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

Division divide(int64_t groups, ArrayRef<int64_t> costs, int64_t splits = 0) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  Emitter e(loc, &context);
  e.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      e, "f", e.getFunctionType({}, {e.getI32Type(), e.getI32Type()}));
  e.setInsertionPointToStart(function.addEntryBlock());

  int64_t total = std::accumulate(costs.begin(), costs.end(), int64_t(0));
  int64_t most = costs.empty() ? 0 : *llvm::max_element(costs);
  AttentionSchedule schedule{};
  schedule.splits = splits;
  SplitWork work{ptx::i32(e, groups), ptx::i32(e, costs.size()),
                 ptx::i32(e, total), ptx::i32(e, most)};
  SplitDivision division = divideWork(e, schedule, work);
  func::ReturnOp::create(e, ValueRange{division.unit, division.unitsPerGroup});

  PassManager manager(&context);
  manager.addPass(createCanonicalizerPass());
  EXPECT_TRUE(succeeded(manager.run(*module)));
  SmallVector<int64_t> values = getReturned(function);
  return {values[0], values[1]};
}

SmallVector<int64_t> repeat(int64_t cost, int64_t count) {
  return SmallVector<int64_t>(count, cost);
}

} // namespace

TEST(SplitDivision, OneRequestIsCutEvenly) {
  EXPECT_EQ(divide(132, {514}), (Division{4, 4}));
  EXPECT_EQ(divide(66, {514}), (Division{8, 8}));
}

// 128 requests of 66 would have parts of 64: a little more, and none is cut.
TEST(SplitDivision, RequestsBeginWhereGroupsDo) {
  EXPECT_EQ(divide(132, repeat(66, 128)), (Division{66, 66}));
  // Two groups each.
  EXPECT_EQ(divide(132, repeat(258, 64)), (Division{129, 129}));
}

// A third more for the groups would cost more than the cuts.
TEST(SplitDivision, CutsAnywhere) {
  EXPECT_EQ(divide(132, repeat(66, 100)), (Division{1, 50}));
  EXPECT_EQ(divide(132, {600, 10}), (Division{1, 5}));
}

TEST(SplitDivision, KeepsManyRequestsWhole) {
  EXPECT_EQ(divide(66, repeat(66, 128)), (Division{66, 132}));
  // Unequal: whole requests would leave groups idle.
  SmallVector<int64_t> costs = repeat(10, 127);
  costs.push_back(600);
  EXPECT_EQ(divide(66, costs), (Division{1, 29}));
}

TEST(SplitDivision, NoWork) { EXPECT_EQ(divide(132, {}), (Division{1, 1})); }

// Parts of a request are no more than asked for.
TEST(SplitDivision, BoundsParts) {
  EXPECT_EQ(divide(132, {514}, /*splits=*/2), (Division{257, 257}));
  SmallVector<int64_t> costs = repeat(10, 150);
  costs.push_back(600);
  EXPECT_EQ(divide(132, costs, /*splits=*/3), (Division{1, 300}));
}
