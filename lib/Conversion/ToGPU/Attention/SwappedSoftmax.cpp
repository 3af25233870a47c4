//===- SwappedSoftmax.cpp - scores, keys on the left, to probabilities ----===//

#include "SwappedSoftmax.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

/// What scores, and products, may exceed their references by, in powers of two.
static constexpr int64_t kSlack = 13;
static constexpr int64_t kRows = SwappedState::kRows;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kScores = SwappedBlock::kScores;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kQuad = 4, kF32Bytes = 4;
/// Logarithms of factors at least, and at most: neither they nor their inverses
/// are subnormal, nor is a factor's product with a probability infinite.
static constexpr double kLeastFactor = -125, kMostFactor = 112;
/// Probabilities, and their products with scales, which exceed their references
/// by more than kSlack exceed this, a power of two; its bits as f16.
static constexpr int64_t kLimit = kSwappedHeadroom + kSlack;
static constexpr int64_t kLimitF16 = (kLimit + 15) << 10;
static constexpr int64_t kKeys = SwappedKeys::kKeys;

/// The key, of the thread's two, of a register of D.
static int64_t getKey(int64_t i) { return i / 2 % kKeys; }

/// Folds over the lanes that have the same rows.
static Value foldKeys(Emitter &e, Value value, Combine combine) {
  for (int64_t mask : {4, 8, 16})
    value = combine(e, value, ptx::exchange(e, value, mask));
  return value;
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

SwappedReferences SwappedReferences::create(Emitter &e) {
  // Not -inf, which exponents take for 0: small scores would not exceed it.
  return {Registers(kRows, constant(e, std::numeric_limits<float>::lowest())),
          Registers(kRows * kScales, constant(e, 1))};
}

Registers SwappedReferences::pack() const {
  Registers all(rows);
  llvm::append_range(all, factors);
  return all;
}

SwappedReferences SwappedReferences::unpack(ValueRange all) {
  return {Registers(all.take_front(kRows)), Registers(all.drop_front(kRows))};
}

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
    : block(block), inputs(inputs), plan(plan), group(group), warp(warp),
      lane(lane), quad(ptx::moduloI(e, lane, kQuad)),
      isFirstKey(ptx::isLessI(e, lane, i32(e, kQuad))) {
  LatentAttentionOp op = inputs.getProblem().op;
  factor = constant(e, op.getSoftmaxScale().convertToDouble() *
                           llvm::numbers::log2e);
}

/// The place of the thread's first row in an array of rows of `bytes`.
ptx::Address SwappedSoftmax::getRowPlace(Emitter &e, ptx::Address array,
                                         int64_t bytes) const {
  return array.advance(e, timesI(e, quad, 2 * bytes));
}

/// The place of the factors of the thread's row `row` in a message's
/// references.
ptx::Address SwappedSoftmax::getFactorPlace(Emitter &e, ptx::Address all,
                                            int64_t row) const {
  constexpr int64_t bytes = kScales * kF32Bytes;
  return getRowPlace(e, all, bytes) +
         (SwappedBlock::kFactors + SwappedState::getTileRow(row) * bytes);
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
              plusI(e, threadRow, SwappedState::getTileRow(i))));
        Registers hidden;
        for (int64_t i = 0; i < kScores; ++i) {
          Value here = plusI(e, begin, keys.getNumber(e, getKey(i)));
          hidden.push_back(
              select(e, ptx::isLessI(e, here, visible[SwappedState::getRow(i)]),
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
// References
//===----------------------------------------------------------------------===//

/// Those of the block before, once they are known.
SwappedReferences SwappedSoftmax::takeReferences(Emitter &e, const Part &part,
                                                 Value number,
                                                 Value count) const {
  SwappedBlock::Place before = block.getMessageBefore(e, count);
  Value isLater =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, count, i32(e, 0));
  runIf(e, isLater, [&](Emitter &e) {
    block.getDecided(e, before.slot).wait(e, before.round);
  });
  Value isFirst = arith::CmpIOp::create(e, arith::CmpIPredicate::eq, number,
                                        part.firstBlock);
  ptx::Address all = block.getReferences(e, before.slot);
  ptx::Address place = getRowPlace(e, all, kF32Bytes);
  Registers known;
  for (int64_t i = 0; i < kRows; i += 2)
    llvm::append_range(
        known,
        ptx::loadShared(e, place + SwappedState::getTileRow(i) * kF32Bytes,
                        e.getF32Type(), 2));
  for (int64_t i = 0; i < kRows; ++i)
    llvm::append_range(known, ptx::loadShared(e, getFactorPlace(e, all, i),
                                              e.getF32Type(), kScales));
  Registers none = SwappedReferences::create(e).pack();
  for (auto [value, first] : llvm::zip_equal(known, none))
    value = select(e, isFirst, first, value);
  return SwappedReferences::unpack(known);
}

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
        e, subtract(e, scores[i], shifts[SwappedState::getRow(i)])));
  for (int64_t scale = 0; scale < kScales; ++scale) {
    // Not scale and factor first: their product might be too large for any
    // probability; nor probability and scale, which may be near f32's largest.
    auto get = [&](int64_t i) {
      Value factor =
          references.factors[SwappedState::getRow(i) * kScales + scale];
      return mul(e, mul(e, all.values[i], factor),
                 scales[getKey(i) * kScales + scale]);
    };
    for (int64_t i = 0; i < kScores; i += 2)
      all.pairs.push_back(ptx::packPair(e, e.getF16Type(), get(i), get(i + 1)));
  }
  return all;
}

