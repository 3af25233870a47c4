//===- NarrowQueries.cpp - a part's queries in registers ------------------===//
//
// A step is what two loads of 16 bytes, one of each row, bring to a lane: the
// operands of two products. Warps take steps in turn.
//
//===----------------------------------------------------------------------===//

#include "NarrowQueries.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Parts.h"
#include "../NVIDIA/Warp.h"
#include "PowersOfTwo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::moduloI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kRows = NarrowQueries::kRows;
static constexpr int64_t kOperand = NarrowQueries::kOperand;
static constexpr int64_t kLanes = 32, kQuad = 4;
static constexpr int64_t kElementBytes = 2;
static constexpr int64_t kLoadBytes = Chip::kAccessBytes;
/// Products of a step, and the columns of the four lanes of a row in it.
static constexpr int64_t kStepProducts = 2;
static constexpr int64_t kStepColumns = kQuad * kLoadBytes / kElementBytes;
static constexpr int64_t kWarps = NarrowBlock::kScoreWarps;
static constexpr int64_t kLatentSteps = NarrowBlock::kLatent / kStepColumns;
static_assert(kLatentSteps % kWarps == 0);

/// Of bf16.
static constexpr int64_t kMantissa = 7, kBias = 127;
/// Bits of 2^15, and of 2^-10.
static constexpr int64_t kMostFit = (kBias + 15) << kMantissa,
                         kLeastFit = (kBias - 10) << kMantissa;

/// Operands in shared memory.
static constexpr int64_t kProductBytes = kLanes * kOperand * 4;

static ptx::Address getPlace(Emitter &e, const NarrowBlock &block, Value lane) {
  return block.getQueries().advance(e, timesI(e, lane, kOperand * 4));
}

namespace {

/// A step's number, of one of the rope columns beyond those of the latent.
struct Step {
  Value number;
  bool isRope;
};

class QueryLoader {
public:
  QueryLoader(Emitter &e, const NarrowBlock &block,
              const AttentionProblem &problem, Value warp, Value lane)
      : block(block), problem(problem), warp(warp), lane(lane),
        quad(moduloI(e, lane, kQuad)) {
    for (int64_t i = 0; i < kLatentSteps / kWarps; ++i)
      steps.push_back({plusI(e, warp, i * kWarps), false});
    // Of two steps: two warps do the same as the others.
    if (problem.rope)
      steps.push_back({moduloI(e, warp, problem.rope / kStepColumns), true});
  }

  Value bring(Emitter &e, const AttentionInputs &inputs, const SplitPlan &plan,
              Value request) const {
    SmallVector<Registers> loaded = load(e, inputs, plan, request);
    Value fit = i32(e, NarrowQueries::kFit);
    if (!problem.elements.isBF16()) {
      for (auto [step, pairs] : llvm::zip_equal(steps, loaded))
        store(e, step, pairs);
      return fit;
    }
    Value one = constant(e, 1), ones[kRows] = {one, one};
    for (auto [step, pairs] : llvm::zip_equal(steps, loaded))
      store(e, step, convert(e, pairs, ones));
    Value all = findMagnitudes(e, loaded), areOutside;
    for (Value magnitude : splitHalves(e, all)) {
      Value isOutside = arith::CmpIOp::create(e, arith::CmpIPredicate::uge,
                                              plusI(e, magnitude, -kLeastFit),
                                              i32(e, kMostFit - kLeastFit));
      areOutside =
          areOutside
              ? arith::OrIOp::create(e, areOutside, isOutside).getResult()
              : isOutside;
    }
    return arith::SelectOp::create(e, areOutside,
                                   i32(e, NarrowQueries::kDoNotFit), fit);
  }

