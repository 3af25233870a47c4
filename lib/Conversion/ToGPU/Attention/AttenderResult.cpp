//===- AttenderResult.cpp - what a part comes to --------------------------===//

#include "AttenderResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::Registers;

static Value select(Emitter &e, Value condition, Value a, Value b) {
  return arith::SelectOp::create(e, condition, a, b);
}

void AttenderResult::finish(Emitter &e, const Part &part, AttenderState state) {
  for (Value &sum : state.sums)
    for (int64_t mask : {1, 2})
      sum = add(e, sum, ptx::exchange(e, sum, mask));
  // All products with the queries and with probabilities are done.
  block.getTogether(e).sync(e);
  Value bytes = ptx::timesI(e, attender, WarpgroupBlock::kTileRows * 4);
  runIf(e, ptx::isEqualI(e, quad, 0), [&](Emitter &e) {
    for (int64_t i = 0; i < kRows; ++i)
      ptx::storeShared(e, getRowPlace(e, block.getSums(0).advance(e, bytes), i),
                       state.sums[i]);
  });
  block.getTogether(e).sync(e);
  Value totals[kRows];
  for (int64_t i = 0; i < kRows; ++i) {
    Value parts[WarpgroupBlock::kAttenders];
    for (int64_t j = 0; j < WarpgroupBlock::kAttenders; ++j)
      parts[j] = ptx::loadShared(e, getRowPlace(e, block.getSums(j), i),
                                 e.getF32Type())[0];
    totals[i] = add(e, parts[0], parts[1]);
  }
  ptx::syncWarp(e);
  runIf(e, ptx::isEqualI(e, lane, 0),
        [&](Emitter &e) { block.getQueriesFree().arrive(e); });
  store(e, part, state, totals);
}

void AttenderResult::store(Emitter &e, const Part &part,
                           const AttenderState &state, ArrayRef<Value> totals) {
  Value rows = inputs.getRows(e, part.request);
  Value first = inputs.getFirstRow(e, part.request);
  Value tileRow = ptx::plusI(
      e, ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows), row);
  for (int64_t i = 0; i < kRows; ++i) {
    Value number = ptx::plusI(e, tileRow, i * 8);
    Value zero = constant(e, 0);
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, totals[i], zero);
    Value inverse = select(e, isEmpty, zero,
                           arith::DivFOp::create(e, constant(e, 1), totals[i]));
    if (keyScale)
      inverse = mul(e, inverse, keyScale);
    Value sum = select(e, isEmpty, minusInfinity(e),
                       add(e, state.maxima[i], ptx::log2Fast(e, totals[i])));
    Registers values;
    for (int64_t j = 0; j < kOutputs; ++j)
      if (getRow(j) == i)
        values.push_back(mul(e, state.outputs[j], inverse));
    runIf(e, ptx::isLessI(e, number, rows), [&](Emitter &e) {
      storeRow(e, part, arith::AddIOp::create(e, first, number), i, values,
               sum);
    });
  }
}

void AttenderResult::storeRow(Emitter &e, const Part &part, Value globalRow,
                              int64_t i, ValueRange values, Value sum) {
  Value column = ptx::plusI(e, ptx::timesI(e, attender, WarpgroupBlock::kHalf),
                            ptx::timesI(e, quad, 2));
  Value isFirst = ptx::isEqualI(e, arith::AddIOp::create(e, quad, attender), 0);
  auto storeWhole = [&](Emitter &e) {
    LatentAttentionOp op = inputs.getProblem().op;
    storeValues(e, inputs.getOutput(e, globalRow), column, values,
                inputs.getProblem().outputElements);
    if (op.getLseInit())
      runIf(e, isFirst, [&](Emitter &e) {
        inputs.storeLSE(e, globalRow,
                        mul(e, sum, constant(e, llvm::numbers::ln2)));
      });
  };
  auto storePartial = [&](Emitter &e) {
    Value tileRow = ptx::plusI(e, row, i * 8);
    Value bytes =
        ptx::toI64(e, ptx::timesI(e, tileRow, WarpgroupBlock::kLatent * 4));
    storeValues(
        e, arith::AddIOp::create(e, plan.getPartialOutputs(e, part), bytes),
        column, values, e.getF32Type());
    runIf(e, isFirst, [&](Emitter &e) {
      Value place =
          arith::AddIOp::create(e, plan.getPartialSums(e, part),
                                ptx::toI64(e, ptx::timesI(e, tileRow, 4)));
      ptx::storeGlobal(e, place, sum);
    });
  };
  if (!plan.mayCut())
    return storeWhole(e);
  auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
  Emitter whole(e.getLoc(), branch.getThenBodyBuilder());
  storeWhole(whole);
  Emitter partial(e.getLoc(), branch.getElseBodyBuilder());
  storePartial(partial);
}

void AttenderResult::storeValues(Emitter &e, Value address, Value column,
                                 ValueRange values, Type type) {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value place = arith::AddIOp::create(
      e, address, ptx::toI64(e, ptx::timesI(e, column, bytes)));
  for (unsigned i = 0; i < values.size(); i += 2) {
    Registers pair = {values[i], values[i + 1]};
    if (!type.isF32())
      pair = {ptx::packPair(e, type, values[i], values[i + 1])};
    ptx::storeGlobal(e, place, pair, i / 2 * 8 * bytes);
  }
}