Value SwappedSoftmax::exceedsAny(Emitter &e,
                                 const Probabilities &probabilities) const {
  Value value, pair;
  for (Value here : probabilities.values)
    value = value ? largest(e, value, here) : here;
  for (Value here : probabilities.pairs)
    pair = pair ? ptx::largerMagnitudes(e, e.getF16Type(), pair, here) : here;
  Value exceeds =
      isGreater(e, value, constant(e, static_cast<double>(1 << kLimit)));
  constexpr int64_t magnitude = 0x7fff;
  Value high = arith::ShRUIOp::create(e, pair, i32(e, 16));
  for (Value half : {pair, high}) {
    Value bits = arith::AndIOp::create(e, half, i32(e, magnitude));
    exceeds = arith::OrIOp::create(e, exceeds,
                                   ptx::isLessI(e, i32(e, kLimitF16), bits));
  }
  return block.getGroupTogether(e, group).syncAndFindAny(e, exceeds);
}

/// The largest of the group's warps of what each thread has of its rows, in
/// each thread. The warps tell each other theirs where the message's
/// probabilities come later.
Registers SwappedSoftmax::findLargestOfGroup(Emitter &e, Value message,
                                             ValueRange values) const {
  int64_t kinds = values.size() / kRows;
  int64_t bytes = kWarps * kF32Bytes, rowBytes = kinds * bytes;
  ptx::Address start =
      getRowPlace(e, block.getProbabilities(e, message).start, rowBytes);
  auto getPlace = [&](int64_t i) {
    return start +
           (SwappedState::getTileRow(i / kinds) * rowBytes + i % kinds * bytes);
  };
  Registers most;
  for (Value value : values)
    most.push_back(foldKeys(e, value, largest));
  runIf(e, isFirstKey, [&](Emitter &e) {
    for (auto [i, value] : llvm::enumerate(most))
      ptx::storeShared(e, getPlace(i).advance(e, timesI(e, warp, kF32Bytes)),
                       value);
  });
  block.getGroupTogether(e, group).sync(e);
  for (auto [i, value] : llvm::enumerate(most)) {
    Registers all = ptx::loadShared(e, getPlace(i), e.getF32Type(), kWarps);
    value = largest(e, largest(e, all[0], all[1]), largest(e, all[2], all[3]));
  }
  block.getGroupTogether(e, group).sync(e);
  return most;
}

