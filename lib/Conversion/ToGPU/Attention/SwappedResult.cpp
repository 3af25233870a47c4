//===- SwappedResult.cpp - what a part comes to, keys on the left ---------===//

#include "SwappedResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "SwappedExchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kPartialRowBytes = SwappedBlock::kLatent * kF32Bytes;
static constexpr int64_t kHalves = SwappedBlock::kLatent / kHalfColumns;
static constexpr int64_t kHalfScales = kScales / kHalves;
/// What undoes what parts are stored times, beyond factors: a row is at most 4
/// times 448 without it. It has to be finite.
static constexpr double kUndoes = 0x1p-4, kMostUndone = 0x1p126;

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

SwappedResult::OfScales SwappedResult::loadOfScales(Emitter &e, Value message,
                                                    int64_t offset) const {
  constexpr int64_t bytes = kScales * kF32Bytes;
  ptx::Address place =
      block.getReferences(e, message).advance(e, timesI(e, firstRow, bytes)) +
      offset;
  OfScales all;
  for (int64_t i = 0; i < kRows; ++i)
    all[i] = ptx::loadShared(e, place + SwappedScore::getTileRow(i) * bytes,
                             e.getF32Type(), kScales);
  return all;
}

SwappedResult::OfScales SwappedResult::loadCorrections(Emitter &e,
                                                       Value message) const {
  return loadOfScales(e, message, SwappedBlock::kCorrections);
}

/// 1 / x of a power of two which is not at the end of f32.
static Value invertPower(Emitter &e, Value power) {
  constexpr int64_t one = 0x3f800000;
  Value bits = arith::BitcastOp::create(e, e.getI32Type(), power);
  return arith::BitcastOp::create(
      e, e.getF32Type(),
      ptx::minusI(e, i32(e, static_cast<int32_t>(2 * one)), bits));
}

SwappedResult::Rows SwappedResult::divide(Emitter &e, Value message,
                                          Value parts) const {
  block.getSumsFull().wait(e, ptx::moduloI(e, parts, 2));
  Rows rows;
  rows.scales = loadOfScales(e, message, SwappedBlock::kFactors);
  Value zero = constant(e, 0);
  for (int64_t i = 0; i < kRows; ++i) {
    for (Value &factor : rows.scales[i])
      factor = invertPower(e, factor);
    Value here = getTileRow(e, i);
    auto loadRow = [&](ptx::Address array) {
      return ptx::loadShared(e, array.advance(e, timesI(e, here, kF32Bytes)),
                             e.getF32Type())[0];
    };
    Value reference = loadRow(block.getReferences(e, message));
    Value total;
    for (int64_t group = 0; group < SwappedBlock::kScoreGroups; ++group) {
      Value relative = ptx::exp2Fast(
          e, subtract(e, loadRow(block.getSumReferences(e, i32(e, group))),
                      reference));
      Registers all =
          ptx::loadShared(e,
                          block.getSums(e, i32(e, group))
                              .advance(e, timesI(e, here, kWarps * kF32Bytes)),
                          e.getF32Type(), kWarps);
      Value sum = mul(e, add(e, add(e, all[0], all[1]), add(e, all[2], all[3])),
                      relative);
      total = total ? add(e, total, sum) : sum;
    }
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
    rows.inverses[i] = select(e, isEmpty, zero, ptx::reciprocalFast(e, total));
    Value sum =
        add(e, reference,
            add(e, ptx::log2Fast(e, total), constant(e, -kSwappedHeadroom)));
    rows.logarithms[i] = select(e, isEmpty, minusInfinity(e), sum);
  }
  return rows;
}

