//===- SwappedSoftmax.cpp - scores, keys on the left, to probabilities ----===//

#include "SwappedSoftmax.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kRows = SwappedScore::kRows;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kScores = SwappedBlock::kScores;
static constexpr int64_t kQuad = 4;
static constexpr int64_t kKeys = SwappedKeys::kKeys;

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

SwappedState SwappedState::create(Emitter &e) {
  return {Registers(kRows, minusInfinity(e)), Registers(kRows, constant(e, 0))};
}

Registers SwappedState::pack() const {
  Registers all(references);
  llvm::append_range(all, sums);
  return all;
}

SwappedState SwappedState::unpack(ValueRange all) {
  return {Registers(all.take_front(kRows)), Registers(all.drop_front(kRows))};
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

SwappedSoftmax::SwappedSoftmax(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, Value group, Value warp,
                               Value lane)
    : block(block), inputs(inputs), plan(plan), warp(warp), lane(lane),
      quad(ptx::moduloI(e, lane, kQuad)),
      exchange(e, block, group, warp, lane) {
  LatentAttentionOp op = inputs.getProblem().op;
  factor = constant(e, op.getSoftmaxScale().convertToDouble() *
                           llvm::numbers::log2e);
}

/// Scores of keys that a query does not see as -inf: those before the last of a
/// request see fewer.
void SwappedSoftmax::hideUnseen(Emitter &e, const Part &part, Value number,
                                const SwappedKeys &keys,
                                Registers &scores) const {
  Value begin = timesI(e, number, SwappedBlock::kBlockKeys);
  Value end = plusI(e, begin, SwappedBlock::kBlockKeys);
  Value firstRow = timesI(e, plan.getRowTile(), SwappedBlock::kTileRows);
  Value isAny = inputs.mayHide(e, part.length, firstRow, end);
  if (!isAny)
    return;
  Registers before = scores;
  auto branch = scf::IfOp::create(
      e, isAny,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        Value threadRow = plusI(e, firstRow, timesI(e, quad, 2));
        Registers visible;
        for (int64_t i = 0; i < kRows; ++i)
          visible.push_back(inputs.getVisibleKeys(
              e, part.length,
              plusI(e, threadRow, SwappedScore::getTileRow(i))));
        Registers hidden;
        for (int64_t i = 0; i < kScores; ++i) {
          Value here =
              plusI(e, begin, keys.getNumber(e, SwappedScore::getKey(i)));
          hidden.push_back(
              select(e, ptx::isLessI(e, here, visible[SwappedScore::getRow(i)]),
                     before[i], minusInfinity(e)));
        }
        scf::YieldOp::create(e, hidden);
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, before);
      });
  scores = Registers(branch.getResults());
}

//===----------------------------------------------------------------------===//
// Probabilities
//===----------------------------------------------------------------------===//

SwappedSoftmax::Probabilities
SwappedSoftmax::makeProbabilities(Emitter &e, ValueRange scores,
                                  ValueRange scales,
                                  const SwappedReferences &references) const {
  Registers shifts;
  for (Value row : references.rows)
    shifts.push_back(
        add(e, finiteOrZero(e, row), constant(e, -kSwappedHeadroom)));
  Probabilities all;
  for (int64_t i = 0; i < kScores; ++i)
    all.values.push_back(ptx::exp2Fast(
        e, subtract(e, scores[i], shifts[SwappedScore::getRow(i)])));
  for (int64_t scale = 0; scale < kScales; ++scale) {
    // Not scale and factor first: their product might be too large for any
    // probability; nor probability and scale, which may be near f32's largest.
    auto get = [&](int64_t i) {
      Value factor =
          references.factors[SwappedScore::getRow(i) * kScales + scale];
      return mul(e, mul(e, all.values[i], factor),
                 scales[SwappedScore::getKey(i) * kScales + scale]);
    };
    for (int64_t i = 0; i < kScores; i += 2)
      all.pairs.push_back(ptx::packPair(e, e.getF16Type(), get(i), get(i + 1)));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void SwappedSoftmax::publish(Emitter &e, const Part &part, Value number,
                             Value count, const Scores &from,
                             SwappedReferences references,
                             const SwappedKeys &keys,
                             SwappedState &state) const {
  Registers scores;
  for (auto [i, score] : llvm::enumerate(from.products))
    scores.push_back(select(e,
                            keys.exists(e, from.exist, SwappedScore::getKey(i)),
                            mul(e, score, factor), minusInfinity(e)));
  hideUnseen(e, part, number, keys, scores);

  Value message = block.getMessage(e, count).slot;
  Probabilities probabilities =
      makeProbabilities(e, scores, from.scales, references);
  auto pack = [](const SwappedReferences &references,
                 const Probabilities &probabilities) {
    Registers all = references.pack();
    llvm::append_range(all, probabilities.values);
    llvm::append_range(all, probabilities.pairs);
    return all;
  };
  auto branch = scf::IfOp::create(
      e, exchange.exceedsAny(e, probabilities.values, probabilities.pairs),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        SwappedReferences raised =
            exchange.raise(e, message, scores, from.scales, references);
        scf::YieldOp::create(
            e, pack(raised, makeProbabilities(e, scores, from.scales, raised)));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, pack(references, probabilities));
      });
  ValueRange results = branch.getResults();
  references =
      SwappedReferences::unpack(results.take_front(kRows * (1 + kScales)));
  // The other group waits for them.
  exchange.storeReferences(e, message, references);

  // Either group may have raised them.
  state.sums = changeReferences(e, state.sums, state.references,
                                references.rows, [](int64_t i) { return i; });
  state.references = references.rows;
  results = results.drop_front(kRows * (1 + kScales));
  for (int64_t i = 0; i < kScores; ++i) {
    Value &sum = state.sums[SwappedScore::getRow(i)];
    sum = add(e, sum, results[i]);
  }
  ValueRange pairs = results.drop_front(kScores);
  constexpr int64_t scalePairs = kScores / 2;
  for (int64_t scale = 0; scale < kScales; ++scale)
    storeProbabilities(e, message, scale,
                       pairs.slice(scale * scalePairs, scalePairs));
  block.getPublished(e, message).arriveByWarp(e, lane);
}

void SwappedSoftmax::storeProbabilities(Emitter &e, Value message,
                                        int64_t scale, ValueRange pairs) const {
  // Matrices of 8 keys and 8 rows, transposed: keys and keys + 8 of rows, then
  // those of rows + 8.
  Value matrix = ptx::dividedByI(e, lane, 8);
  Value row = plusI(e, ptx::moduloI(e, lane, 8),
                    timesI(e, ptx::dividedByI(e, matrix, kKeys), 8));
  Value chunk =
      plusI(e, timesI(e, warp, kKeys), ptx::moduloI(e, matrix, kKeys));
  static_assert(kScores == 8);
  ptx::storeMatrices(
      e,
      block.getProbabilities(e, message).getChunk(e, row, chunk) +
          scale * SwappedBlock::kProbabilityBytes,
      pairs, /*transposed=*/true);
}
