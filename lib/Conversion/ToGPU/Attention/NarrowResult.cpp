//===- NarrowResult.cpp - what a part of few rows comes to ----------------===//

#include "NarrowResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "PowersOfTwo.h"
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

static constexpr int64_t kQuad = 4;
static constexpr int64_t kF32Bytes = 4;
/// Registers of one store.
static constexpr int64_t kStore = 4, kStoreBytes = 16;
/// Columns of a lane: two of each product, which are neighbours of those of the
/// other products.
static constexpr int64_t kColumns = 16;
static constexpr int64_t kPartialRowBytes = NarrowBlock::kLatent * kF32Bytes;
static constexpr int64_t kHalfWarps =
    NarrowBlock::kValueWarps * kHalfColumns / NarrowBlock::kLatent;

NarrowResult::NarrowResult(Emitter &e, const NarrowBlock &block,
                           const AttentionInputs &inputs, const SplitPlan &plan,
                           Value warp, Value lane)
    : block(block), inputs(inputs), plan(plan),
      half(ptx::dividedByI(e, warp, kHalfWarps)),
      warp(ptx::moduloI(e, warp, kHalfWarps)),
      quad(ptx::moduloI(e, lane, kQuad)), row(ptx::dividedByI(e, lane, kQuad)),
      column(plusI(e, timesI(e, warp, NarrowBlock::kWarpColumns),
                   timesI(e, quad, kColumns))) {
  LatentAttentionOp op = inputs.getProblem().op;
  if (op.getKScale())
    keyScale = inputs.loadKScale(e);
}

Value NarrowResult::getNumber(Emitter &e, int64_t row) const {
  return plusI(e, timesI(e, plan.getRowTile(), NarrowBlock::kTileRows),
               plusI(e, this->row, row * kRowStep));
}

Value NarrowResult::exists(Emitter &e, const Part &part, int64_t row) const {
  return ptx::isLessI(e, getNumber(e, row), inputs.getRows(e, part.request));
}

void NarrowResult::store(Emitter &e, const Part &part, Value message,
                         ValueRange references, ValueRange sums) const {
  Rows rows = divide(e, message, references);
  if (!plan.mayCut())
    return storeWhole(e, part, sums, rows);
  auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
  Emitter whole(e.getLoc(), branch.getThenBodyBuilder());
  storeWhole(whole, part, sums, rows);
  Emitter cut(e.getLoc(), branch.getElseBodyBuilder());
  storePartial(cut, part, message, sums, rows);
}

NarrowResult::Rows NarrowResult::divide(Emitter &e, Value message,
                                        ValueRange references) const {
  ptx::Address first = block.getSums(e, message);
  ptx::Address largest = getRowPlace(e, first + NarrowBlock::kLargestOffset);
  ptx::Address totals =
      first.advance(e, timesI(e, row, NarrowBlock::kScoreWarps * kF32Bytes));
  Rows rows;
  for (int64_t i = 0; i < kRows; ++i) {
    Registers ofWarps = ptx::loadShared(
        e, totals + i * kRowStep * NarrowBlock::kScoreWarps * kF32Bytes,
        e.getF32Type(), NarrowBlock::kScoreWarps);
    Value total =
        add(e, add(e, ofWarps[0], ofWarps[1]), add(e, ofWarps[2], ofWarps[3]));
    Value most = ptx::loadShared(e, largest + i * kRowStep * kF32Bytes,
                                 e.getF32Type())[0];
    Value zero = constant(e, 0);
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
    Value factor =
        ptx::exp2Fast(e, arith::SubFOp::create(e, references[i], most));
    factor = select(e, isEmpty, zero, arith::DivFOp::create(e, factor, total));
    rows.factors[i] = keyScale ? mul(e, factor, keyScale) : factor;
    Value sum =
        add(e, most, add(e, ptx::log2Fast(e, total), constant(e, -kHeadroom)));
    rows.logarithms[i] = select(e, isEmpty, minusInfinity(e), sum);
  }
  return rows;
}

void NarrowResult::storeWhole(Emitter &e, const Part &part, ValueRange sums,
                              const Rows &rows) const {
  LatentAttentionOp op = inputs.getProblem().op;
  for (int64_t i = 0; i < kRows; ++i) {
    Value globalRow =
        plusI(e, inputs.getFirstRow(e, part.request), getNumber(e, i));
    Value isRow = exists(e, part, i);
    storeColumns(e, isRow, inputs.getOutput(e, globalRow), sums, i,
                 rows.factors[i], inputs.getProblem().outputElements);
    if (op.getLseInit())
      runIf(e, both(e, isRow, ptx::isEqualI(e, column, 0)), [&](Emitter &e) {
        inputs.storeLSE(
            e, globalRow,
            mul(e, rows.logarithms[i], constant(e, llvm::numbers::ln2)));
      });
  }
}

