//===- SwappedRaise.cpp - what warps of scores agree on anew --------------===//

#include "../NVIDIA/Warp.h"
#include "SwappedExchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kRows = SwappedScore::kRows;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kF32Bytes = 4;
/// Of f32.
static constexpr int64_t kMantissa = 23, kBias = 127;

//===----------------------------------------------------------------------===//
// Of all rows
//===----------------------------------------------------------------------===//

void SwappedExchange::tellRows(Emitter &e, ptx::Address to,
                               ValueRange values) const {
  int64_t kinds = values.size() / kRows;
  constexpr int64_t bytes = kWarps * kF32Bytes;
  ptx::Address place =
      getRowPlace(e, to, kinds * bytes).advance(e, timesI(e, warp, kF32Bytes));
  Registers most;
  for (Value value : values)
    most.push_back(foldKeys(e, value, largest));
  runIf(e, isFirstKey, [&](Emitter &e) {
    for (auto [i, value] : llvm::enumerate(most))
      ptx::storeShared(
          e,
          place +
              (SwappedScore::getTileRow(i / kinds) * kinds + i % kinds) * bytes,
          value);
  });
}

/// The largest, or smallest, of what each of the group's warps has said.
static Value readOfWarps(Emitter &e, ptx::Address from, Combine combine) {
  return foldPairwise(e, ptx::loadShared(e, from, e.getF32Type(), kWarps),
                      combine);
}

Registers SwappedExchange::readRows(Emitter &e, ptx::Address from,
                                    int64_t count) const {
  int64_t kinds = count / kRows;
  constexpr int64_t bytes = kWarps * kF32Bytes;
  ptx::Address place = getRowPlace(e, from, kinds * bytes);
  Registers most;
  for (int64_t i = 0; i < count; ++i)
    most.push_back(readOfWarps(
        e,
        place +
            (SwappedScore::getTileRow(i / kinds) * kinds + i % kinds) * bytes,
        largest));
  return most;
}

void SwappedExchange::tellRange(Emitter &e, ptx::Address to,
                                ValueRange scales) const {
  // The lanes of a quad have the same keys: each has one scale of them.
  Value most, least,
      infinite = constant(e, std::numeric_limits<float>::infinity());
  for (int64_t scale = 0; scale < kScales; ++scale) {
    Value mostHere, leastHere;
    for (int64_t key = 0; key < SwappedKeys::kKeys; ++key) {
      Value own = math::AbsFOp::create(e, scales[key * kScales + scale]);
      Value isZero = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, own,
                                           constant(e, 0));
      Value some = select(e, isZero, infinite, own);
      mostHere = key ? largest(e, mostHere, own) : own;
      leastHere = key ? smallest(e, leastHere, some) : some;
    }
    Value isOwn = ptx::isEqualI(e, quad, scale);
    most = scale ? select(e, isOwn, mostHere, most) : mostHere;
    least = scale ? select(e, isOwn, leastHere, least) : leastHere;
  }
  most = foldKeys(e, most, largest);
  least = foldKeys(e, least, smallest);
  constexpr int64_t bytes = kWarps * kF32Bytes;
  runIf(e, isFirstKey, [&](Emitter &e) {
    ptx::Address place = to.advance(e, timesI(e, quad, bytes))
                             .advance(e, timesI(e, warp, kF32Bytes));
    ptx::storeShared(e, place, most);
    ptx::storeShared(e, place + kScales * bytes, least);
  });
}

SwappedExchange::Range SwappedExchange::readRange(Emitter &e,
                                                  ptx::Address from) {
  constexpr int64_t bytes = kWarps * kF32Bytes;
  Range range;
  for (int64_t i = 0; i < kScales; ++i) {
    range.most.push_back(readOfWarps(e, from + i * bytes, largest));
    range.least.push_back(
        readOfWarps(e, from + (kScales + i) * bytes, smallest));
  }
  return range;
}

/// The power of two that makes a magnitude 1 to 2, where there is one.
static Value makeFactor(Emitter &e, Value magnitude) {
  Value bits = arith::BitcastOp::create(e, e.getI32Type(), magnitude);
  Value exponent = arith::ShRUIOp::create(e, bits, i32(e, kMantissa));
  Value inverse = ptx::minusI(e, i32(e, 2 * kBias), exponent);
  inverse = ptx::minI(e, inverse, i32(e, kBias + kSwappedMostFactor));
  inverse = ptx::maxI(e, inverse, i32(e, kBias + kSwappedLeastFactor));
  return arith::BitcastOp::create(
      e, e.getF32Type(),
      arith::ShLIOp::create(e, inverse, i32(e, kMantissa)).getResult());
}

/// Powers of two from `before` down to `now`; 0 if there was none before.
static Value getDrop(Emitter &e, Value before, Value now) {
  auto getBits = [&](Value power) -> Value {
    return arith::BitcastOp::create(e, e.getI32Type(), power);
  };
  Value isAny =
      isGreater(e, constant(e, std::exp2(kSwappedMostFactor)), before);
  Value drop = arith::ShRUIOp::create(
      e, ptx::minusI(e, getBits(before), getBits(now)), i32(e, kMantissa));
  return arith::SelectOp::create(e, isAny, drop, i32(e, 0));
}

