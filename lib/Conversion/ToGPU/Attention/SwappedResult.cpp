//===- SwappedResult.cpp - what a part comes to, keys on the left ---------===//

#include "SwappedResult.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "PowersOfTwo.h"
#include "SwappedExchange.h"
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
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
/// Columns of a lane that lie together.
static constexpr int64_t kRun = 4;
/// Warps of half a row.
static constexpr int64_t kHalfWarps =
    kHalfColumns / SwappedBlock::kScaleColumns;
static constexpr int64_t kPartialRowBytes = SwappedBlock::kLatent * kF32Bytes;
SwappedResult::SwappedResult(Emitter &e, const SwappedBlock &block,
                             const AttentionInputs &inputs,
                             const SplitPlan &plan, Value warp, Value lane)
    : block(block), inputs(inputs), plan(plan), warp(warp), lane(lane),
      row(ptx::dividedByI(e, lane, kQuad)),
      column(plusI(e, timesI(e, warp, SwappedBlock::kScaleColumns),
                   timesI(e, ptx::moduloI(e, lane, kQuad), kRun))) {}

Registers SwappedResult::loadReferences(Emitter &e, Value message) const {
  ptx::Address all = block.getReferences(e, message);
  Registers references;
  auto load = [&](ptx::Address first, int64_t rowBytes) {
    for (int64_t i = 0; i < kRows; ++i)
      references.push_back(ptx::loadShared(
          e,
          first.advance(e, timesI(e, row, rowBytes)) + i * kRowStep * rowBytes,
          e.getF32Type())[0]);
  };
  load(all, kF32Bytes);
  load(all.advance(e, timesI(e, warp, kF32Bytes)) + SwappedBlock::kFactors,
       SwappedBlock::kScales * kF32Bytes);
  return references;
}