void NarrowResult::findMagnitudes(Emitter &e, Value message, ValueRange sums,
                                  const Rows &rows,
                                  Value (&magnitudes)[kRows]) const {
  constexpr int64_t rowBytes = kHalfWarps * kF32Bytes;
  ptx::Address place =
      (block.getSums(e, message) + NarrowBlock::kMagnitudesOffset)
          .advance(e, timesI(e, half, NarrowBlock::kTileRows * rowBytes))
          .advance(e, timesI(e, row, rowBytes));
  for (int64_t i = 0; i < kRows; ++i) {
    Value most = constant(e, 0);
    for (int64_t j = 0; j < kSums; ++j)
      if (getThreadRow(j) == i)
        most = largest(e, most, math::AbsFOp::create(e, sums[j]));
    magnitudes[i] = math::AbsFOp::create(
        e, mul(e, foldRow(e, most, largest), rows.factors[i]));
  }
  runIf(e, ptx::isEqualI(e, quad, 0), [&](Emitter &e) {
    ptx::Address own = place.advance(e, timesI(e, warp, kF32Bytes));
    for (int64_t i = 0; i < kRows; ++i)
      ptx::storeShared(e, own + i * kRowStep * rowBytes, magnitudes[i]);
  });
  block.getHalfTogether(e, half).sync(e);
  static_assert(kHalfWarps == 4);
  for (int64_t i = 0; i < kRows; ++i) {
    Registers all = ptx::loadShared(e, place + i * kRowStep * rowBytes,
                                    e.getF32Type(), kHalfWarps);
    magnitudes[i] =
        largest(e, largest(e, all[0], all[1]), largest(e, all[2], all[3]));
  }
}

void NarrowResult::storePartial(Emitter &e, const Part &part, Value message,
                                ValueRange sums, const Rows &rows) const {
  Value magnitudes[kRows];
  findMagnitudes(e, message, sums, rows, magnitudes);
  Value isFirst = ptx::isEqualI(e, plusI(e, warp, quad), 0);
  Value outputs = plan.getPartialOutputs(e, part);
  for (int64_t i = 0; i < kRows; ++i) {
    auto [up, down] = PowerOfTwo::bringNear(e, magnitudes[i]);
    Value tileRow = plusI(e, row, i * kRowStep);
    Value address =
        plusI(e, outputs, ptx::toI64(e, timesI(e, tileRow, kPartialRowBytes)));
    storeColumns(e, Value(), address, sums, i, mul(e, rows.factors[i], up),
                 e.getF16Type());
    runIf(e, isFirst, [&, down = down](Emitter &e) {
      ptx::storeGlobal(e,
                       getScaleAddress(e, address, NarrowBlock::kLatent, half),
                       {down, rows.logarithms[i]});
    });
  }
}

void NarrowResult::storeColumns(Emitter &e, Value exists, Value address,
                                ValueRange sums, int64_t row, Value factor,
                                Type type) const {
  Registers values;
  for (int64_t j = 0; j < kColumns; ++j)
    values.push_back(
        mul(e, sums[j % 8 * kQuad + row * kThreadRows + j / 8], factor));
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  if (type.isF32()) {
    Value place = plusI(e, address, ptx::toI64(e, timesI(e, column, bytes)));
    return runIf(e, exists, [&](Emitter &e) {
      for (int64_t i = 0; i < kColumns; i += kStore)
        ptx::storeGlobal(e, place, ValueRange(values).slice(i, kStore),
                         i * bytes);
    });
  }

  // Two lanes store the 32 bytes of one, then those of the other: memory takes
  // whole sectors. The first has the first halves.
  Value isOdd = ptx::isEqualI(e, ptx::moduloI(e, quad, 2), 1);
  Registers words = packPairs(e, type, values), first, second;
  for (int64_t i = 0; i < kStore; ++i) {
    Value kept = select(e, isOdd, words[kStore + i], words[i]);
    Value other =
        ptx::exchange(e, select(e, isOdd, words[i], words[kStore + i]), 1);
    first.push_back(select(e, isOdd, other, kept));
    second.push_back(select(e, isOdd, kept, other));
  }
  Value evenColumn = arith::SubIOp::create(
      e, column, select(e, isOdd, i32(e, kColumns), i32(e, 0)));
  Value skipped = plusI(e, timesI(e, evenColumn, bytes),
                        select(e, isOdd, i32(e, kStoreBytes), i32(e, 0)));
  Value place = plusI(e, address, ptx::toI64(e, skipped));
  runIf(e, exists, [&](Emitter &e) {
    ptx::storeGlobal(e, place, first);
    ptx::storeGlobal(e, place, second, kColumns * bytes);
  });
}