/// Of all rows, not only of those that are exceeded, so that it is long until
/// the next one is.
SwappedReferences
SwappedExchange::raise(Emitter &e, Value message, ValueRange scores,
                       ValueRange scales,
                       const SwappedReferences &references) const {
  Registers rows(kRows);
  for (auto [i, score] : llvm::enumerate(scores)) {
    Value &row = rows[SwappedScore::getRow(i)];
    row = row ? largest(e, row, score) : score;
  }
  ptx::Address ofRows = block.getProbabilities(e, message).start;
  ptx::Address ofScales = ofRows + SwappedBlock::kTileRows * kWarps * kF32Bytes;
  tellRows(e, ofRows, rows);
  tellRange(e, ofScales, scales);
  block.getGroupTogether(e, group).sync(e);
  SwappedReferences raised;
  for (auto [most, before] :
       llvm::zip_equal(readRows(e, ofRows, kRows), references.rows))
    raised.rows.push_back(largest(e, most, before));
  Range range = readRange(e, ofScales);
  // What is written there next must not meet the others' reads.
  block.getGroupTogether(e, group).sync(e);

  Value drop = i32(e, 0), areOutside;
  for (int64_t i = 0; i < kScales; ++i) {
    Value before = references.factors[i];
    Value factor = smallest(e, makeFactor(e, range.most[i]), before);
    raised.factors.push_back(factor);
    drop = ptx::maxI(e, drop, getDrop(e, before, factor));
    Value conditions[] = {isGreater(e, mul(e, range.most[i], factor),
                                    constant(e, kSwappedMostScaled)),
                          isGreater(e, constant(e, kSwappedLeastScaled),
                                    mul(e, range.least[i], factor))};
    for (Value isOutside : conditions)
      areOutside =
          areOutside
              ? arith::OrIOp::create(e, areOutside, isOutside).getResult()
              : isOutside;
  }
  raised.fallen =
      plusI(e, plusI(e, references.fallen, drop),
            arith::SelectOp::create(e, areOutside,
                                    i32(e, kSwappedMostFallen + 1), i32(e, 0))
                .getResult());
  return raised;
}

//===----------------------------------------------------------------------===//
// Uneven scales
//===----------------------------------------------------------------------===//

Registers SwappedExchange::repeatFactors(ValueRange factors) {
  Registers all;
  for (int64_t row = 0; row < kRows; ++row)
    llvm::append_range(all, factors);
  return all;
}

Registers SwappedExchange::makeOwnFactors(Emitter &e, const Part &part,
                                          Value number, Value count,
                                          ValueRange exponents,
                                          ValueRange scales,
                                          ValueRange rows) const {
  // Products are relative to the row's reference: beside a large score a
  // scale's logarithm would be lost.
  Registers logarithms, products(kRows * kScales);
  for (Value scale : scales)
    logarithms.push_back(ptx::log2Fast(e, math::AbsFOp::create(e, scale)));
  for (auto [i, exponent] : llvm::enumerate(exponents)) {
    Value relative = add(e, exponent, constant(e, -kSwappedHeadroom));
    for (int64_t scale = 0; scale < kScales; ++scale) {
      Value here = add(e, relative,
                       logarithms[SwappedScore::getKey(i) * kScales + scale]);
      Value &most = products[SwappedScore::getRow(i) * kScales + scale];
      most = most ? largest(e, most, here) : here;
    }
  }
  Value message = block.getMessage(e, count).slot;
  ptx::Address place = block.getProbabilities(e, message).start;
  tellRows(e, place, products);
  // Read ahead of a barrier: behind the last one the other group may write
  // there.
  Value before = block.getMessageBefore(e, count).slot;
  Registers rowsBefore = loadRows(e, before), factorsBefore, factors;
  for (int64_t row = 0; row < kRows; ++row)
    llvm::append_range(factorsBefore, loadFactors(e, before, row));
  block.getGroupTogether(e, group).sync(e);
  products = readRows(e, place, kRows * kScales);
  block.getGroupTogether(e, group).sync(e);

  Value isFirst = this->isFirst(e, part, number);
  Value none = constant(e, std::numeric_limits<float>::lowest());
  for (auto [i, factor] : llvm::enumerate(factorsBefore)) {
    Value known =
        subtract(e, subtract(e, rowsBefore[i / kScales], rows[i / kScales]),
                 ptx::log2Fast(e, factor));
    Value most = largest(e, products[i], select(e, isFirst, none, known));
    Value exponent =
        math::FloorOp::create(e, subtract(e, constant(e, 0), most));
    exponent = smallest(e, exponent, constant(e, kSwappedMostFactor));
    exponent = largest(e, exponent, constant(e, kSwappedLeastFactor));
    factors.push_back(ptx::exp2Fast(e, exponent));
  }
  storeCorrections(e, part, number, message, rowsBefore, factorsBefore, rows,
                   factors);
  return factors;
}
