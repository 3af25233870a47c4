//===- SwappedSoftmax.cpp - scores, keys on the left, to probabilities ----===//

#include "SwappedSoftmax.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
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

Registers SwappedSoftmax::relate(Emitter &e, ValueRange products,
                                 ValueRange rows) const {
  Registers shifts, exponents;
  for (Value row : rows)
    shifts.push_back(subtract(e, constant(e, kSwappedHeadroom), row));
  for (int64_t i = 0; i < kScores; ++i)
    exponents.push_back(ptx::fusedMultiplyAdd(e, products[i], factor,
                                              shifts[SwappedScore::getRow(i)]));
  return exponents;
}

Registers SwappedSoftmax::scale(Emitter &e, ValueRange scales,
                                ValueRange factors) {
  Registers scaled;
  for (auto [i, scale] : llvm::enumerate(scales))
    scaled.push_back(mul(e, scale, factors[i % kScales]));
  return scaled;
}

Registers SwappedSoftmax::multiply(Emitter &e, ValueRange probabilities,
                                   ValueRange scaled) {
  Type f16 = e.getF16Type();
  Registers rows, keys, pairs;
  for (int64_t i = 0; i < kScores; i += 2)
    rows.push_back(
        ptx::packPair(e, f16, probabilities[i], probabilities[i + 1]));
  for (Value scale : scaled)
    keys.push_back(ptx::packPair(e, f16, scale, scale));
  for (int64_t scale = 0; scale < kScales; ++scale)
    for (int64_t i = 0; i < kScores; i += 2)
      pairs.push_back(
          ptx::multiplyPairs(e, f16, rows[i / 2],
                             keys[SwappedScore::getKey(i) * kScales + scale]));
  return pairs;
}

Registers SwappedSoftmax::multiplyUneven(Emitter &e, ValueRange probabilities,
                                         ValueRange scales,
                                         ValueRange factors) {
  Registers pairs;
  for (int64_t scale = 0; scale < kScales; ++scale) {
    // Not scale and factor first: their product might be too large for any
    // probability; nor probability and scale, which may be near f32's largest.
    auto get = [&](int64_t i) {
      Value factor = factors[SwappedScore::getRow(i) * kScales + scale];
      return mul(e, mul(e, probabilities[i], factor),
                 scales[SwappedScore::getKey(i) * kScales + scale]);
    };
    for (int64_t i = 0; i < kScores; i += 2)
      pairs.push_back(ptx::packPair(e, e.getF16Type(), get(i), get(i + 1)));
  }
  return pairs;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void SwappedSoftmax::publish(Emitter &e, const Part &part, Value number,
                             Value count, const Scores &from,
                             SwappedReferences references,
                             const SwappedKeys &keys,
                             SwappedState &state) const {
  Registers exponents = relate(e, from.products, references.rows);
  for (auto [i, exponent] : llvm::enumerate(exponents))
    exponent = select(e, keys.exists(e, from.exist, SwappedScore::getKey(i)),
                      exponent, minusInfinity(e));
  hideUnseen(e, part, number, keys, exponents);

  Value message = block.getMessage(e, count).slot;
  Registers scaled = scale(e, from.scales, references.factors);
  auto pack = [](ValueRange exponents, ValueRange scaled,
                 const SwappedReferences &references, Value isChanged) {
    Registers all(exponents);
    llvm::append_range(all, scaled);
    all.push_back(isChanged);
    llvm::append_range(all, references.pack());
    return all;
  };
  auto branch = scf::IfOp::create(
      e, exchange.needsNew(e, exponents, scaled, references),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        Registers hidden, scores;
        for (auto [i, exponent] : llvm::enumerate(exponents)) {
          hidden.push_back(isMinusInfinity(e, exponent));
          scores.push_back(select(e, hidden.back(), minusInfinity(e),
                                  mul(e, from.products[i], factor)));
        }
        SwappedReferences raised =
            exchange.raise(e, message, scores, from.scales, references);
        Registers related = relate(e, from.products, raised.rows);
        for (auto [exponent, isHidden] : llvm::zip_equal(related, hidden))
          exponent = select(e, isHidden, minusInfinity(e), exponent);
        Registers after(raised.rows), before(references.rows);
        llvm::append_range(after, raised.factors);
        llvm::append_range(before, references.factors);
        Value isChanged = both(e, SwappedExchange::isLater(e, part, number),
                               differInAnyLane(e, after, before));
        exchange.storeCorrections(
            e, part, number, message, references.rows,
            SwappedExchange::repeatFactors(references.factors), raised.rows,
            SwappedExchange::repeatFactors(raised.factors));
        scf::YieldOp::create(
            e, pack(related, scale(e, from.scales, raised.factors), raised,
                    arith::ExtUIOp::create(e, e.getI32Type(), isChanged)));
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, pack(exponents, scaled, references, i32(e, 0)));
      });
  ValueRange results = branch.getResults();
  exponents = Registers(results.take_front(kScores));
  results = results.drop_front(kScores);
  scaled = Registers(results.take_front(from.scales.size()));
  results = results.drop_front(from.scales.size());
  Value isChanged = results.front();
  references = SwappedReferences::unpack(results.drop_front());
  // The other group waits for them. All lanes have the same, which the
  // assembler does not know.
  Value isUneven = ptx::holdsInAnyLane(e, references.areUneven(e));
  Value isEven =
      arith::XOrIOp::create(e, isUneven, arith::ConstantIntOp::create(e, 1, 1));
  exchange.storeReferences(e, isEven, message, references,
                           SwappedExchange::repeatFactors(references.factors),
                           isChanged);

  // Either group may have raised them.
  state.sums = changeReferences(e, state.sums, state.references,
                                references.rows, [](int64_t i) { return i; });
  state.references = references.rows;
  Registers probabilities;
  for (auto [i, exponent] : llvm::enumerate(exponents)) {
    probabilities.push_back(ptx::exp2Fast(e, exponent));
    Value &sum = state.sums[SwappedScore::getRow(i)];
    sum = add(e, sum, probabilities.back());
  }
  auto store = scf::IfOp::create(e, isEven, /*withElse=*/true);
  Emitter even(e.getLoc(), store.getThenBodyBuilder());
  storeAll(even, message, multiply(even, probabilities, scaled));
  Emitter uneven(e.getLoc(), store.getElseBodyBuilder());
  Registers factors = exchange.makeOwnFactors(
      uneven, part, number, count, exponents, from.scales, references.rows);
  // Rows' own factors may differ where all others do not.
  Value isLater = arith::ExtUIOp::create(
      uneven, e.getI32Type(), SwappedExchange::isLater(uneven, part, number));
  exchange.storeReferences(uneven, Value(), message, references, factors,
                           isLater);
  storeAll(uneven, message,
           multiplyUneven(uneven, probabilities, from.scales, factors));
  ptx::fenceMatrixUnits(e);
  block.getPublished(e, message).arriveByWarp(e, lane);
}

void SwappedSoftmax::storeAll(Emitter &e, Value message,
                              ValueRange pairs) const {
  constexpr int64_t scalePairs = kScores / 2;
  for (int64_t scale = 0; scale < kScales; ++scale)
    storeProbabilities(e, message, scale,
                       pairs.slice(scale * scalePairs, scalePairs));
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
          scale * block.getProbabilityBytes(),
      pairs, /*transposed=*/true);
}
