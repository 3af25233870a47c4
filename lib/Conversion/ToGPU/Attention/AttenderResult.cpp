//===- AttenderResult.cpp - what a part comes to --------------------------===//

#include "AttenderResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "AttenderRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::isEqualI;
using ptx::isLessI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;
using ptx::toI64;

AttenderResult::AttenderResult(const AttenderThread &thread)
    : AttenderThread(thread),
      hasFewRows(getFormat(inputs.getProblem()) == PartFormat::ScaledF16) {}

PartFormat AttenderResult::getFormat(const AttentionProblem &problem) {
  return problem.hasAtMostRows(kWarpRows) ? PartFormat::ScaledF16
                                          : PartFormat::ScaledFragments;
}

Value AttenderResult::finish(Emitter &e, const Part &part,
                             AttenderState state) {
  for (Value &sum : state.sums)
    sum = foldRow(e, sum, add);
  // All products with the queries and with probabilities are done.
  block.getTogether(e).sync(e);
  publish(e, state);
  Value hasNext = keepHasNext(e, part);
  if (hasFewRows)
    finishFewRows(e, part, state);
  else
    finishOwnRows(e, part, state);
  block.getQueriesFree().arriveByWarp(e, lane);
  return hasNext;
}

void AttenderResult::publish(Emitter &e, const AttenderState &state) const {
  Value bytes = timesI(e, attender,
                       WarpgroupBlock::kRowValues * WarpgroupBlock::kTileRows *
                           kF32Bytes);
  runIf(e, isEqualI(e, quad, 0), [&](Emitter &e) {
    auto store = [&](ptx::Address array, int64_t i, Value value) {
      ptx::storeShared(e, getRowPlace(e, array.advance(e, bytes), i), value);
    };
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t kind = 0; kind < WarpgroupBlock::kSumKinds; ++kind)
        store(block.getSums(0, kind), i, state.sums[kind * kRows + i]);
      store(block.getReferences(0), i, state.maxima[i]);
    }
  });
}

void AttenderResult::divide(Emitter &e, ValueRange sums, Value reference,
                            Row &row) const {
  Value zero = constant(e, 0);
  Value isEmpty =
      arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, sums[0], zero);
  row.factor = arith::SelectOp::create(e, isEmpty, zero,
                                       ptx::reciprocalFast(e, sums[0]));
  if (keyScale)
    row.factor = mul(e, row.factor, keyScale);
  row.logarithm =
      arith::SelectOp::create(e, isEmpty, minusInfinity(e),
                              add(e, reference, ptx::log2Fast(e, sums[1])));
}

void AttenderResult::choose(Emitter &e, const Part &part,
                            function_ref<void(Emitter &)> whole,
                            function_ref<void(Emitter &)> cut) const {
  if (!plan.mayCut())
    return whole(e);
  auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
  Emitter first(e.getLoc(), branch.getThenBodyBuilder());
  whole(first);
  Emitter second(e.getLoc(), branch.getElseBodyBuilder());
  cut(second);
}

Value AttenderResult::getRowsLeft(Emitter &e, const Part &part) const {
  Value first = timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows);
  return ptx::minusI(e, inputs.getRows(e, part.request), first);
}

Value AttenderResult::getGlobalRow(Emitter &e, const Part &part,
                                   Value row) const {
  Value first = timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows);
  return plusI(e, inputs.getFirstRow(e, part.request), plusI(e, first, row));
}

/// An address of half 0 of a row, which has `bytes`, as that of this
/// attender's.
Value AttenderResult::skipHalf(Emitter &e, Value address, int64_t bytes) const {
  return plusI(e, address, toI64(e, timesI(e, attender, bytes)));
}

Value AttenderResult::skipLane(Emitter &e, Value address) const {
  return plusI(e, address, toI64(e, timesI(e, lane, kLaneBytes)));
}

Value AttenderResult::getResult(Emitter &e, const Part &part, Value row) const {
  Type type = inputs.getProblem().outputElements;
  int64_t bytes = WarpgroupBlock::kHalf * type.getIntOrFloatBitWidth() / 8;
  return skipHalf(e, inputs.getOutput(e, getGlobalRow(e, part, row)), bytes);
}

void AttenderResult::storeLSE(Emitter &e, const Part &part, const Row &row,
                              Value isOne) const {
  if (!inputs.getProblem().op.getLseInit())
    return;
  runIf(e, both(e, isOne, row.exists), [&](Emitter &e) {
    inputs.storeLSE(e, getGlobalRow(e, part, row.tileRow),
                    mul(e, row.logarithm, constant(e, llvm::numbers::ln2)));
  });
}

void AttenderResult::storeNothing(Emitter &e, const Part &part) {
  Type type = inputs.getProblem().outputElements;
  int64_t rowBytes = WarpgroupBlock::kHalf * type.getIntOrFloatBitWidth() / 8;
  Registers zeros(kLaneBytes / 4, i32(e, 0));
  Value isFirst = isEqualI(e, plusI(e, lane, attender), 0);
  Value left = getRowsLeft(e, part);
  for (int64_t i = 0; i < kWarpRows; ++i) {
    Row row;
    row.tileRow = plusI(e, warpRow, i);
    row.exists = isLessI(e, row.tileRow, left);
    row.logarithm = minusInfinity(e);
    Value to = skipLane(e, getResult(e, part, row.tileRow));
    for (int64_t byte = 0; byte < rowBytes; byte += kLaneBytes * kLanes)
      ptx::storeGlobalIf(e, row.exists, to, zeros, byte);
    storeLSE(e, part, row, isFirst);
  }
}