  NarrowQueries create(Emitter &e, const AttentionInputs &inputs,
                       const SplitPlan &plan, Value request,
                       Value brought) const {
    Value doNotFit = block.getTogether(e).syncAndFindAny(
        e, ptx::isEqualI(e, brought, NarrowQueries::kDoNotFit));
    NarrowQueries queries;
    std::fill(std::begin(queries.scales), std::end(queries.scales),
              constant(e, 1));
    if (problem.elements.isBF16()) {
      auto branch = scf::IfOp::create(
          e, doNotFit,
          [&](OpBuilder &builder, Location loc) {
            Emitter e(loc, builder);
            Value factors[kRows], inverse[kRows];
            SmallVector<Registers> loaded = load(e, inputs, plan, request);
            findFactors(e, loaded, factors, inverse);
            for (auto [step, pairs] : llvm::zip_equal(steps, loaded))
              store(e, step, convert(e, pairs, factors));
            block.getTogether(e).sync(e);
            scf::YieldOp::create(e, {inverse[0], inverse[1]});
          },
          [&](OpBuilder &builder, Location loc) {
            scf::YieldOp::create(builder, loc,
                                 {queries.scales[0], queries.scales[1]});
          });
      llvm::copy(branch.getResults(), queries.scales);
    }

    int64_t products =
        (kLatentSteps + problem.rope / kStepColumns) * kStepProducts;
    for (int64_t product = 0; product < products; ++product)
      llvm::append_range(
          queries.operands,
          ptx::loadShared(e, getPlace(e, block, lane) + product * kProductBytes,
                          e.getI32Type(), kOperand));
    return queries;
  }

private:
  /// Of each step the operands of two products: of each row pairs of columns.
  SmallVector<Registers> load(Emitter &e, const AttentionInputs &inputs,
                              const SplitPlan &plan, Value request) const {
    Value rows = inputs.getRows(e, request);
    Value first = inputs.getFirstRow(e, request);
    Value tileRow = timesI(e, plan.getRowTile(), NarrowBlock::kTileRows);
    tileRow = plusI(e, tileRow, dividedByI(e, lane, kQuad));
    Value latent[kRows], rope[kRows];
    for (int64_t i = 0; i < kRows; ++i) {
      Value row = arith::MinSIOp::create(e, plusI(e, tileRow, i * 8),
                                         plusI(e, rows, -1));
      Value globalRow = plusI(e, first, row);
      latent[i] = inputs.getLatentQuery(e, globalRow);
      if (problem.rope)
        rope[i] = inputs.getRopeQuery(e, globalRow);
    }
    constexpr int64_t words = kLoadBytes / 4;
    auto type = VectorType::get(words, e.getI32Type());
    SmallVector<Value> loaded;
    for (const Step &step : steps) {
      Value bytes = ptx::toI64(e, getBytes(e, step.number));
      for (int64_t i = 0; i < kRows; ++i) {
        Value row = step.isRope ? rope[i] : latent[i];
        loaded.push_back(
            ptx::loadAligned(e, plusI(e, row, bytes), type, kLoadBytes));
      }
    }
    SmallVector<Registers> operands(steps.size());
    for (auto [i, ofStep] : llvm::enumerate(operands))
      for (int64_t word = 0; word < words; ++word)
        for (int64_t row = 0; row < kRows; ++row)
          ofStep.push_back(
              vector::ExtractOp::create(e, loaded[i * kRows + row], word));
    return operands;
  }

  /// Of a row, where the lane's columns of a step begin: a step is half of a
  /// chunk of NarrowBlock::kChunk columns, 8 of 16 of a lane.
  Value getBytes(Emitter &e, Value step) const {
    constexpr int64_t chunkBytes = NarrowBlock::kChunk * kElementBytes;
    Value chunk = dividedByI(e, step, 2), half = moduloI(e, step, 2);
    Value bytes = plusI(e, timesI(e, chunk, chunkBytes),
                        timesI(e, quad, chunkBytes / kQuad));
    return plusI(e, bytes, timesI(e, half, kLoadBytes));
  }

  /// Of the lane's operands of a step's first product. It has as many bytes of
  /// a step's products as it loads of rows.
  ptx::Address getStepPlace(Emitter &e, const Step &step) const {
    static_assert(kRows == kStepProducts && kOperand * 4 == kLoadBytes);
    Value number =
        step.isRope ? plusI(e, step.number, kLatentSteps) : step.number;
    return getPlace(e, block, lane)
        .advance(e, timesI(e, number, kStepProducts * kProductBytes));
  }

