//===- SwappedResult.cpp - what a part comes to, keys on the left ---------===//

#include "SwappedResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "SwappedExchange.h"
#include "SwappedTotals.h"
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
using ptx::timesI;

static constexpr int64_t kQuad = 4, kF32Bytes = 4;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kHalfScales = kScales / SwappedTotals::kHalves;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kPartialRowBytes = SwappedTotals::kPartialRowBytes;

SwappedResult::SwappedResult(Emitter &e, const SwappedBlock &block,
                             const AttentionInputs &inputs,
                             const SplitPlan &plan, Value warp, Value lane)
    : block(block), inputs(inputs), plan(plan), warp(warp), lane(lane),
      firstRow(timesI(e, ptx::moduloI(e, lane, kQuad), 2)),
      column(plusI(e, timesI(e, warp, kWarpColumns),
                   timesI(e, ptx::dividedByI(e, lane, kQuad), 2))) {}

Value SwappedResult::getTileRow(Emitter &e, int64_t row) const {
  return plusI(e, firstRow, SwappedScore::getTileRow(row));
}

Value SwappedResult::getNumber(Emitter &e, int64_t row) const {
  return plusI(e, timesI(e, plan.getRowTile(), SwappedBlock::kTileRows),
               getTileRow(e, row));
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

Value SwappedResult::loadChanged(Emitter &e, Value message) const {
  return ptx::loadShared(
      e, block.getReferences(e, message) + SwappedBlock::kChanged,
      e.getI32Type())[0];
}

SwappedResult::OfScales SwappedResult::loadOfScales(Emitter &e,
                                                    ptx::Address array) const {
  constexpr int64_t bytes = kScales * kF32Bytes;
  ptx::Address place = array.advance(e, timesI(e, firstRow, bytes));
  OfScales all;
  for (int64_t i = 0; i < kRows; ++i)
    all[i] = ptx::loadShared(e, place + SwappedScore::getTileRow(i) * bytes,
                             e.getF32Type(), kScales);
  return all;
}

SwappedResult::OfScales SwappedResult::loadCorrections(Emitter &e,
                                                       Value message) const {
  return loadOfScales(e, block.getReferences(e, message) +
                             SwappedBlock::kCorrections);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Registers SwappedResult::loadInverses(Emitter &e) const {
  ptx::Address place =
      block.getTotals(e, warp).advance(e, timesI(e, firstRow, kF32Bytes)) +
      SwappedBlock::kInverses;
  Registers inverses;
  for (int64_t i = 0; i < kRows; i += 2)
    llvm::append_range(
        inverses,
        ptx::loadShared(e, place + SwappedScore::getTileRow(i) * kF32Bytes,
                        e.getF32Type(), 2));
  return inverses;
}

void SwappedResult::store(Emitter &e, const Part &part, Value message,
                          ValueRange sums, Value parts) const {
  SwappedTotals rows(e, block, inputs, plan, message, warp, lane, parts);
  auto storeAll = [&](Emitter &e) {
    rows.storeWhole(e, part);
    storeWhole(e, part, sums, loadInverses(e),
               loadOfScales(e, block.getTotals(e, warp)));
  };
  if (!plan.mayCut())
    return storeAll(e);
  auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
  Emitter whole(e.getLoc(), branch.getThenBodyBuilder());
  storeAll(whole);
  Emitter cut(e.getLoc(), branch.getElseBodyBuilder());
  auto kind = scf::IfOp::create(cut, rows.areUneven(cut), /*withElse=*/true);
  Emitter uneven(e.getLoc(), kind.getThenBodyBuilder());
  rows.storeFactors(uneven);
  tellMagnitudes(uneven, sums);
  rows.storePartialOfMagnitudes(uneven, part);
  Emitter even(e.getLoc(), kind.getElseBodyBuilder());
  rows.storePartial(even, part);
  storePartial(cut, part, sums);
}

void SwappedResult::tellMagnitudes(Emitter &e, ValueRange sums) const {
  OfScales scales = loadOfScales(e, block.getTotals(e, warp));
  Registers inverses = loadInverses(e);
  constexpr int64_t rowBytes = SwappedTotals::kHalves * kWarps * kF32Bytes;
  Registers most(kRows * SwappedTotals::kHalves);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    int64_t row = getRow(i), half = getScale(i) / kHalfScales;
    Value here = math::AbsFOp::create(
        e, mul(e, mul(e, sum, inverses[row]), scales[row][getScale(i)]));
    Value &all = most[row * SwappedTotals::kHalves + half];
    all = all ? largest(e, all, here) : here;
  }
  ptx::Address place = block.getMagnitudes()
                           .advance(e, timesI(e, firstRow, rowBytes))
                           .advance(e, timesI(e, warp, kF32Bytes));
  // Others may still read those of the part before.
  block.getValuesTogether(e).sync(e);
  for (auto [i, value] : llvm::enumerate(most)) {
    Value ofWarp = SwappedExchange::foldKeys(e, value, largest);
    // Of lanes that have the same rows all write the same.
    ptx::storeShared(
        e,
        place +
            (SwappedScore::getTileRow(i / SwappedTotals::kHalves) * rowBytes +
             i % SwappedTotals::kHalves * kWarps * kF32Bytes),
        ofWarp);
  }
  block.getValuesTogether(e).sync(e);
}

void SwappedResult::storeColumns(Emitter &e, Value exists, Value address,
                                 ValueRange sums, int64_t row,
                                 ValueRange factors, Value inverse,
                                 Type type) const {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value place = plusI(e, address, ptx::toI64(e, timesI(e, column, bytes)));
  runIf(e, exists, [&](Emitter &e) {
    for (int64_t strip = 0; strip < kStrips; ++strip) {
      Registers values;
      for (int64_t i = strip * kStripSums; i < (strip + 1) * kStripSums; ++i) {
        if (getRow(i) != row)
          continue;
        Value value = inverse ? mul(e, sums[i], inverse) : sums[i];
        values.push_back(mul(e, value, factors[getScale(i)]));
      }
      if (!type.isF32())
        values = packPairs(e, type, values);
      ptx::storeGlobal(e, place, values, strip * kStripColumns * bytes);
    }
  });
}

void SwappedResult::storeWhole(Emitter &e, const Part &part, ValueRange sums,
                               ValueRange inverses,
                               const OfScales &scales) const {
  for (int64_t i = 0; i < kRows; ++i) {
    Value number = getNumber(e, i);
    Value isRow = ptx::isLessI(e, number, inputs.getRows(e, part.request));
    Value row = plusI(e, inputs.getFirstRow(e, part.request), number);
    storeColumns(e, isRow, inputs.getOutput(e, row), sums, i, scales[i],
                 inverses[i], inputs.getProblem().outputElements);
  }
}

void SwappedResult::storePartial(Emitter &e, const Part &part,
                                 ValueRange sums) const {
  OfScales scales = loadOfScales(e, block.getTotals(e, warp));
  Value outputs = plan.getPartialOutputs(e, part);
  for (int64_t i = 0; i < kRows; ++i) {
    Value bytes = timesI(e, getTileRow(e, i), kPartialRowBytes);
    storeColumns(e, Value(), plusI(e, outputs, ptx::toI64(e, bytes)), sums, i,
                 scales[i], Value(), e.getF16Type());
  }
}

void SwappedResult::storeNothing(Emitter &e, const Part &part) const {
  OfScales scales;
  scales.fill(Registers(kScales, constant(e, 0)));
  storeWhole(e, part, Registers(kSums, constant(e, 0)),
             Registers(kRows, constant(e, 0)), scales);
  LatentAttentionOp op = inputs.getProblem().op;
  if (!op.getLseInit())
    return;
  for (int64_t i = 0; i < kRows; ++i) {
    Value number = getNumber(e, i);
    Value isRow = ptx::isLessI(e, number, inputs.getRows(e, part.request));
    runIf(e, both(e, isRow, ptx::isEqualI(e, column, 0)), [&](Emitter &e) {
      inputs.storeLSE(e, plusI(e, inputs.getFirstRow(e, part.request), number),
                      minusInfinity(e));
    });
  }
}
