//===- AttenderOwnRows.cpp - rows that each warp stores itself ------------===//

#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "AttenderResult.h"
#include "AttenderRows.h"
#include "PowersOfTwo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::isEqualI;
using ptx::isLessI;
using ptx::minusI;
using ptx::moduloI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kPartialRowBytes = WarpgroupBlock::kLatent * kF32Bytes;

void AttenderResult::finishOwnRows(Emitter &e, const Part &part,
                                   const AttenderState &state) const {
  block.getTogether(e).sync(e);
  Value left = getRowsLeft(e, part);
  Row rows[kRows];
  for (int64_t i = 0; i < kRows; ++i) {
    Registers sums;
    for (int64_t kind = 0; kind < WarpgroupBlock::kSumKinds; ++kind) {
      Value ofBoth[WarpgroupBlock::kAttenders];
      for (int64_t j = 0; j < WarpgroupBlock::kAttenders; ++j)
        ofBoth[j] = ptx::loadShared(
            e, getRowPlace(e, block.getSums(j, kind), i), e.getF32Type())[0];
      sums.push_back(add(e, ofBoth[0], ofBoth[1]));
    }
    rows[i].tileRow = plusI(e, row, i * 8);
    rows[i].exists = isLessI(e, rows[i].tileRow, left);
    divide(e, sums, state.maxima[i], rows[i]);
  }
  // The tile's last rows may be nobody's.
  runIf(e, isLessI(e, warpRow, left), [&](Emitter &e) {
    choose(
        e, part, [&](Emitter &e) { storeOwnResults(e, part, state, rows); },
        [&](Emitter &e) { storeOwnParts(e, part, state, rows); });
  });
}

void AttenderResult::storeOwnResults(Emitter &e, const Part &part,
                                     const AttenderState &state,
                                     ArrayRef<Row> rows) const {
  // A lane knows where a row goes. What lanes beyond the rows know is not used.
  Value row = plusI(e, warpRow, moduloI(e, lane, kWarpRows));
  Value address = getResult(e, part, row);
  storeOwn(e, part, state, rows, address);
  Value isOne = isEqualI(e, plusI(e, quad, attender), 0);
  for (const Row &row : rows)
    storeLSE(e, part, row, isOne);
}

/// As many columns at a time as the queries' memory has room for, and whole
/// rows from there.
void AttenderResult::storeOwn(Emitter &e, const Part &part,
                              const AttenderState &state, ArrayRef<Row> rows,
                              Value address) const {
  Type type = inputs.getProblem().outputElements;
  constexpr int64_t kWarps =
      WarpgroupBlock::kAttenders * WarpgroupBlock::kGroupWarps;
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  int64_t room =
      (ptx::SwizzledTile::getBytes(WarpgroupBlock::kTileRows,
                                   WarpgroupBlock::kLatent + block.getRope()) -
       kRowValueBytes) /
      kWarps / kWarpRows;
  int64_t columns = WarpgroupBlock::kHalf;
  while (getPitch(columns, bytes) > room ||
         columns * bytes > kLanes * kLaneBytes)
    columns /= 2;
  int64_t pitch = getPitch(columns, bytes);

  Value warp = plusI(e, timesI(e, attender, WarpgroupBlock::kGroupWarps),
                     dividedByI(e, warpRow, kWarpRows));
  ptx::Address memory = (block.getQueries().start + kRowValueBytes)
                            .advance(e, timesI(e, warp, kWarpRows * pitch));
  ptx::Address place =
      memory.advance(e, plusI(e, timesI(e, minusI(e, row, warpRow), pitch),
                              timesI(e, quad, 2 * bytes)));
  Value laneBytes = timesI(e, lane, kLaneBytes);
  ptx::Address from = memory.advance(e, laneBytes);
  Value left = minusI(e, getRowsLeft(e, part), warpRow);
  Value isLane;
  if (columns * bytes < kLanes * kLaneBytes)
    isLane = isLessI(e, laneBytes, i32(e, columns * bytes));
  for (int64_t first = 0; first < WarpgroupBlock::kHalf; first += columns) {
    if (first)
      ptx::syncWarp(e);
    for (int64_t j = 0; j < kOutputs; j += 2) {
      int64_t column = getThreadColumn(j) - first, i = getThreadRow(j);
      if (column < 0 || column >= columns)
        continue;
      Registers pair;
      for (int64_t k : {j, j + 1})
        pair.push_back(mul(e, state.outputs[k], rows[i].factor));
      if (!type.isF32())
        pair = {ptx::packPair(e, type, pair[0], pair[1])};
      ptx::storeShared(e, place + (i * 8 * pitch + column * bytes), pair);
    }
    ptx::syncWarp(e);
    // Loads of some rows, then stores: one latency for all of them.
    constexpr int64_t kBatch = 8;
    for (int64_t begin = 0; begin < kWarpRows; begin += kBatch) {
      SmallVector<Registers> chunks;
      for (int64_t i = begin; i < begin + kBatch; ++i)
        chunks.push_back(ptx::loadShared(e, from + i * pitch, e.getI32Type(),
                                         kLaneBytes / 4));
      for (auto [i, chunk] : llvm::enumerate(chunks)) {
        Value stores = both(e, isLane, isLessI(e, i32(e, begin + i), left));
        Value to = skipLane(e, ptx::ofLaneI64(e, address, i32(e, begin + i)));
        ptx::storeGlobalIf(e, stores, to, chunk, first * bytes);
      }
    }
  }
}

