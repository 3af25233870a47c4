//===- NarrowSoftmax.cpp - scores of few rows to probabilities ------------===//

#include "NarrowSoftmax.h"
#include "../NVIDIA/Warp.h"
#include "NarrowResult.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

/// What scores may exceed their maxima by, in powers of two: probabilities come
/// to 2^(kSlack + kHeadroom), which f16 holds.
static constexpr double kSlack = 8;
/// The largest power of two that a factor may be: of scales that are all next
/// to nothing.
static constexpr double kMaxPower = 126;

static constexpr int64_t kRows = NarrowState::kRows;
static constexpr int64_t kRowStep = NarrowResult::kRowStep;
static constexpr int64_t kScores = NarrowScore::kScores;
static constexpr int64_t kKeys = NarrowScore::kKeys;
static constexpr int64_t kScoreWarps = NarrowBlock::kScoreWarps;
static constexpr int64_t kQuad = 4, kF32Bytes = 4;

static Value subtract(Emitter &e, Value a, Value b) {
  return arith::SubFOp::create(e, a, b);
}

static Value select(Emitter &e, Value condition, Value a, Value b) {
  return arith::SelectOp::create(e, condition, a, b);
}

static Value isGreater(Emitter &e, Value a, Value b) {
  return arith::CmpFOp::create(e, arith::CmpFPredicate::OGT, a, b);
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

NarrowState NarrowState::create(Emitter &e, const NarrowBlock &block) {
  NarrowState state;
  for (int64_t i = 0; i < kRows; ++i) {
    state.largest[i] = minusInfinity(e);
    state.sums[i] = constant(e, 0);
    if (block.hasTileScales())
      state.references[i].assign(block.getGroups(), minusInfinity(e));
  }
  return state;
}

void NarrowState::pack(Registers &to) const {
  for (int64_t i = 0; i < kRows; ++i) {
    to.append({largest[i], sums[i]});
    llvm::append_range(to, references[i]);
  }
}

NarrowState NarrowState::unpack(ValueRange &from, const NarrowBlock &block) {
  NarrowState state;
  int64_t groups = block.hasTileScales() ? block.getGroups() : 0;
  for (int64_t i = 0; i < kRows; ++i) {
    state.largest[i] = from[0];
    state.sums[i] = from[1];
    state.references[i] = Registers(from.slice(2, groups));
    from = from.drop_front(2 + groups);
  }
  return state;
}

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

/// The scale's bits without its sign.
static Value getMagnitude(Emitter &e, Value scale) {
  return arith::AndIOp::create(e, scale, i32(e, 0x7fffffff));
}

/// An integer that is log2 of the magnitude or at most 1 more, as f32; exact
/// logarithms would take longer than products do.
static Value boundLogarithm(Emitter &e, Value magnitude) {
  constexpr int64_t shift = 23, bias = 127, two23 = 0x4B000000;
  Value exponent = arith::ShRUIOp::create(e, magnitude, i32(e, shift));
  Value bits = arith::OrIOp::create(e, exponent, i32(e, two23));
  Value number = arith::BitcastOp::create(e, e.getF32Type(), bits);
  return add(e, number, constant(e, -double((1 << shift) + bias - 1)));
}

/// The largest score of a row, of this lane's.
static Value getLargest(Emitter &e, const NarrowScore &score, int64_t row) {
  Value most;
  for (int64_t i = 0; i < kScores; ++i)
    if (getThreadRow(i) == row)
      most = most ? largest(e, most, score.scores[i]) : score.scores[i];
  return most;
}

NarrowSoftmax::NarrowSoftmax(Emitter &e, const NarrowBlock &block, Value warp,
                             Value lane)
    : block(block), warp(warp), lane(lane),
      row(ptx::dividedByI(e, lane, kQuad)),
      isFirstOfRow(ptx::isEqualI(e, ptx::moduloI(e, lane, kQuad), 0)) {}

/// Whether one of the lane's rows has to be raised, or, with scales, may have
/// to be: its largest score and its largest scale may be of different keys.
Value NarrowSoftmax::findExceeding(Emitter &e, const NarrowScore &score,
                                   const NarrowState &state) const {
  Value most[kRows], exceeds;
  auto check = [&](Value value, Value reference) {
    Value here = isGreater(e, value, add(e, reference, constant(e, kSlack)));
    exceeds =
        exceeds ? arith::OrIOp::create(e, exceeds, here).getResult() : here;
  };
  for (int64_t i = 0; i < kRows; ++i) {
    most[i] = getLargest(e, score, i);
    check(most[i], state.largest[i]);
  }
  if (!block.hasTileScales())
    return exceeds;
  for (int64_t group = 0; group < block.getGroups(); ++group) {
    Value scale;
    for (int64_t key = 0; key < kKeys; ++key) {
      Value here = getMagnitude(e, score.scales[key][group]);
      scale = scale ? arith::MaxUIOp::create(e, scale, here).getResult() : here;
    }
    Value logarithm = boundLogarithm(e, scale);
    for (int64_t i = 0; i < kRows; ++i)
      check(add(e, most[i], logarithm), state.references[i][group]);
  }
  return exceeds;
}

/// The largest over all lanes of a row and all warps; kRows values of each
/// kind.
Registers NarrowSoftmax::shareLargest(Emitter &e, ValueRange values) const {
  ptx::Address maxima = block.getMaxima();
  maxima = maxima.advance(e, timesI(e, row, kScoreWarps * kF32Bytes));
  auto getOffset = [](int64_t i) {
    int64_t row = i / kRows * NarrowBlock::kTileRows + i % kRows * kRowStep;
    return row * kScoreWarps * kF32Bytes;
  };
  Registers most(values);
  for (Value &value : most)
    value = foldRow(e, value, largest);
  runIf(e, isFirstOfRow, [&](Emitter &e) {
    ptx::Address own = maxima.advance(e, timesI(e, warp, kF32Bytes));
    for (auto [i, value] : llvm::enumerate(most))
      ptx::storeShared(e, own + getOffset(i), value);
  });
  block.getTogether(e).sync(e);
  for (auto [i, value] : llvm::enumerate(most)) {
    Registers all =
        ptx::loadShared(e, maxima + getOffset(i), e.getF32Type(), kScoreWarps);
    value = largest(e, largest(e, all[0], all[1]), largest(e, all[2], all[3]));
  }
  return most;
}

NarrowState NarrowSoftmax::raise(Emitter &e, const NarrowScore &score,
                                 const NarrowState &state) const {
  Registers values;
  for (int64_t i = 0; i < kRows; ++i)
    values.push_back(getLargest(e, score, i));
  int64_t groups = block.hasTileScales() ? block.getGroups() : 0;
  for (int64_t group = 0; group < groups; ++group) {
    Value logarithms[kKeys];
    for (int64_t key = 0; key < kKeys; ++key) {
      Value magnitude = getMagnitude(e, score.scales[key][group]);
      logarithms[key] = select(e, ptx::isEqualI(e, magnitude, 0),
                               minusInfinity(e), boundLogarithm(e, magnitude));
    }
    for (int64_t row = 0; row < kRows; ++row) {
      NarrowScore scaled;
      for (int64_t i = 0; i < kScores; ++i)
        scaled.scores.push_back(
            add(e, score.scores[i], logarithms[NarrowScore::getKey(i)]));
      values.push_back(getLargest(e, scaled, row));
    }
  }
  Registers most = shareLargest(e, values);

  NarrowState next = state;
  for (int64_t i = 0; i < kRows; ++i) {
    auto raise = [&](Value value, Value before) {
      Value limit = add(e, before, constant(e, kSlack));
      return select(e, isGreater(e, value, limit), value, before);
    };
    next.largest[i] = raise(most[i], state.largest[i]);
    Value factor = ptx::exp2Fast(
        e, subtract(e, state.largest[i], finiteOrZero(e, next.largest[i])));
    next.sums[i] = mul(e, state.sums[i], factor);
    for (int64_t group = 0; group < groups; ++group)
      next.references[i][group] =
          raise(most[kRows * (1 + group) + i], state.references[i][group]);
  }
  return next;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void NarrowSoftmax::publish(Emitter &e, const NarrowScore &score,
                            NarrowState &state,
                            const RingPlace &message) const {
  Value isAny =
      block.getTogether(e).syncAndFindAny(e, findExceeding(e, score, state));
  Registers before, after;
  state.pack(before);
  auto branch = scf::IfOp::create(
      e, isAny,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        Registers raised;
        raise(e, score, state).pack(raised);
        scf::YieldOp::create(e, raised);
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, before);
      });
  ValueRange packed = branch.getResults();
  state = NarrowState::unpack(packed, block);

  Value shifts[kRows];
  for (int64_t i = 0; i < kRows; ++i)
    shifts[i] =
        subtract(e, finiteOrZero(e, state.largest[i]), constant(e, kHeadroom));
  Registers probabilities;
  for (int64_t i = 0; i < kScores; ++i) {
    int64_t row = getThreadRow(i);
    probabilities.push_back(
        ptx::exp2Fast(e, subtract(e, score.scores[i], shifts[row])));
    state.sums[row] = add(e, state.sums[row], probabilities.back());
  }
  block.getConsumed(e, message.slot).wait(e, message.parity);
  storeProbabilities(e, score, probabilities, state, message.slot);
  arrive(e, block.getPublished(e, message.slot));
}