SwappedResult::Rows SwappedResult::divide(Emitter &e, Value message,
                                          Value parts) const {
  block.getSumsFull().wait(e, ptx::moduloI(e, parts, 2));
  Rows rows;
  Value zero = constant(e, 0);
  Registers references = loadReferences(e, message);
  for (int64_t i = 0; i < kRows; ++i) {
    Value here = plusI(e, row, i * kRowStep);
    auto loadRow = [&](ptx::Address array) {
      return ptx::loadShared(e, array.advance(e, timesI(e, here, kF32Bytes)),
                             e.getF32Type())[0];
    };
    Value reference = references[i];
    Value shift = finiteOrZero(e, reference);
    Value total;
    for (int64_t group = 0; group < SwappedBlock::kScoreGroups; ++group) {
      Value relative = ptx::exp2Fast(
          e, subtract(e, loadRow(block.getSumReferences(e, i32(e, group))),
                      shift));
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
    rows.factors[i] = ptx::reciprocalFast(e, references[kRows + i]);
    Value sum =
        add(e, reference,
            add(e, ptx::log2Fast(e, total), constant(e, -kSwappedHeadroom)));
    rows.logarithms[i] = select(e, isEmpty, minusInfinity(e), sum);
  }
  return rows;
}

Value SwappedResult::getNumber(Emitter &e, int64_t row) const {
  return plusI(e, timesI(e, plan.getRowTile(), SwappedBlock::kTileRows),
               plusI(e, this->row, row * kRowStep));
}

void SwappedResult::store(Emitter &e, const Part &part, Value message,
                          ValueRange sums, Value parts) const {
  Rows rows = divide(e, message, parts);
  if (plan.mayCut()) {
    auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
    Emitter whole(e.getLoc(), branch.getThenBodyBuilder());
    storeWhole(whole, part, sums, rows);
    Emitter cut(e.getLoc(), branch.getElseBodyBuilder());
    storePartial(cut, part, sums, rows);
  } else {
    storeWhole(e, part, sums, rows);
  }
  // Magnitudes are read, too.
  block.getSumsFree().arriveByWarp(e, lane);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void SwappedResult::storeColumns(Emitter &e, Value exists, Value address,
                                 ValueRange sums, int64_t row, Value inverse,
                                 Value factor, Type type) const {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Value place = plusI(e, address, ptx::toI64(e, timesI(e, column, bytes)));
  runIf(e, exists, [&](Emitter &e) {
    for (int64_t strip = 0; strip < kStrips; ++strip) {
      Registers values;
      for (int64_t i = 0; i < kRun; ++i) {
        // Product i mod 2, its column 2 t + i / 2.
        int64_t sum = strip * kStripSums + i % 2 * (kStripSums / 2) +
                      row * kThreadRows + i / 2;
        values.push_back(mul(e, mul(e, sums[sum], inverse), factor));
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
                 rows.inverses[i], rows.factors[i], problem.outputElements);
    LatentAttentionOp op = problem.op;
    if (op.getLseInit())
      runIf(e, both(e, isRow, ptx::isEqualI(e, column, 0)), [&](Emitter &e) {
        inputs.storeLSE(
            e, globalRow,
            mul(e, rows.logarithms[i], constant(e, llvm::numbers::ln2)));
      });
  }
}

Registers SwappedResult::findMagnitudes(Emitter &e, ValueRange sums,
                                        const Rows &rows) const {
  constexpr int64_t rowBytes = kWarps * kF32Bytes;
  ptx::Address place =
      block.getMagnitudes().advance(e, timesI(e, row, rowBytes));
  Value isFirst = ptx::isEqualI(e, ptx::moduloI(e, lane, kQuad), 0);
  for (int64_t i = 0; i < kRows; ++i) {
    Value most;
    for (auto [j, sum] : llvm::enumerate(sums))
      if (getThreadRow(j) == i) {
        Value magnitude = math::AbsFOp::create(e, sum);
        most = most ? largest(e, most, magnitude) : magnitude;
      }
    most = mul(e, mul(e, foldRow(e, most, largest), rows.inverses[i]),
               rows.factors[i]);
    runIf(e, isFirst, [&](Emitter &e) {
      ptx::storeShared(e,
                       place.advance(e, timesI(e, warp, kF32Bytes)) +
                           i * kRowStep * rowBytes,
                       most);
    });
  }
  block.getValuesTogether(e).sync(e);
  Value half = ptx::dividedByI(e, warp, kHalfWarps);
  ptx::Address ofHalf =
      place.advance(e, timesI(e, half, kHalfWarps * kF32Bytes));
  Registers all;
  for (int64_t i = 0; i < kRows; ++i) {
    Registers both = ptx::loadShared(e, ofHalf + i * kRowStep * rowBytes,
                                     e.getF32Type(), kHalfWarps);
    all.push_back(largest(e, both[0], both[1]));
  }
  return all;
}

void SwappedResult::storePartial(Emitter &e, const Part &part, ValueRange sums,
                                 const Rows &rows) const {
  Registers magnitudes = findMagnitudes(e, sums, rows);
  Value half = ptx::dividedByI(e, warp, kHalfWarps);
  Value isFirst = ptx::isEqualI(e, ptx::moduloI(e, column, kHalfColumns), 0);
  Value outputs = plan.getPartialOutputs(e, part);
  for (int64_t i = 0; i < kRows; ++i) {
    auto [up, down] = PowerOfTwo::bringNear(e, magnitudes[i]);
    Value tileRow = plusI(e, row, i * kRowStep);
    Value address =
        plusI(e, outputs, ptx::toI64(e, timesI(e, tileRow, kPartialRowBytes)));
    storeColumns(e, Value(), address, sums, i, rows.inverses[i],
                 mul(e, rows.factors[i], up), e.getF16Type());
    runIf(e, isFirst, [&, down = down](Emitter &e) {
      ptx::storeGlobal(e,
                       getScaleAddress(e, address, SwappedBlock::kLatent, half),
                       {down, rows.logarithms[i]});
    });
  }
}

void SwappedResult::storeNothing(Emitter &e, const Part &part) const {
  Rows rows;
  for (int64_t i = 0; i < kRows; ++i) {
    rows.inverses[i] = rows.factors[i] = constant(e, 0);
    rows.logarithms[i] = minusInfinity(e);
  }
  storeWhole(e, part, Registers(kSums, constant(e, 0)), rows);
}
