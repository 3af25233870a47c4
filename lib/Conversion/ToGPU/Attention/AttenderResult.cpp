//===- AttenderResult.cpp - what a part comes to --------------------------===//

#include "AttenderResult.h"
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
using ptx::Registers;

static constexpr int64_t kWarpRows = 16, kSumBytes = 4, kQuad = 4;
/// What a lane stores at a time; from a row of a part to the next.
static constexpr int64_t kLaneBytes = 16;
static constexpr int64_t kPartialRowBytes = WarpgroupBlock::kLatent * 4;
/// Bytes from a row in shared memory to the next: a quad's pairs more than the
/// row has, and lanes that write pairs of eight rows meet no bank twice.
static int64_t getPitch(int64_t columns, int64_t elementBytes) {
  return (columns + kQuad * 2) * elementBytes;
}

static Value select(Emitter &e, Value condition, Value a, Value b) {
  return arith::SelectOp::create(e, condition, a, b);
}

/// The i64 of lane `lane`.
static Value broadcast(Emitter &e, Value value, int64_t lane) {
  auto [low, high] = ptx::splitI64(e, value);
  Value source = ptx::i32(e, lane);
  return ptx::joinI64(e, ptx::ofLane(e, low, source),
                      ptx::ofLane(e, high, source));
}

void AttenderResult::finish(Emitter &e, const Part &part, AttenderState state) {
  for (Value &sum : state.sums)
    sum = foldRow(e, sum, add);
  // All products with the queries and with probabilities are done.
  block.getTogether(e).sync(e);
  Value bytes = ptx::timesI(e, attender,
                            WarpgroupBlock::kSumKinds *
                                WarpgroupBlock::kTileRows * kSumBytes);
  runIf(e, ptx::isEqualI(e, quad, 0), [&](Emitter &e) {
    for (int64_t i = 0; i < AttenderState::kSums; ++i)
      ptx::storeShared(
          e,
          getRowPlace(e, block.getSums(0, i / kRows).advance(e, bytes),
                      i % kRows),
          state.sums[i]);
  });
  block.getTogether(e).sync(e);
  Value totals[AttenderState::kSums];
  for (int64_t i = 0; i < AttenderState::kSums; ++i) {
    Value parts[WarpgroupBlock::kAttenders];
    for (int64_t j = 0; j < WarpgroupBlock::kAttenders; ++j)
      parts[j] = ptx::loadShared(
          e, getRowPlace(e, block.getSums(j, i / kRows), i % kRows),
          e.getF32Type())[0];
    totals[i] = add(e, parts[0], parts[1]);
  }
  Rows rows = divide(e, state, totals);
  // The tile's last rows may be nobody's.
  runIf(e, rowExists(e, part, warpRow), [&](Emitter &e) {
    auto storeResult = [&](Emitter &e) {
      // A lane knows where a row goes. What lanes beyond the rows know is not
      // used.
      Value row =
          arith::AddIOp::create(e, warpRow, ptx::moduloI(e, lane, kWarpRows));
      Value address = getResult(e, part, row);
      storeColumns(e, part, state, rows.factors,
                   inputs.getProblem().outputElements,
                   [&](Emitter &e, int64_t i) {
                     return skipLane(e, broadcast(e, address, i));
                   });
      storeLSE(e, part, rows);
    };
    if (!plan.mayCut())
      return storeResult(e);
    auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
    Emitter whole(e.getLoc(), branch.getThenBodyBuilder());
    storeResult(whole);
    Emitter cut(e.getLoc(), branch.getElseBodyBuilder());
    storePartial(cut, part, state, rows);
  });
  ptx::syncWarp(e);
  runIf(e, ptx::isEqualI(e, lane, 0),
        [&](Emitter &e) { block.getQueriesFree().arrive(e); });
}

AttenderResult::Rows AttenderResult::divide(Emitter &e,
                                            const AttenderState &state,
                                            ArrayRef<Value> totals) const {
  Rows rows;
  for (int64_t i = 0; i < kRows; ++i) {
    Value zero = constant(e, 0);
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, totals[i], zero);
    Value inverse = select(e, isEmpty, zero,
                           arith::DivFOp::create(e, constant(e, 1), totals[i]));
    rows.factors[i] = keyScale ? mul(e, inverse, keyScale) : inverse;
    rows.logarithms[i] =
        select(e, isEmpty, minusInfinity(e),
               add(e, state.maxima[i], ptx::log2Fast(e, totals[kRows + i])));
  }
  return rows;
}