void NarrowSoftmax::storeProbabilities(Emitter &e, const NarrowScore &score,
                                       ValueRange probabilities,
                                       const NarrowState &state,
                                       Value message) const {
  ptx::Address place =
      block.getProbabilities(e, message)
          .advance(e, timesI(e, plusI(e, timesI(e, warp, 32), lane), 16));
  ptx::Address references =
      block.getReferences(e, message).advance(e, timesI(e, row, kF32Bytes));
  Value isFirstWarp = ptx::isEqualI(e, warp, 0);
  for (int64_t group = 0; group < block.getGroups(); ++group) {
    Value reference[kRows];
    Registers weights(probabilities);
    for (int64_t i = 0; i < kRows; ++i) {
      reference[i] = state.largest[i];
      if (!block.hasTileScales())
        continue;
      reference[i] = state.references[i][group];
      Value power = subtract(e, finiteOrZero(e, state.largest[i]),
                             finiteOrZero(e, reference[i]));
      Value factor = ptx::exp2Fast(
          e, arith::MinNumFOp::create(e, power, constant(e, kMaxPower)));
      for (int64_t j = 0; j < kScores; ++j) {
        if (getThreadRow(j) != i)
          continue;
        Value scale = arith::BitcastOp::create(
            e, e.getF32Type(), score.scales[NarrowScore::getKey(j)][group]);
        weights[j] = mul(e, mul(e, weights[j], scale), factor);
      }
    }
    ptx::storeShared(e, place + group * block.getGroupBytes(),
                     packPairs(e, e.getF16Type(), weights));
    runIf(e, both(e, isFirstOfRow, isFirstWarp), [&](Emitter &e) {
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(e,
                         references +
                             (group * NarrowBlock::kTileRows + i * kRowStep) *
                                 kF32Bytes,
                         reference[i]);
    });
  }
}

