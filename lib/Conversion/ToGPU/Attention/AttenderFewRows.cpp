//===- AttenderFewRows.cpp - rows that warps take from another ------------===//

#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "AttenderResult.h"
#include "AttenderRows.h"
#include "PowersOfTwo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::isEqualI;
using ptx::isLessI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;
using ptx::toI64;

/// Columns that a lane has one after the other.
static constexpr int64_t kAccess = 4;
static constexpr int64_t kPitch = getPitch(WarpgroupBlock::kHalf, kF32Bytes);

void AttenderResult::finishFewRows(Emitter &e, const Part &part,
                                   const AttenderState &state) const {
  static_assert(WarpgroupBlock::kGroupWarps * kTaken == kWarpRows);
  runIf(e, isEqualI(e, warpRow, 0), [&](Emitter &e) { leaveRows(e, state); });
  block.getTogether(e).sync(e);
  TakenRow rows[kTaken];
  takeRows(e, part, rows);
  choose(
      e, part,
      [&](Emitter &e) {
        Value isOne = isEqualI(e, plusI(e, lane, attender), 0);
        for (const TakenRow &row : rows) {
          storeTaken(e, row, getResult(e, part, row.tileRow), row.factor,
                     inputs.getProblem().outputElements);
          storeLSE(e, part, row, isOne);
        }
      },
      [&](Emitter &e) { storeTakenParts(e, part, rows); });
}

/// This attender's rows in shared memory.
static ptx::Address getRows(Emitter &e, const WarpgroupBlock &block,
                            Value attender) {
  assert(kRowValueBytes + WarpgroupBlock::kAttenders * kWarpRows * kPitch <=
             ptx::SwizzledTile::getBytes(WarpgroupBlock::kTileRows,
                                         WarpgroupBlock::kLatent) &&
         "the queries' memory has room for a warp's rows");
  return (block.getQueries().start + kRowValueBytes)
      .advance(e, timesI(e, attender, kWarpRows * kPitch));
}

void AttenderResult::leaveRows(Emitter &e, const AttenderState &state) const {
  Value first = timesI(e, dividedByI(e, lane, kQuad), kPitch);
  ptx::Address place =
      getRows(e, block, attender)
          .advance(e, plusI(e, first, timesI(e, quad, 2 * kF32Bytes)));
  for (int64_t j = 0; j < kOutputs; j += 2)
    ptx::storeShared(
        e,
        place + (getThreadRow(j) * 8 * kPitch + getThreadColumn(j) * kF32Bytes),
        ValueRange(state.outputs).slice(j, 2));
}

void AttenderResult::takeRows(Emitter &e, const Part &part,
                              TakenRow (&rows)[kTaken]) const {
  Type f32 = e.getF32Type();
  Value first = dividedByI(e, warpRow, kWarpRows / kTaken);
  ptx::Address place =
      getRows(e, block, attender)
          .advance(e, plusI(e, timesI(e, first, kPitch),
                            timesI(e, lane, kAccess * kF32Bytes)));
  for (int64_t i = 0; i < kTaken; ++i)
    for (int64_t column = 0; column < WarpgroupBlock::kHalf;
         column += kLanes * kAccess)
      rows[i].columns.append(ptx::loadShared(
          e, place + (i * kPitch + column * kF32Bytes), f32, kAccess));

  Value bytes = timesI(e, first, kF32Bytes);
  auto load = [&](ptx::Address array) {
    return ptx::loadShared(e, array.advance(e, bytes), f32, kTaken);
  };
  Registers references = load(block.getReferences(0));
  Registers sums[WarpgroupBlock::kSumKinds];
  for (int64_t kind = 0; kind < WarpgroupBlock::kSumKinds; ++kind) {
    sums[kind] = load(block.getSums(0, kind));
    for (auto [sum, other] :
         llvm::zip_equal(sums[kind], load(block.getSums(1, kind))))
      sum = add(e, sum, other);
  }
  Value left = getRowsLeft(e, part);
  for (int64_t i = 0; i < kTaken; ++i) {
    rows[i].tileRow = plusI(e, first, i);
    rows[i].exists = isLessI(e, rows[i].tileRow, left);
    divide(e, {sums[0][i], sums[1][i]}, references[i], rows[i]);
  }
}

/// The lane's columns times `factor`, as `type`, of this attender's half row at
/// `address`.
void AttenderResult::storeTaken(Emitter &e, const TakenRow &row, Value address,
                                Value factor, Type type) const {
  int64_t bytes = kAccess * type.getIntOrFloatBitWidth() / 8;
  Value place = plusI(e, address, toI64(e, timesI(e, lane, bytes)));
  for (size_t i = 0; i < row.columns.size(); i += kAccess) {
    Registers values;
    for (Value column : ValueRange(row.columns).slice(i, kAccess))
      values.push_back(mul(e, column, factor));
    if (!type.isF32())
      values = packPairs(e, type, values);
    ptx::storeGlobalIf(e, row.exists, place, values,
                       i / kAccess * kLanes * bytes);
  }
}

/// As PartFormat::ScaledF16.
void AttenderResult::storeTakenParts(Emitter &e, const Part &part,
                                     ArrayRef<TakenRow> rows) const {
  static_assert(WarpgroupBlock::kHalf == kHalfColumns);
  // Of all rows before the first store: the ways to them overlap.
  Registers magnitudes;
  for (const TakenRow &row : rows) {
    Value most = constant(e, 0);
    for (Value column : row.columns)
      most = largest(e, most, math::AbsFOp::create(e, column));
    // f32 that are not negative are in the order of their bits.
    Value bits = ptx::largestOverLanes(
        e, arith::BitcastOp::create(e, e.getI32Type(), most));
    most = arith::BitcastOp::create(e, e.getF32Type(), bits);
    magnitudes.push_back(mul(e, most, row.factor));
  }
  int64_t bytes =
      WarpgroupBlock::kHalf * getElementBytes(PartFormat::ScaledF16);
  for (auto [row, magnitude] : llvm::zip_equal(rows, magnitudes)) {
    auto [up, down] = PowerOfTwo::bringNear(e, magnitude);
    Value address = plan.getPartialRow(e, part, row.tileRow);
    storeTaken(e, row, skipHalf(e, address, bytes), mul(e, row.factor, up),
               e.getF16Type());
    ptx::storeGlobalIf(
        e, both(e, row.exists, isEqualI(e, lane, 0)),
        getScaleAddress(e, address, WarpgroupBlock::kLatent, attender),
        {down, row.logarithm});
  }
}