Value AttenderResult::getRowsLeft(Emitter &e, const Part &part) const {
  Value first = ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows);
  return arith::SubIOp::create(e, inputs.getRows(e, part.request), first);
}

Value AttenderResult::rowExists(Emitter &e, const Part &part, Value row) const {
  return ptx::isLessI(e, row, getRowsLeft(e, part));
}

/// An address of half 0 of a row, which has `bytes`, as that of this
/// attender's.
Value AttenderResult::skipHalf(Emitter &e, Value address, int64_t bytes) const {
  return arith::AddIOp::create(e, address,
                               ptx::toI64(e, ptx::timesI(e, attender, bytes)));
}

/// An address of lane 0 as that of this lane.
Value AttenderResult::skipLane(Emitter &e, Value address) const {
  return arith::AddIOp::create(e, address,
                               ptx::toI64(e, ptx::timesI(e, lane, kLaneBytes)));
}

Value AttenderResult::getResult(Emitter &e, const Part &part, Value row) const {
  Value first = ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows);
  Value globalRow =
      arith::AddIOp::create(e, inputs.getFirstRow(e, part.request),
                            arith::AddIOp::create(e, first, row));
  Type type = inputs.getProblem().outputElements;
  int64_t bytes = WarpgroupBlock::kHalf * type.getIntOrFloatBitWidth() / 8;
  return skipHalf(e, inputs.getOutput(e, globalRow), bytes);
}

Value AttenderResult::getPartialRow(Emitter &e, const Part &part,
                                    Value row) const {
  Value bytes = ptx::timesI(e, row, kPartialRowBytes);
  return arith::AddIOp::create(e, plan.getPartialOutputs(e, part),
                               ptx::toI64(e, bytes));
}

/// The rows of a warp, by way of the queries' memory: as many columns at a time
/// as it has room for, and whole rows from there.
void AttenderResult::storeColumns(
    Emitter &e, const Part &part, const AttenderState &state,
    ArrayRef<Value> factors, Type type,
    function_ref<Value(Emitter &, int64_t i)> getAddress) const {
  constexpr int64_t kWarps =
      WarpgroupBlock::kAttenders * WarpgroupBlock::kGroupWarps;
  constexpr int64_t kSkipped = WarpgroupBlock::kAttenders *
                               WarpgroupBlock::kSumKinds *
                               WarpgroupBlock::kTileRows * kSumBytes;
  constexpr int64_t kLanes = 32;
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  int64_t room =
      (ptx::SwizzledTile::getBytes(WarpgroupBlock::kTileRows,
                                   WarpgroupBlock::kLatent + block.getRope()) -
       kSkipped) /
      kWarps / kWarpRows;
  int64_t columns = WarpgroupBlock::kHalf;
  while (getPitch(columns, bytes) > room ||
         columns * bytes > kLanes * kLaneBytes)
    columns /= 2;
  int64_t pitch = getPitch(columns, bytes);

  Value warp = arith::AddIOp::create(
      e, ptx::timesI(e, attender, WarpgroupBlock::kGroupWarps),
      ptx::dividedByI(e, warpRow, kWarpRows));
  ptx::Address memory =
      (block.getQueries().start + kSkipped)
          .advance(e, ptx::timesI(e, warp, kWarpRows * pitch));
  ptx::Address place = memory.advance(
      e, arith::AddIOp::create(
             e, ptx::timesI(e, arith::SubIOp::create(e, row, warpRow), pitch),
             ptx::timesI(e, quad, 2 * bytes)));
  Value laneBytes = ptx::timesI(e, lane, kLaneBytes);
  ptx::Address from = memory.advance(e, laneBytes);
  Value left = arith::SubIOp::create(e, getRowsLeft(e, part), warpRow);
  Value isLane;
  if (columns * bytes < kLanes * kLaneBytes)
    isLane = ptx::isLessI(e, laneBytes, ptx::i32(e, columns * bytes));
  for (int64_t first = 0; first < WarpgroupBlock::kHalf; first += columns) {
    if (first)
      ptx::syncWarp(e);
    for (int64_t j = 0; j < kOutputs; j += 2) {
      int64_t column = getThreadColumn(j) - first, i = getThreadRow(j);
      if (column < 0 || column >= columns)
        continue;
      ptx::Registers pair;
      for (int64_t k : {j, j + 1})
        pair.push_back(mul(e, state.outputs[k], factors[i]));
      if (!type.isF32())
        pair = {ptx::packPair(e, type, pair[0], pair[1])};
      ptx::storeShared(e, place + (i * 8 * pitch + column * bytes), pair);
    }
    ptx::syncWarp(e);
    // Loads of some rows, then stores: one latency for all of them.
    constexpr int64_t kBatch = 8;
    for (int64_t begin = 0; begin < kWarpRows; begin += kBatch) {
      SmallVector<ptx::Registers> chunks;
      for (int64_t i = begin; i < begin + kBatch; ++i)
        chunks.push_back(ptx::loadShared(e, from + i * pitch, e.getI32Type(),
                                         kLaneBytes / 4));
      for (auto [i, chunk] : llvm::enumerate(chunks)) {
        Value source = ptx::i32(e, begin + i);
        Value stores = both(e, isLane, ptx::isLessI(e, source, left));
        ptx::storeGlobalIf(e, stores, getAddress(e, begin + i), chunk,
                           first * bytes);
      }
    }
  }
}