/// References and factors made anew: of all rows, not only of those that are
/// exceeded, so that it is long until the next one is.
SwappedReferences
SwappedSoftmax::raise(Emitter &e, Value message, ValueRange scores,
                      ValueRange scales,
                      const SwappedReferences &references) const {
  auto raiseTo = [&](Value &value, Value other) {
    value = value ? largest(e, value, other) : other;
  };
  SwappedReferences raised;
  Registers rows(kRows);
  for (int64_t i = 0; i < kScores; ++i)
    raiseTo(rows[SwappedState::getRow(i)], scores[i]);
  rows = findLargestOfGroup(e, message, rows);
  for (int64_t row = 0; row < kRows; ++row)
    raised.rows.push_back(largest(e, rows[row], references.rows[row]));

  // Products, relative to the row's reference: beside a large score a scale's
  // logarithm would be lost.
  Registers logarithms, products(kRows * kScales);
  for (Value scale : scales)
    logarithms.push_back(ptx::log2Fast(e, math::AbsFOp::create(e, scale)));
  for (int64_t i = 0; i < kScores; ++i) {
    int64_t row = SwappedState::getRow(i);
    Value relative = subtract(e, scores[i], raised.rows[row]);
    for (int64_t scale = 0; scale < kScales; ++scale)
      raiseTo(products[row * kScales + scale],
              add(e, relative, logarithms[getKey(i) * kScales + scale]));
  }
  products = findLargestOfGroup(e, message, products);
  for (auto [i, product] : llvm::enumerate(products)) {
    int64_t row = i / kScales;
    Value moved = subtract(e, references.rows[row], raised.rows[row]);
    Value before = subtract(e, moved, ptx::log2Fast(e, references.factors[i]));
    Value exponent = subtract(e, constant(e, 0), largest(e, product, before));
    exponent = arith::MinNumFOp::create(e, exponent, constant(e, kMostFactor));
    exponent = largest(e, exponent, constant(e, kLeastFactor));
    raised.factors.push_back(ptx::exp2Fast(e, exponent));
  }
  return raised;
}

void SwappedSoftmax::storeReferences(
    Emitter &e, Value message, const SwappedReferences &references) const {
  runIf(e, ptx::isEqualI(e, warp, 0), [&](Emitter &e) {
    runIf(e, isFirstKey, [&](Emitter &e) {
      ptx::Address all = block.getReferences(e, message);
      ptx::Address place = getRowPlace(e, all, kF32Bytes);
      for (int64_t i = 0; i < kRows; i += 2)
        ptx::storeShared(e, place + SwappedState::getTileRow(i) * kF32Bytes,
                         {references.rows[i], references.rows[i + 1]});
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(
            e, getFactorPlace(e, all, i),
            ValueRange(references.factors).slice(i * kScales, kScales));
    });
    block.getDecided(e, message).arriveByWarp(e, lane);
  });
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
    scores.push_back(select(e, keys.exists(e, from.exist, getKey(i)),
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
      e, exceedsAny(e, probabilities),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        SwappedReferences raised =
            raise(e, message, scores, from.scales, references);
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
  storeReferences(e, message, references);

  // Either group may have raised them.
  state.sums = changeReferences(e, state.sums, state.references,
                                references.rows, [](int64_t i) { return i; });
  state.references = references.rows;
  results = results.drop_front(kRows * (1 + kScales));
  for (int64_t i = 0; i < kScores; ++i) {
    Value &sum = state.sums[SwappedState::getRow(i)];
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

void SwappedSoftmax::storeSums(Emitter &e, const SwappedState &state,
                               Value parts) const {
  Registers sums = state.sums;
  for (Value &sum : sums)
    sum = foldKeys(e, sum, add);
  // Memory that was never used is free.
  block.getSumsFree().wait(
      e, arith::XOrIOp::create(e, ptx::moduloI(e, parts, 2), i32(e, 1)));
  constexpr int64_t rowBytes = kWarps * kF32Bytes;
  runIf(e, isFirstKey, [&](Emitter &e) {
    ptx::Address place = getRowPlace(e, block.getSums(e, group), rowBytes)
                             .advance(e, timesI(e, warp, kF32Bytes));
    for (int64_t i = 0; i < kRows; ++i)
      ptx::storeShared(e, place + SwappedState::getTileRow(i) * rowBytes,
                       sums[i]);
    runIf(e, ptx::isEqualI(e, warp, 0), [&](Emitter &e) {
      ptx::Address references =
          getRowPlace(e, block.getSumReferences(e, group), kF32Bytes);
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(e,
                         references + SwappedState::getTileRow(i) * kF32Bytes,
                         state.references[i]);
    });
  });
  block.getSumsFull().arriveByWarp(e, lane);
}