void NarrowSoftmax::end(Emitter &e, const NarrowState &state,
                        const RingPlace &message) const {
  Registers sums(ArrayRef<Value>(state.sums));
  for (Value &sum : sums)
    sum = foldRow(e, sum, add);
  block.getConsumed(e, message.slot).wait(e, message.parity);
  ptx::Address first = block.getSums(e, message.slot);
  ptx::Address place = first.advance(
      e, timesI(e, plusI(e, timesI(e, row, kScoreWarps), warp), kF32Bytes));
  ptx::Address largest = (first + NarrowBlock::kLargestOffset)
                             .advance(e, timesI(e, row, kF32Bytes));
  runIf(e, isFirstOfRow, [&](Emitter &e) {
    for (int64_t i = 0; i < kRows; ++i)
      ptx::storeShared(e, place + i * kRowStep * kScoreWarps * kF32Bytes,
                       sums[i]);
    runIf(e, ptx::isEqualI(e, warp, 0), [&](Emitter &e) {
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(e, largest + i * kRowStep * kF32Bytes,
                         state.largest[i]);
    });
  });
  arrive(e, block.getPublished(e, message.slot));
}

void NarrowSoftmax::arrive(Emitter &e,
                           const ptx::SharedBarrier &barrier) const {
  ptx::syncWarp(e);
  runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) { barrier.arrive(e); });
}