/// A part's rows as PartFormat::ScaledF16.
void AttenderResult::storePartial(Emitter &e, const Part &part,
                                  const AttenderState &state,
                                  const Rows &rows) const {
  static_assert(WarpgroupBlock::kHalf == kHalfColumns);
  Value factors[kRows];
  for (int64_t i = 0; i < kRows; ++i) {
    Value most = constant(e, 0);
    for (int64_t j = 0; j < kOutputs; ++j)
      if (getThreadRow(j) == i)
        most = largest(e, most, math::AbsFOp::create(e, state.outputs[j]));
    most = foldRow(e, most, largest);
    most = mul(e, most, rows.factors[i]);
    auto [up, down] = PowerOfTwo::bringNear(e, most);
    factors[i] = mul(e, rows.factors[i], up);
    Value tileRow = ptx::plusI(e, row, i * 8);
    Value stores =
        both(e, ptx::isEqualI(e, quad, 0), rowExists(e, part, tileRow));
    runIf(e, stores, [&, down = down, i = i](Emitter &e) {
      Value place = getScaleAddress(e, getPartialRow(e, part, tileRow),
                                    WarpgroupBlock::kLatent, attender);
      ptx::storeGlobal(e, place, {down, rows.logarithms[i]});
    });
  }
  int64_t bytes =
      WarpgroupBlock::kHalf * getElementBytes(PartFormat::ScaledF16);
  Value begin =
      skipLane(e, skipHalf(e, getPartialRow(e, part, warpRow), bytes));
  storeColumns(e, part, state, factors, e.getF16Type(),
               [&](Emitter &e, int64_t i) {
                 return ptx::plusI(e, begin, i * kPartialRowBytes);
               });
}

void AttenderResult::storeLSE(Emitter &e, const Part &part,
                              const Rows &rows) const {
  if (!inputs.getProblem().op.getLseInit())
    return;
  Value isFirst = ptx::isEqualI(e, arith::AddIOp::create(e, quad, attender), 0);
  for (int64_t i = 0; i < kRows; ++i) {
    Value tileRow = ptx::plusI(e, row, i * 8);
    runIf(e, both(e, isFirst, rowExists(e, part, tileRow)), [&](Emitter &e) {
      Value number = ptx::plusI(e, getRequestRow(e), i * 8);
      Value globalRow =
          arith::AddIOp::create(e, inputs.getFirstRow(e, part.request), number);
      inputs.storeLSE(
          e, globalRow,
          mul(e, rows.logarithms[i], constant(e, llvm::numbers::ln2)));
    });
  }
}

void AttenderResult::storeNothing(Emitter &e, const Part &part) {
  Type type = inputs.getProblem().outputElements;
  int64_t rowBytes = WarpgroupBlock::kHalf * type.getIntOrFloatBitWidth() / 8;
  constexpr int64_t kStep = kLaneBytes * 32;
  ptx::Registers zeros(4, ptx::i32(e, 0));
  for (int64_t i = 0; i < kWarpRows; ++i) {
    Value tileRow = ptx::plusI(e, warpRow, i);
    runIf(e, rowExists(e, part, tileRow), [&](Emitter &e) {
      Value to = skipLane(e, getResult(e, part, tileRow));
      for (int64_t byte = 0; byte < rowBytes; byte += kStep)
        ptx::storeGlobal(e, to, zeros, byte);
    });
  }
  Rows rows;
  rows.logarithms[0] = rows.logarithms[1] = minusInfinity(e);
  storeLSE(e, part, rows);
}
