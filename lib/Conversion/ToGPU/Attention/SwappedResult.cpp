//===- SwappedResult.cpp - what a part comes to, keys on the left ---------===//
//
// Sums have columns where results have rows. They pass through shared memory as
// f32, and from there a warp has a row at a time.
//
//===----------------------------------------------------------------------===//

#include "SwappedResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "PowersOfTwo.h"
#include "SwappedKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::SwizzledTile;
using ptx::timesI;

static constexpr int64_t kLanes = 32, kQuad = 4, kF32Bytes = 4;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kHalves = SwappedBlock::kLatent / kHalfColumns;
/// Columns of a lane of half a row, and registers of one access.
static constexpr int64_t kColumns = kHalfColumns / kLanes, kAccess = 4;
static constexpr int64_t kAccessBytes = 16;
static constexpr int64_t kPartialRowBytes = SwappedBlock::kLatent * kF32Bytes;
/// From row to row in shared memory: lanes that write eight columns of rows two
/// apart meet no bank twice.
static constexpr int64_t kPitch = kPartialRowBytes + kAccessBytes;

static_assert(SwappedBlock::kTileRows * kPitch <=
              SwappedBlock::kBlockKeys * SwappedBlock::kLatent * 2);

SwappedResult::SwappedResult(const SwappedBlock &block,
                             const AttentionInputs &inputs,
                             const SplitPlan &plan, Value warp, Value lane)
    : block(block), inputs(inputs), plan(plan), warp(warp), lane(lane) {}

Registers SwappedResult::loadReferences(Emitter &e, Value stage) const {
  Value skipped = timesI(e, ptx::moduloI(e, lane, kQuad), 2 * kF32Bytes);
  ptx::Address place = block.getReferences(e, stage).advance(e, skipped);
  Registers references;
  for (int64_t i = 0; i < SwappedBlock::kThreadRows; i += 2)
    llvm::append_range(
        references,
        ptx::loadShared(e, place + SwappedState::getTileRow(i) * kF32Bytes,
                        e.getF32Type(), 2));
  return references;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

SwappedResult::Row SwappedResult::divide(Emitter &e, Value stage,
                                         Value parts) const {
  block.getSumsFull().wait(e, ptx::moduloI(e, parts, 2));
  Value row = ptx::moduloI(e, lane, SwappedBlock::kTileRows);
  Value rowBytes = timesI(e, row, kF32Bytes);
  auto loadRow = [&](ptx::Address array) {
    return ptx::loadShared(e, array.advance(e, rowBytes), e.getF32Type())[0];
  };
  Value reference = loadRow(block.getReferences(e, stage));
  Value shift = finiteOrZero(e, reference);
  Value totals[SwappedBlock::kSumKinds];
  for (int64_t group = 0; group < SwappedBlock::kScoreGroups; ++group) {
    Value relative = ptx::exp2Fast(
        e, arith::SubFOp::create(
               e, loadRow(block.getSumReferences(e, i32(e, group))), shift));
    ptx::Address sums = block.getSums(e, i32(e, group))
                            .advance(e, timesI(e, row, kWarps * kF32Bytes));
    for (auto [kind, total] : llvm::enumerate(totals)) {
      Registers all = ptx::loadShared(
          e, sums + kind * SwappedBlock::kSumKindBytes, e.getF32Type(), kWarps);
      Value sum = mul(e, add(e, add(e, all[0], all[1]), add(e, all[2], all[3])),
                      relative);
      total = total ? add(e, total, sum) : sum;
    }
  }
  block.getSumsFree().arriveByWarp(e, lane);

  Value zero = constant(e, 0);
  Value isEmpty =
      arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, totals[0], zero);
  Value inverse = select(e, isEmpty, zero,
                         arith::DivFOp::create(e, constant(e, 1), totals[0]));
  return {inverse, select(e, isEmpty, minusInfinity(e),
                          add(e, reference, ptx::log2Fast(e, totals[1])))};
}

/// Writes the sums as rows, columns in the order of the cache.
void SwappedResult::layOut(Emitter &e, ptx::Address memory,
                           ValueRange sums) const {
  int64_t boxSums = SwappedBlock::kScores;
  static_assert(SwappedKeys::kProducts == kWarps);
  Value row = timesI(e, ptx::moduloI(e, lane, kQuad), 2);
  // The thread's columns of a box: warp, +8, lane / 4 as SwappedKeys counts.
  Value which = ptx::dividedByI(e, lane, kQuad);
  Value column = plusI(e, timesI(e, warp, SwappedKeys::getColumn(1, 0, 0, 0)),
                       plusI(e,
                             timesI(e, ptx::dividedByI(e, which, 2),
                                    SwappedKeys::getColumn(0, 0, 1, 0)),
                             ptx::moduloI(e, which, 2)));
  ptx::Address place = memory.advance(
      e, plusI(e, timesI(e, row, kPitch), timesI(e, column, kF32Bytes)));
  for (auto [i, sum] : llvm::enumerate(sums)) {
    int64_t tileRow =
        SwappedState::getTileRow(SwappedState::getRow(i % boxSums));
    int64_t boxColumn = i / boxSums * SwizzledTile::kBoxColumns +
                        SwappedKeys::getColumn(0, i % boxSums / 2 % 2, 0, 0);
    ptx::storeShared(e, place + (tileRow * kPitch + boxColumn * kF32Bytes),
                     sum);
  }
}

Value SwappedResult::getGlobalRow(Emitter &e, const Part &part,
                                  Value tileRow) const {
  Value number =
      plusI(e, timesI(e, plan.getRowTile(), SwappedBlock::kTileRows), tileRow);
  return plusI(e, inputs.getFirstRow(e, part.request), number);
}

