//===- SwappedExchange.cpp - what warps of scores tell each other ---------===//

#include "SwappedExchange.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::Registers;
using ptx::timesI;

/// What scores, and products, may exceed their references by, in powers of two.
static constexpr int64_t kSlack = 13;
static constexpr int64_t kRows = SwappedScore::kRows;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kScores = SwappedBlock::kScores;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kQuad = 4, kF32Bytes = 4;
/// Probabilities, and their products with scales, which exceed their references
/// by more than kSlack exceed this, a power of two; its bits as f16, which has
/// numbers beyond it: else only NaN would exceed.
static constexpr int64_t kLimit = kSwappedHeadroom + kSlack;
static constexpr int64_t kBiasF16 = 15, kMantissaF16 = 10,
                         kMagnitudeF16 = 0x7fff;
static constexpr int64_t kLimitF16 = (kLimit + kBiasF16) << kMantissaF16;
static_assert(kLimit <= kBiasF16);
/// Logarithms of factors at least, and at most: neither they nor their inverses
/// are subnormal, which ex2 makes 0 of at 2^-126 already if it is off by a bit,
/// nor is a factor's product with a probability infinite.
static constexpr double kLeastFactor = -125, kMostFactor = 127 - kLimit;

/// Folds over the lanes that have the same rows.
static Value foldKeys(Emitter &e, Value value, Combine combine) {
  for (int64_t mask : {4, 8, 16})
    value = combine(e, value, ptx::exchange(e, value, mask));
  return value;
}

//===----------------------------------------------------------------------===//
// References
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

SwappedExchange::SwappedExchange(Emitter &e, const SwappedBlock &block,
                                 Value group, Value warp, Value lane)
    : block(block), group(group), warp(warp), lane(lane),
      quad(ptx::moduloI(e, lane, kQuad)),
      isFirstKey(ptx::isLessI(e, lane, i32(e, kQuad))) {}

/// The place of the thread's first row in an array of rows of `bytes`.
ptx::Address SwappedExchange::getRowPlace(Emitter &e, ptx::Address array,
                                          int64_t bytes) const {
  return array.advance(e, timesI(e, quad, 2 * bytes));
}

/// The place of the factors of the thread's row `row` in a message's
/// references.
ptx::Address SwappedExchange::getFactorPlace(Emitter &e, ptx::Address all,
                                             int64_t row) const {
  constexpr int64_t bytes = kScales * kF32Bytes;
  return getRowPlace(e, all, bytes) +
         (SwappedBlock::kFactors + SwappedScore::getTileRow(row) * bytes);
}

/// Those of the block before, once they are known.
SwappedReferences SwappedExchange::takeReferences(Emitter &e, const Part &part,
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
        ptx::loadShared(e, place + SwappedScore::getTileRow(i) * kF32Bytes,
                        e.getF32Type(), 2));
  for (int64_t i = 0; i < kRows; ++i)
    llvm::append_range(known, ptx::loadShared(e, getFactorPlace(e, all, i),
                                              e.getF32Type(), kScales));
  Registers none = SwappedReferences::create(e).pack();
  for (auto [value, first] : llvm::zip_equal(known, none))
    value = select(e, isFirst, first, value);
  return SwappedReferences::unpack(known);
}

Value SwappedExchange::exceedsAny(Emitter &e, ValueRange probabilities,
                                  ValueRange pairs) const {
  Value value, pair;
  for (Value here : probabilities)
    value = value ? largest(e, value, here) : here;
  for (Value here : pairs)
    pair = pair ? ptx::largerMagnitudes(e, e.getF16Type(), pair, here) : here;
  Value exceeds =
      isGreater(e, value, constant(e, static_cast<double>(1 << kLimit)));
  Value high = arith::ShRUIOp::create(e, pair, i32(e, 16));
  for (Value half : {pair, high}) {
    Value bits = arith::AndIOp::create(e, half, i32(e, kMagnitudeF16));
    exceeds = arith::OrIOp::create(e, exceeds,
                                   ptx::isLessI(e, i32(e, kLimitF16), bits));
  }
  return block.getGroupTogether(e, group).syncAndFindAny(e, exceeds);
}

/// The largest of the group's warps of what each thread has of its rows, in
/// each thread. The warps tell each other theirs where the message's
/// probabilities come later.
Registers SwappedExchange::findLargestOfGroup(Emitter &e, Value message,
                                              ValueRange values) const {
  int64_t kinds = values.size() / kRows;
  int64_t bytes = kWarps * kF32Bytes, rowBytes = kinds * bytes;
  ptx::Address start =
      getRowPlace(e, block.getProbabilities(e, message).start, rowBytes);
  auto getPlace = [&](int64_t i) {
    return start +
           (SwappedScore::getTileRow(i / kinds) * rowBytes + i % kinds * bytes);
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
  // What is written there next must not meet the others' reads.
  block.getGroupTogether(e, group).sync(e);
  return most;
}

/// References and factors made anew: of all rows, not only of those that are
/// exceeded, so that it is long until the next one is.
SwappedReferences
SwappedExchange::raise(Emitter &e, Value message, ValueRange scores,
                       ValueRange scales,
                       const SwappedReferences &references) const {
  auto raiseTo = [&](Value &value, Value other) {
    value = value ? largest(e, value, other) : other;
  };
  SwappedReferences raised;
  Registers rows(kRows);
  for (int64_t i = 0; i < kScores; ++i)
    raiseTo(rows[SwappedScore::getRow(i)], scores[i]);
  rows = findLargestOfGroup(e, message, rows);
  for (int64_t row = 0; row < kRows; ++row)
    raised.rows.push_back(largest(e, rows[row], references.rows[row]));

  // Products, relative to the row's reference: beside a large score a scale's
  // logarithm would be lost.
  Registers logarithms, products(kRows * kScales);
  for (Value scale : scales)
    logarithms.push_back(ptx::log2Fast(e, math::AbsFOp::create(e, scale)));
  for (int64_t i = 0; i < kScores; ++i) {
    int64_t row = SwappedScore::getRow(i);
    Value relative = subtract(e, scores[i], raised.rows[row]);
    for (int64_t scale = 0; scale < kScales; ++scale)
      raiseTo(products[row * kScales + scale],
              add(e, relative,
                  logarithms[SwappedScore::getKey(i) * kScales + scale]));
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

void SwappedExchange::storeReferences(
    Emitter &e, Value message, const SwappedReferences &references) const {
  runIf(e, ptx::isEqualI(e, warp, 0), [&](Emitter &e) {
    runIf(e, isFirstKey, [&](Emitter &e) {
      ptx::Address all = block.getReferences(e, message);
      ptx::Address place = getRowPlace(e, all, kF32Bytes);
      for (int64_t i = 0; i < kRows; i += 2)
        ptx::storeShared(e, place + SwappedScore::getTileRow(i) * kF32Bytes,
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
// Sums
//===----------------------------------------------------------------------===//

void SwappedExchange::storeSums(Emitter &e, ValueRange ofThread,
                                ValueRange references, Value parts) const {
  Registers sums(ofThread);
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
      ptx::storeShared(e, place + SwappedScore::getTileRow(i) * rowBytes,
                       sums[i]);
    runIf(e, ptx::isEqualI(e, warp, 0), [&](Emitter &e) {
      ptx::Address place =
          getRowPlace(e, block.getSumReferences(e, group), kF32Bytes);
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(e, place + SwappedScore::getTileRow(i) * kF32Bytes,
                         references[i]);
    });
  });
  block.getSumsFull().arriveByWarp(e, lane);
}