void SwappedResult::store(Emitter &e, const Part &part, Value message,
                          ValueRange sums, Value parts) const {
  Rows rows = divide(e, message, parts);
  if (plan.mayCut()) {
    auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
    Emitter whole(e.getLoc(), branch.getThenBodyBuilder());
    storeWhole(whole, part, sums, rows);
    Emitter cut(e.getLoc(), branch.getElseBodyBuilder());
    storePartial(cut, part, message, sums, rows);
  } else {
    storeWhole(e, part, sums, rows);
  }
  block.getSumsFree().arriveByWarp(e, lane);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void SwappedResult::storeColumns(Emitter &e, Value exists, Value address,
                                 ValueRange sums, int64_t row,
                                 ValueRange factors, ValueRange others,
                                 Type type) const {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value place = plusI(e, address, ptx::toI64(e, timesI(e, column, bytes)));
  runIf(e, exists, [&](Emitter &e) {
    for (int64_t strip = 0; strip < kStrips; ++strip) {
      Registers values;
      for (int64_t i = strip * kStripSums; i < (strip + 1) * kStripSums; ++i) {
        if (getRow(i) != row)
          continue;
        Value value = mul(e, sums[i], factors[getScale(i)]);
        if (!others.empty())
          value = mul(e, value, others[getScale(i)]);
        values.push_back(value);
      }
      if (!type.isF32())
        values = packPairs(e, type, values);
      ptx::storeGlobal(e, place, values, strip * kStripColumns * bytes);
    }
  });
}

void SwappedResult::storeWhole(Emitter &e, const Part &part, ValueRange sums,
                               const Rows &rows) const {
  const AttentionProblem &problem = inputs.getProblem();
  for (int64_t i = 0; i < kRows; ++i) {
    Value number = getNumber(e, i);
    Value globalRow = plusI(e, inputs.getFirstRow(e, part.request), number);
    Value isRow = ptx::isLessI(e, number, inputs.getRows(e, part.request));
    storeColumns(e, isRow, inputs.getOutput(e, globalRow), sums, i,
                 Registers(kScales, rows.inverses[i]), rows.scales[i],
                 problem.outputElements);
    LatentAttentionOp op = problem.op;
    if (op.getLseInit())
      runIf(e, both(e, isRow, ptx::isEqualI(e, column, 0)), [&](Emitter &e) {
        inputs.storeLSE(
            e, globalRow,
            mul(e, rows.logarithms[i], constant(e, llvm::numbers::ln2)));
      });
  }
}

/// Where scales are uneven each key may have as much in a row as one has else:
/// a power of two that is not less than the part's keys, to be taken out, too.
static Value makeUneven(Emitter &e, const Part &part) {
  constexpr int32_t exponent = 0x7f800000;
  Value blocks = arith::SIToFPOp::create(
      e, e.getF32Type(), ptx::minusI(e, part.end, part.firstBlock));
  Value bits = arith::AndIOp::create(
      e, arith::BitcastOp::create(e, e.getI32Type(), blocks), i32(e, exponent));
  return mul(e, arith::BitcastOp::create(e, e.getF32Type(), bits),
             constant(e, 2 * SwappedBlock::kBlockKeys * kUndoes));
}

void SwappedResult::storePartial(Emitter &e, const Part &part, Value message,
                                 ValueRange sums, const Rows &rows) const {
  Value isUneven = ptx::loadShared(
      e, block.getReferences(e, message) + SwappedBlock::kUneven,
      e.getI32Type())[0];
  Value undo = select(e, ptx::isEqualI(e, isUneven, 0), constant(e, kUndoes),
                      makeUneven(e, part));
  Value isFirst = ptx::isEqualI(e, column, 0);
  Value outputs = plan.getPartialOutputs(e, part);
  for (int64_t i = 0; i < kRows; ++i) {
    ValueRange scales = rows.scales[i];
    Value address =
        plusI(e, outputs,
              ptx::toI64(e, timesI(e, getTileRow(e, i), kPartialRowBytes)));
    Registers factors, undone;
    for (int64_t half = 0; half < kHalves; ++half) {
      // A half has the larger one of its scales.
      Value most;
      for (Value scale : scales.slice(half * kHalfScales, kHalfScales))
        most = most ? largest(e, most, scale) : scale;
      Value down = smallest(e, mul(e, most, undo), constant(e, kMostUndone));
      undone.push_back(down);
      Value factor = mul(e, rows.inverses[i], invertPower(e, down));
      for (Value scale : scales.slice(half * kHalfScales, kHalfScales))
        factors.push_back(mul(e, factor, scale));
    }
    storeColumns(e, Value(), address, sums, i, factors, ValueRange(),
                 e.getF16Type());
    runIf(e, isFirst, [&](Emitter &e) {
      for (int64_t half = 0; half < kHalves; ++half)
        ptx::storeGlobal(
            e, getScaleAddress(e, address, SwappedBlock::kLatent, i32(e, half)),
            {undone[half], rows.logarithms[i]});
    });
  }
}

void SwappedResult::storeNothing(Emitter &e, const Part &part) const {
  Rows rows;
  for (int64_t i = 0; i < kRows; ++i) {
    rows.inverses[i] = constant(e, 0);
    rows.logarithms[i] = minusInfinity(e);
    rows.scales[i] = Registers(kScales, constant(e, 0));
  }
  storeWhole(e, part, Registers(kSums, constant(e, 0)), rows);
}