void SwappedResult::forEachRow(
    Emitter &e, const Part &part,
    function_ref<void(Emitter &, Value tileRow)> body) const {
  Value first = timesI(e, plan.getRowTile(), SwappedBlock::kTileRows);
  Value left = ptx::minusI(e, inputs.getRows(e, part.request), first);
  Value end = ptx::minI(e, left, i32(e, SwappedBlock::kTileRows));
  scf::ForOp::create(
      e, warp, end, i32(e, kWarps), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value tileRow, ValueRange) {
        Emitter e(loc, builder);
        body(e, tileRow);
        scf::YieldOp::create(e);
      });
}

void SwappedResult::store(Emitter &e, const Part &part, Value stage,
                          ValueRange sums, Value parts) const {
  ptx::Address memory = block.getValues(e, stage).start;
  // Other warps may not be done with their products.
  block.getValuesTogether(e).sync(e);
  layOut(e, memory, sums);
  Row own = divide(e, stage, parts);
  block.getValuesTogether(e).sync(e);
  auto storeRows = [&](Emitter &e, auto storeRow) {
    forEachRow(e, part, [&](Emitter &e, Value tileRow) {
      ptx::Address from =
          memory.advance(e, plusI(e, timesI(e, tileRow, kPitch),
                                  timesI(e, lane, kColumns * kF32Bytes)));
      SmallVector<Registers> halves(kHalves);
      for (int64_t half = 0; half < kHalves; ++half)
        for (int64_t i = 0; i < kColumns; i += kAccess)
          llvm::append_range(
              halves[half],
              ptx::loadShared(e, from + (half * kHalfColumns + i) * kF32Bytes,
                              e.getF32Type(), kAccess));
      Row row = {ptx::ofLane(e, own.factor, tileRow),
                 ptx::ofLane(e, own.logarithm, tileRow)};
      storeRow(e, tileRow, row, halves);
    });
  };
  auto whole = [&](Emitter &e, Value tileRow, const Row &row,
                   ArrayRef<Registers> halves) {
    storeWhole(e, part, tileRow, row, halves);
  };
  if (!plan.mayCut())
    return storeRows(e, whole);
  auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
  Emitter isWhole(e.getLoc(), branch.getThenBodyBuilder());
  storeRows(isWhole, whole);
  Emitter isCut(e.getLoc(), branch.getElseBodyBuilder());
  storeRows(isCut, [&](Emitter &e, Value tileRow, const Row &row,
                       ArrayRef<Registers> halves) {
    storePartial(e, part, tileRow, row, halves);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void SwappedResult::storeLSE(Emitter &e, Value globalRow,
                             Value logarithm) const {
  if (!inputs.getProblem().op.getLseInit())
    return;
  runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
    inputs.storeLSE(e, globalRow,
                    mul(e, logarithm, constant(e, llvm::numbers::ln2)));
  });
}

/// The lane's columns of half a row at `address` (of the row), as `type`.
static void storeColumns(Emitter &e, Value address, Value lane, int64_t half,
                         ValueRange values, Type type) {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value place =
      plusI(e, address, ptx::toI64(e, timesI(e, lane, kColumns * bytes)));
  Registers words(values);
  if (!type.isF32())
    words = packPairs(e, type, values);
  for (size_t i = 0; i < words.size(); i += kAccess)
    ptx::storeGlobal(e, place, ValueRange(words).slice(i, kAccess),
                     half * kHalfColumns * bytes + i * 4);
}

void SwappedResult::storeWhole(Emitter &e, const Part &part, Value tileRow,
                               const Row &row,
                               ArrayRef<Registers> halves) const {
  Value globalRow = getGlobalRow(e, part, tileRow);
  Value address = inputs.getOutput(e, globalRow);
  for (auto [half, columns] : llvm::enumerate(halves)) {
    Registers values;
    for (Value column : columns)
      values.push_back(mul(e, column, row.factor));
    storeColumns(e, address, lane, half, values,
                 inputs.getProblem().outputElements);
  }
  storeLSE(e, globalRow, row.logarithm);
}

void SwappedResult::storePartial(Emitter &e, const Part &part, Value tileRow,
                                 const Row &row,
                                 ArrayRef<Registers> halves) const {
  Value address = plan.getPartialRow(e, part, tileRow);
  for (auto [half, columns] : llvm::enumerate(halves)) {
    Value most = constant(e, 0);
    for (Value column : columns)
      most = largest(e, most, math::AbsFOp::create(e, column));
    for (int64_t mask = 1; mask < kLanes; mask *= 2)
      most = largest(e, most, ptx::exchange(e, most, mask));
    auto [up, down] = PowerOfTwo::bringNear(e, mul(e, most, row.factor));
    Value factor = mul(e, row.factor, up);
    Registers values;
    for (Value column : columns)
      values.push_back(mul(e, column, factor));
    storeColumns(e, address, lane, half, values, e.getF16Type());
    runIf(e, ptx::isEqualI(e, lane, 0),
          [&, half = half, down = down](Emitter &e) {
            ptx::storeGlobal(e,
                             getScaleAddress(e, address, SwappedBlock::kLatent,
                                             i32(e, half)),
                             {down, row.logarithm});
          });
  }
}

void SwappedResult::storeNothing(Emitter &e, const Part &part) const {
  forEachRow(e, part, [&](Emitter &e, Value tileRow) {
    Registers zeros(kColumns, constant(e, 0));
    Row row = {constant(e, 0), minusInfinity(e)};
    storeWhole(e, part, tileRow, row, SmallVector<Registers>(kHalves, zeros));
  });
}