  /// The lane's largest magnitudes of its two rows, halves of an i32.
  static Value findMagnitudes(Emitter &e, ArrayRef<Registers> steps) {
    Value most[kRows] = {i32(e, 0), i32(e, 0)};
    for (const Registers &step : steps)
      for (auto [i, pair] : llvm::enumerate(step)) {
        Value magnitudes = arith::AndIOp::create(e, pair, i32(e, 0x7fff7fff));
        most[i % kRows] = ptx::largerHalves(e, most[i % kRows], magnitudes);
      }
    // Even and odd columns of a row to one, and the two rows next to each
    // other.
    return ptx::largerHalves(
        e, ptx::selectHalves(e, most[0], most[1], /*high=*/false),
        ptx::selectHalves(e, most[0], most[1], /*high=*/true));
  }

  static std::array<Value, kRows> splitHalves(Emitter &e, Value halves) {
    return {arith::AndIOp::create(e, halves, i32(e, 0xffff)).getResult(),
            arith::ShRUIOp::create(e, halves, i32(e, 16)).getResult()};
  }

  /// Powers of two that rows are multiplied by, and their inverses.
  void findFactors(Emitter &e, ArrayRef<Registers> steps,
                   Value (&factors)[kRows], Value (&inverse)[kRows]) const {
    Value all = findMagnitudes(e, steps);
    for (int64_t mask : {1, 2})
      all = ptx::largerHalves(e, all, ptx::exchange(e, all, mask));
    ptx::Address place = block.getMagnitudes().advance(
        e, timesI(e, dividedByI(e, lane, kQuad), kWarps * 4));
    runIf(e, ptx::isEqualI(e, quad, 0), [&](Emitter &e) {
      ptx::storeShared(e, place.advance(e, timesI(e, warp, 4)), all);
    });
    block.getTogether(e).sync(e);
    Registers ofWarps = ptx::loadShared(e, place, e.getI32Type(), kWarps);
    all = ptx::largerHalves(e, ptx::largerHalves(e, ofWarps[0], ofWarps[1]),
                            ptx::largerHalves(e, ofWarps[2], ofWarps[3]));

    for (auto [i, magnitude] : llvm::enumerate(splitHalves(e, all))) {
      Value exponent = arith::ShRUIOp::create(e, magnitude, i32(e, kMantissa));
      PowerOfTwo factor = PowerOfTwo::bringNear(e, exponent, kBias);
      factors[i] = factor.power;
      inverse[i] = factor.inverse;
    }
  }

  Registers convert(Emitter &e, ValueRange step,
                    const Value (&factors)[kRows]) const {
    Registers converted;
    for (auto [i, pair] : llvm::enumerate(step)) {
      auto [low, high] = ptx::unpackPair(e, problem.elements, pair);
      Value factor = factors[i % kRows];
      converted.push_back(ptx::packPair(e, e.getF16Type(), mul(e, low, factor),
                                        mul(e, high, factor)));
    }
    return converted;
  }

  void store(Emitter &e, const Step &step, const Registers &operands) const {
    ptx::Address place = getStepPlace(e, step);
    for (int64_t i = 0; i < kStepProducts; ++i)
      ptx::storeShared(e, place + i * kProductBytes,
                       ValueRange(operands).slice(i * kOperand, kOperand));
  }

  const NarrowBlock &block;
  const AttentionProblem &problem;
  Value warp, lane, quad;
  SmallVector<Step> steps; ///< Of this warp.
};

} // namespace

Value NarrowQueries::bring(Emitter &e, const NarrowBlock &block,
                           const AttentionInputs &inputs, const SplitPlan &plan,
                           Value request, Value warp, Value lane) {
  return QueryLoader(e, block, inputs.getProblem(), warp, lane)
      .bring(e, inputs, plan, request);
}

NarrowQueries NarrowQueries::create(Emitter &e, const NarrowBlock &block,
                                    const AttentionInputs &inputs,
                                    const SplitPlan &plan, Value request,
                                    Value brought, Value warp, Value lane) {
  return QueryLoader(e, block, inputs.getProblem(), warp, lane)
      .create(e, inputs, plan, request, brought);
}
