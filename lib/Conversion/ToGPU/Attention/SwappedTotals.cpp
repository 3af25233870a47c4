//===- SwappedTotals.cpp - what a part's sums are multiplied by -----------===//

#include "SwappedTotals.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "PowersOfTwo.h"
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

static constexpr int64_t kF32Bytes = 4;
static constexpr int64_t kRows = SwappedBlock::kTileRows;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kHalves = SwappedTotals::kHalves;
static constexpr int64_t kHalfScales = kScales / kHalves;
/// What undoes what parts are stored times, beyond factors: without it a row is
/// at most kSwappedMostScaled times 448, and f16 reaches 65504.
static constexpr double kUndoes = 0x1p-4;

SwappedTotals::SwappedTotals(Emitter &e, const SwappedBlock &block,
                             const AttentionInputs &inputs,
                             const SplitPlan &plan, Value message, Value warp,
                             Value lane, Value parts)
    : block(block), inputs(inputs), plan(plan),
      totals(block.getTotals(e, warp)), row(ptx::moduloI(e, lane, kRows)),
      isOwner(both(e, ptx::isEqualI(e, warp, 0),
                   ptx::isLessI(e, lane, i32(e, kRows)))) {
  block.getSumsFull().wait(e, ptx::moduloI(e, parts, 2));
  divide(e, message);
  block.getSumsFree().arriveByWarp(e, lane);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// 1 / x of a power of two which is not at the end of f32.
static Value invertPower(Emitter &e, Value power) {
  constexpr int64_t one = 0x3f800000;
  Value bits = arith::BitcastOp::create(e, e.getI32Type(), power);
  return arith::BitcastOp::create(
      e, e.getF32Type(),
      ptx::minusI(e, i32(e, static_cast<int32_t>(2 * one)), bits));
}

/// The row's `count` f32 of an array of as many for each row.
Registers SwappedTotals::loadRow(Emitter &e, ptx::Address array,
                                 int64_t count) const {
  return ptx::loadShared(e, array.advance(e, timesI(e, row, count * kF32Bytes)),
                         e.getF32Type(), count);
}

void SwappedTotals::divide(Emitter &e, Value message) {
  ptx::Address last = block.getReferences(e, message);
  for (Value factor : loadRow(e, last + SwappedBlock::kFactors, kScales))
    scales.push_back(invertPower(e, factor));
  fallen = ptx::loadShared(e, last + SwappedBlock::kFallen, e.getI32Type())[0];

  Registers references, sums;
  Value reference, total;
  for (int64_t i = 0; i < SwappedBlock::kScoreGroups; ++i) {
    Value group = i32(e, i);
    references.push_back(loadRow(e, block.getSumReferences(e, group), 1)[0]);
    sums.push_back(
        foldPairwise(e, loadRow(e, block.getSums(e, group), kWarps), add));
    reference = reference ? largest(e, reference, references.back())
                          : references.back();
  }
  for (auto [sum, before] : llvm::zip_equal(sums, references)) {
    Value moved = mul(e, sum, ptx::exp2Fast(e, subtract(e, before, reference)));
    total = total ? add(e, total, moved) : moved;
  }
  Value zero = constant(e, 0);
  Value isEmpty =
      arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
  inverse = select(e, isEmpty, zero, ptx::reciprocalFast(e, total));
  Value sum =
      add(e, reference,
          add(e, ptx::log2Fast(e, total), constant(e, -kSwappedHeadroom)));
  logarithm = select(e, isEmpty, minusInfinity(e), sum);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void SwappedTotals::storeScales(Emitter &e, ValueRange factors) const {
  ptx::storeShared(e, totals.advance(e, timesI(e, row, kScales * kF32Bytes)),
                   factors);
}

void SwappedTotals::storeFactors(Emitter &e) const {
  // Two: their product might not be a number of f32.
  storeScales(e, scales);
  ptx::storeShared(
      e, totals.advance(e, timesI(e, row, kF32Bytes)) + SwappedBlock::kInverses,
      inverse);
  ptx::syncWarp(e);
}

void SwappedTotals::storeWhole(Emitter &e, const Part &part) const {
  Value number =
      plusI(e, timesI(e, plan.getRowTile(), SwappedBlock::kTileRows), row);
  Value exists = ptx::isLessI(e, number, inputs.getRows(e, part.request));
  LatentAttentionOp op = inputs.getProblem().op;
  if (op.getLseInit())
    runIf(e, both(e, isOwner, exists), [&](Emitter &e) {
      inputs.storeLSE(e, plusI(e, inputs.getFirstRow(e, part.request), number),
                      mul(e, logarithm, constant(e, llvm::numbers::ln2)));
    });
  storeFactors(e);
}

Value SwappedTotals::areUneven(Emitter &e) const {
  SwappedReferences references;
  references.fallen = fallen;
  return ptx::holdsInAnyLane(e, references.areUneven(e));
}

void SwappedTotals::storePartial(Emitter &e, const Part &part) const {
  Registers undone;
  for (int64_t half = 0; half < kHalves; ++half) {
    // A half has the larger one of its scales.
    Value most = foldPairwise(
        e, ValueRange(scales).slice(half * kHalfScales, kHalfScales), largest);
    undone.push_back(mul(e, most, constant(e, kUndoes)));
  }
  storeHalves(e, part, undone);
}

void SwappedTotals::storePartialOfMagnitudes(Emitter &e,
                                             const Part &part) const {
  Registers undone;
  ptx::Address place = block.getMagnitudes().advance(
      e, timesI(e, row, kHalves * kWarps * kF32Bytes));
  for (int64_t half = 0; half < kHalves; ++half) {
    Registers ofWarps = ptx::loadShared(e, place + half * kWarps * kF32Bytes,
                                        e.getF32Type(), kWarps);
    undone.push_back(
        PowerOfTwo::bringNear(e, foldPairwise(e, ofWarps, largest)).inverse);
  }
  storeHalves(e, part, undone);
}

/// `undone`: what each half has to be multiplied by again.
void SwappedTotals::storeHalves(Emitter &e, const Part &part,
                                ValueRange undone) const {
  Registers factors;
  for (int64_t i = 0; i < kScales; ++i) {
    Value scale = mul(e, scales[i], invertPower(e, undone[i / kHalfScales]));
    // Finite, since the sum of a scale so far above its half's results is 0.
    scale = smallest(e, scale, constant(e, 0x1p127));
    factors.push_back(mul(e, inverse, scale));
  }
  storeScales(e, factors);
  Value address = plusI(e, plan.getPartialOutputs(e, part),
                        ptx::toI64(e, timesI(e, row, kPartialRowBytes)));
  runIf(e, isOwner, [&](Emitter &e) {
    for (int64_t half = 0; half < kHalves; ++half)
      ptx::storeGlobal(
          e, getScaleAddress(e, address, SwappedBlock::kLatent, i32(e, half)),
          {undone[half], logarithm});
  });
  ptx::syncWarp(e);
}
