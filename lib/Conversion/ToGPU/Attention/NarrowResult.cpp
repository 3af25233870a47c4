//===- NarrowResult.cpp - what a part of few rows comes to ----------------===//

#include "NarrowResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
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

static constexpr int64_t kQuad = 4;
static constexpr int64_t kF32Bytes = 4;
/// Registers of one store, and columns of a lane: two of each product, which are
/// neighbours of those of the other products.
static constexpr int64_t kStoreRegisters = 4;
static constexpr int64_t kColumns = 16;

static Value select(Emitter &e, Value condition, Value a, Value b) {
  return arith::SelectOp::create(e, condition, a, b);
}

Value kernel::finiteOrZero(Emitter &e, Value value) {
  return select(e, isMinusInfinity(e, value), constant(e, 0), value);
}

NarrowResult::NarrowResult(Emitter &e, const NarrowBlock &block,
                           const AttentionInputs &inputs, const SplitPlan &plan,
                           Value warp, Value lane)
    : block(block), inputs(inputs), plan(plan),
      row(ptx::dividedByI(e, lane, kQuad)),
      column(plusI(e, timesI(e, warp, NarrowBlock::kWarpColumns),
                   timesI(e, ptx::moduloI(e, lane, kQuad), kColumns))),
      isFirst(ptx::isEqualI(e, column, 0)) {
  LatentAttentionOp op = inputs.getProblem().op;
  if (op.getKScale())
    keyScale = inputs.loadKScale(e);
}

void NarrowResult::announce(Emitter &e, const Part &part) const {
  plan.storePart(e, part);
}

void NarrowResult::store(Emitter &e, const Part &part, Value message,
                         ValueRange references, ValueRange sums) const {
  ptx::Address totals = block.getSums(e, message);
  ptx::Address largest =
      getRowPlace(e, totals + NarrowBlock::kLargestOffset);
  totals = totals.advance(e, timesI(e, row, NarrowBlock::kScoreWarps * 4));
  for (int64_t i = 0; i < kRows; ++i) {
    Registers ofWarps = ptx::loadShared(
        e, totals + i * kRowStep * NarrowBlock::kScoreWarps * kF32Bytes,
        e.getF32Type(), NarrowBlock::kScoreWarps);
    Value total = add(e, add(e, ofWarps[0], ofWarps[1]),
                      add(e, ofWarps[2], ofWarps[3]));
    Value most = ptx::loadShared(e, largest + i * kRowStep * kF32Bytes,
                                 e.getF32Type())[0];
    Value zero = constant(e, 0);
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
    // Probabilities have a reference of their own where keys have scales.
    Value factor = ptx::exp2Fast(
        e, arith::SubFOp::create(e, finiteOrZero(e, references[i]), most));
    factor = select(e, isEmpty, zero,
                    arith::DivFOp::create(e, factor, total));
    if (keyScale)
      factor = mul(e, factor, keyScale);
    Value sum = add(e, most, add(e, ptx::log2Fast(e, total),
                                 constant(e, -kHeadroom)));
    sum = select(e, isEmpty, minusInfinity(e), sum);
    Registers values;
    for (int64_t half = 0; half < 2; ++half)
      for (int64_t j = 2 * i + half; j < kSums; j += 4)
        values.push_back(mul(e, sums[j], factor));
    Value tileRow = plusI(e, row, i * kRowStep);
    Value number = plusI(
        e, timesI(e, plan.getRowTile(), NarrowBlock::kTileRows), tileRow);
    runIf(e, ptx::isLessI(e, number, inputs.getRows(e, part.request)),
          [&](Emitter &e) { storeRow(e, part, tileRow, values, sum); });
  }
}

void NarrowResult::storeRow(Emitter &e, const Part &part, Value tileRow,
                            ValueRange values, Value sum) const {
  auto storeWhole = [&](Emitter &e) {
    LatentAttentionOp op = inputs.getProblem().op;
    Value number = plusI(
        e, timesI(e, plan.getRowTile(), NarrowBlock::kTileRows), tileRow);
    Value globalRow = plusI(e, inputs.getFirstRow(e, part.request), number);
    storeValues(e, inputs.getOutput(e, globalRow), values,
                inputs.getProblem().outputElements);
    if (op.getLseInit())
      runIf(e, isFirst, [&](Emitter &e) {
        inputs.storeLSE(e, globalRow,
                        mul(e, sum, constant(e, llvm::numbers::ln2)));
      });
  };
  auto storePartial = [&](Emitter &e) {
    Value bytes =
        ptx::toI64(e, timesI(e, tileRow, NarrowBlock::kLatent * kF32Bytes));
    storeValues(e, plusI(e, plan.getPartialOutputs(e, part), bytes), values,
                e.getF32Type());
    runIf(e, isFirst, [&](Emitter &e) {
      ptx::storeGlobal(e,
                       plusI(e, plan.getPartialSums(e, part),
                             ptx::toI64(e, timesI(e, tileRow, kF32Bytes))),
                       sum);
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

void NarrowResult::storeValues(Emitter &e, Value address, ValueRange values,
                               Type type) const {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value place = plusI(e, address, ptx::toI64(e, timesI(e, column, bytes)));
  Registers words(values);
  if (!type.isF32()) {
    words.clear();
    for (int64_t i = 0; i < kColumns; i += 2)
      words.push_back(ptx::packPair(e, type, values[i], values[i + 1]));
  }
  for (size_t i = 0; i < words.size(); i += kStoreRegisters)
    ptx::storeGlobal(e, place, ValueRange(words).slice(i, kStoreRegisters),
                     i * kF32Bytes);
}
