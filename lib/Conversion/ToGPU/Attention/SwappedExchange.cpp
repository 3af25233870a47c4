//===- SwappedExchange.cpp - what warps of scores tell each other ---------===//

#include "SwappedExchange.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kRows = SwappedScore::kRows;
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kQuad = 4, kF32Bytes = 4;

Value SwappedExchange::isFirst(Emitter &e, const Part &part, Value number) {
  return arith::CmpIOp::create(e, arith::CmpIPredicate::eq, number,
                               part.firstBlock);
}

Value SwappedExchange::isLater(Emitter &e, const Part &part, Value number) {
  return arith::CmpIOp::create(e, arith::CmpIPredicate::ne, number,
                               part.firstBlock);
}

Value SwappedExchange::foldKeys(Emitter &e, Value value, Combine combine) {
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
          Registers(kScales, constant(e, std::exp2(kSwappedMostFactor))),
          i32(e, 0)};
}

Registers SwappedReferences::pack() const {
  Registers all(rows);
  llvm::append_range(all, factors);
  all.push_back(fallen);
  return all;
}

Value SwappedReferences::areUneven(Emitter &e) const {
  return ptx::isLessI(e, i32(e, kSwappedMostFallen), fallen);
}

SwappedReferences SwappedReferences::unpack(ValueRange all) {
  return {Registers(all.take_front(kRows)),
          Registers(all.drop_front(kRows).take_front(kScales)), all.back()};
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

ptx::Address SwappedExchange::getScalesPlace(Emitter &e, ptx::Address array,
                                             int64_t row) const {
  constexpr int64_t bytes = kScales * kF32Bytes;
  return getRowPlace(e, array, bytes) + SwappedScore::getTileRow(row) * bytes;
}

Registers SwappedExchange::loadRows(Emitter &e, Value message) const {
  ptx::Address place =
      getRowPlace(e, block.getReferences(e, message), kF32Bytes);
  Registers rows;
  for (int64_t i = 0; i < kRows; i += 2)
    llvm::append_range(
        rows,
        ptx::loadShared(e, place + SwappedScore::getTileRow(i) * kF32Bytes,
                        e.getF32Type(), 2));
  return rows;
}

Registers SwappedExchange::loadFactors(Emitter &e, Value message,
                                       int64_t row) const {
  ptx::Address all = block.getReferences(e, message) + SwappedBlock::kFactors;
  return ptx::loadShared(e, getScalesPlace(e, all, row), e.getF32Type(),
                         kScales);
}

/// Those of the block before, once they are known.
SwappedReferences SwappedExchange::takeReferences(Emitter &e, const Part &part,
                                                  Value number,
                                                  Value count) const {
  SwappedBlock::Place before = block.getMessageBefore(e, count);
  Value hasBefore =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, count, i32(e, 0));
  runIf(e, hasBefore, [&](Emitter &e) {
    block.getDecided(e, before.slot).wait(e, before.round);
  });
  SwappedReferences known;
  known.rows = loadRows(e, before.slot);
  known.factors = loadFactors(e, before.slot, 0);
  known.fallen = ptx::loadShared(
      e, block.getReferences(e, before.slot) + SwappedBlock::kFallen,
      e.getI32Type())[0];
  Registers none = SwappedReferences::create(e).pack(), chosen;
  Value isFirst = this->isFirst(e, part, number);
  for (auto [value, first] : llvm::zip_equal(known.pack(), none))
    chosen.push_back(arith::SelectOp::create(e, isFirst, first, value));
  return SwappedReferences::unpack(chosen);
}

Value SwappedExchange::needsNew(Emitter &e, ValueRange exponents,
                                ValueRange scaled,
                                const SwappedReferences &references) const {
  Registers magnitudes;
  for (Value scale : scaled)
    magnitudes.push_back(math::AbsFOp::create(e, scale));
  constexpr double limit = kSwappedHeadroom + kSwappedSlack;
  Value conditions[] = {
      isGreater(e, foldPairwise(e, exponents, largest), constant(e, limit)),
      isGreater(e, foldPairwise(e, magnitudes, largest),
                constant(e, kSwappedMostScaled)),
      isGreater(e, constant(e, kSwappedLeastScaled),
                foldPairwise(e, magnitudes, smallest)),
      references.areUneven(e)};
  Value any;
  for (Value condition : conditions)
    any = any ? arith::OrIOp::create(e, any, condition).getResult() : condition;
  return block.getGroupTogether(e, group).syncAndFindAny(e, any);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void SwappedExchange::storeCorrections(Emitter &e, const Part &part,
                                       Value number, Value message,
                                       ValueRange rowsBefore,
                                       ValueRange factorsBefore,
                                       ValueRange rows,
                                       ValueRange factors) const {
  Value isFirstWarp = ptx::isEqualI(e, warp, 0);
  runIf(e, both(e, isLater(e, part, number), both(e, isFirstWarp, isFirstKey)),
        [&](Emitter &e) {
          ptx::Address all =
              block.getReferences(e, message) + SwappedBlock::kCorrections;
          for (int64_t row = 0; row < kRows; ++row) {
            Value moved = subtract(e, rowsBefore[row], rows[row]);
            Registers corrections;
            for (int64_t i = row * kScales; i < (row + 1) * kScales; ++i) {
              // One exponent: of two factors one might be 0 and one infinite.
              Value scaled = subtract(e, ptx::log2Fast(e, factors[i]),
                                      ptx::log2Fast(e, factorsBefore[i]));
              corrections.push_back(ptx::exp2Fast(e, add(e, moved, scaled)));
            }
            ptx::storeShared(e, getScalesPlace(e, all, row), corrections);
          }
        });
}

void SwappedExchange::storeReferences(Emitter &e, Value condition,
                                      Value message,
                                      const SwappedReferences &references,
                                      ValueRange factors,
                                      Value isChanged) const {
  Value isFirstWarp = ptx::isEqualI(e, warp, 0);
  runIf(e, both(e, condition, isFirstWarp), [&](Emitter &e) {
    runIf(e, isFirstKey, [&](Emitter &e) {
      ptx::Address all = block.getReferences(e, message);
      ptx::Address place = getRowPlace(e, all, kF32Bytes);
      for (int64_t i = 0; i < kRows; i += 2)
        ptx::storeShared(e, place + SwappedScore::getTileRow(i) * kF32Bytes,
                         {references.rows[i], references.rows[i + 1]});
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(e, getScalesPlace(e, all + SwappedBlock::kFactors, i),
                         factors.slice(i * kScales, kScales));
      static_assert(SwappedBlock::kChanged == SwappedBlock::kFallen + 4);
      ptx::storeShared(e, all + SwappedBlock::kFallen,
                       {references.fallen, isChanged});
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