/// As PartFormat::ScaledFragments.
void AttenderResult::storeOwnParts(Emitter &e, const Part &part,
                                   const AttenderState &state,
                                   ArrayRef<Row> rows) const {
  static_assert(WarpgroupBlock::kHalf == kHalfColumns);
  // Several ways to the largest, of both rows side by side: each is short.
  constexpr int64_t kWays = 8;
  Value most[kWays];
  for (int64_t j = 0; j < kOutputs; ++j) {
    int64_t way = j / 4 * 2 % kWays + getThreadRow(j);
    Value magnitude = math::AbsFOp::create(e, state.outputs[j]);
    most[way] = most[way] ? largest(e, most[way], magnitude) : magnitude;
  }
  for (int64_t step = kWays / 2; step >= kRows; step /= 2)
    for (int64_t i = 0; i < step; ++i)
      most[i] = largest(e, most[i], most[i + step]);
  Value factors[kRows], undo[kRows];
  for (int64_t i = 0; i < kRows; ++i) {
    Value magnitude = mul(e, foldRow(e, most[i], largest), rows[i].factor);
    auto [up, down] = PowerOfTwo::bringNear(e, magnitude);
    factors[i] = mul(e, rows[i].factor, up);
    undo[i] = down;
  }
  // A quad's pairs of four products' columns are what each of its lanes stores
  // 16 bytes of.
  constexpr int64_t pairs = kLaneBytes / 4, outputsOfPair = 2 * kRows;
  int64_t bytes =
      WarpgroupBlock::kHalf * getElementBytes(PartFormat::ScaledFragments);
  Value begin =
      skipHalf(e, plan.getPartialRow(e, part, rows[0].tileRow), bytes);
  begin = plusI(e, begin, ptx::toI64(e, timesI(e, quad, kLaneBytes)));
  for (int64_t first = 0; first < kOutputs; first += pairs * outputsOfPair)
    for (int64_t i = 0; i < kRows; ++i) {
      Registers chunk;
      for (int64_t pair = 0; pair < pairs; ++pair) {
        int64_t j = first + pair * outputsOfPair + 2 * i;
        chunk.push_back(ptx::packPair(
            e, e.getF16Type(), mul(e, state.outputs[j], factors[i]),
            mul(e, state.outputs[j + 1], factors[i])));
      }
      ptx::storeGlobalIf(e, rows[i].exists, begin, chunk,
                         i * 8 * kPartialRowBytes +
                             first / outputsOfPair * kQuad * 4);
    }
  for (int64_t i = 0; i < kRows; ++i) {
    Value place =
        getScaleAddress(e, plan.getPartialRow(e, part, rows[i].tileRow),
                        WarpgroupBlock::kLatent, attender);
    ptx::storeGlobalIf(e, both(e, rows[i].exists, isEqualI(e, quad, 0)), place,
                       {undo[i], rows[i].logarithm});
  }
}
