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
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kQuad = 4;
static constexpr int64_t kF32Bytes = 4;
static constexpr int64_t kStoreBytes = 16;
/// Columns of a lane that lie together, one of each product; a lane has two
/// such runs.
static constexpr int64_t kRun = 8, kRuns = 2;
static constexpr int64_t kPartialRowBytes = NarrowBlock::kLatent * kF32Bytes;

NarrowResult::NarrowResult(Emitter &e, const NarrowBlock &block,
                           const AttentionInputs &inputs, const SplitPlan &plan,
                           Value warp, Value lane)
    : block(block), inputs(inputs), plan(plan),
      row(ptx::dividedByI(e, lane, kQuad)) {
  // Of products' columns 2 quad.
  Value place = timesI(e, ptx::moduloI(e, lane, kQuad), 2);
  column = plusI(e, timesI(e, warp, NarrowBlock::kWarpColumns),
                 NarrowBlock::getColumns(e, place));
  half = ptx::dividedByI(e, column, kHalfColumns);
  isFirst = ptx::isEqualI(e, ptx::moduloI(e, column, kHalfColumns), 0);
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
  storePartial(cut, part, sums, rows);
}

NarrowResult::Rows NarrowResult::divide(Emitter &e, Value message,
                                        ValueRange references) const {
  ptx::Address first = block.getSums(e, message);
  ptx::Address largest = getRowPlace(e, first + NarrowBlock::kLargestOffset);
  ptx::Address totals =
      first.advance(e, timesI(e, row, NarrowBlock::kScoreWarps * kF32Bytes));
  Registers ofWarps[kRows];
  Value most[kRows];
  for (int64_t i = 0; i < kRows; ++i) {
    ofWarps[i] = ptx::loadShared(
        e, totals + i * kRowStep * NarrowBlock::kScoreWarps * kF32Bytes,
        e.getF32Type(), NarrowBlock::kScoreWarps);
    most[i] = ptx::loadShared(e, largest + i * kRowStep * kF32Bytes,
                              e.getF32Type())[0];
  }
  Rows rows;
  Value zero = constant(e, 0);
  for (int64_t i = 0; i < kRows; ++i) {
    ArrayRef<Value> sums = ofWarps[i];
    Value total = add(e, add(e, sums[0], sums[1]), add(e, sums[2], sums[3]));
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
    Value factor = mul(e, ptx::exp2Fast(e, subtract(e, references[i], most[i])),
                       ptx::reciprocalFast(e, total));
    rows.factors[i] = select(e, isEmpty, zero, factor);
    Value sum = add(e, most[i],
                    add(e, ptx::log2Fast(e, total), constant(e, -kHeadroom)));
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
    Value factor =
        keyScale ? mul(e, rows.factors[i], keyScale) : rows.factors[i];
    storeColumns(e, isRow, inputs.getOutput(e, globalRow), sums, i, factor,
                 inputs.getProblem().outputElements);
    if (op.getLseInit())
      runIf(e, both(e, isRow, ptx::isEqualI(e, column, 0)), [&](Emitter &e) {
        inputs.storeLSE(
            e, globalRow,
            mul(e, rows.logarithms[i], constant(e, llvm::numbers::ln2)));
      });
  }
}

/// Codes are 448 at most, and so are their means: 2^kPartBits times them fits
/// in f16, which then has all its bits for means down to 2^-21, far below the
/// smallest code.
static constexpr int64_t kPartBits = 7;

void NarrowResult::storePartial(Emitter &e, const Part &part, ValueRange sums,
                                const Rows &rows) const {
  constexpr int64_t up = 1 << kPartBits;
  Value down = constant(e, 1.0 / up);
  if (keyScale)
    down = mul(e, keyScale, down);
  Value outputs = plan.getPartialOutputs(e, part);
  for (int64_t i = 0; i < kRows; ++i) {
    Value tileRow = plusI(e, row, i * kRowStep);
    Value address =
        plusI(e, outputs, ptx::toI64(e, timesI(e, tileRow, kPartialRowBytes)));
    storeColumns(e, Value(), address, sums, i,
                 mul(e, rows.factors[i], constant(e, up)), e.getF16Type());
    runIf(e, isFirst, [&](Emitter &e) {
      ptx::storeGlobal(e,
                       getScaleAddress(e, address, NarrowBlock::kLatent, half),
                       {down, rows.logarithms[i]});
    });
  }
}

void NarrowResult::storeColumns(Emitter &e, Value exists, Value address,
                                ValueRange sums, int64_t row, Value factor,
                                Type type) const {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value place = plusI(e, address, ptx::toI64(e, timesI(e, column, bytes)));
  Registers stored[kRuns];
  for (int64_t run = 0; run < kRuns; ++run) {
    for (int64_t j = 0; j < kRun; ++j)
      stored[run].push_back(
          mul(e, sums[j * kQuad + row * kThreadRows + run], factor));
    if (!type.isF32())
      stored[run] = packPairs(e, type, stored[run]);
  }
  runIf(e, exists, [&](Emitter &e) {
    for (int64_t run = 0; run < kRuns; ++run) {
      constexpr int64_t registers = kStoreBytes / 4;
      ValueRange all = stored[run];
      for (size_t i = 0; i < all.size(); i += registers)
        ptx::storeGlobal(e, place, all.slice(i, registers),
                         run * NarrowBlock::kNextColumns * bytes + i * 4);
    }
  });
}
