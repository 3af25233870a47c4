//===- NarrowSoftmax.cpp - scores of few rows to probabilities ------------===//

#include "NarrowSoftmax.h"
#include "../NVIDIA/Warp.h"
#include "NarrowResult.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

static constexpr int64_t kRows = NarrowState::kRows;
static constexpr int64_t kRowStep = NarrowResult::kRowStep;
static constexpr int64_t kScores = NarrowScore::kScores;
static constexpr int64_t kScoreWarps = NarrowBlock::kScoreWarps;
static constexpr int64_t kQuad = 4, kF32Bytes = 4;

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

NarrowState NarrowState::create(Emitter &e) {
  NarrowState state;
  for (int64_t i = 0; i < kRows; ++i) {
    state.largest[i] = minusInfinity(e);
    state.sums[i] = constant(e, 0);
  }
  return state;
}

void NarrowState::pack(Registers &to) const {
  for (int64_t i = 0; i < kRows; ++i)
    to.append({largest[i], sums[i]});
}

NarrowState NarrowState::unpack(ValueRange &from) {
  NarrowState state;
  for (int64_t i = 0; i < kRows; ++i) {
    state.largest[i] = from[0];
    state.sums[i] = from[1];
    from = from.drop_front(2);
  }
  return state;
}

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

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

/// Whether one of the lane's rows has to be raised.
Value NarrowSoftmax::findExceeding(Emitter &e, const NarrowScore &score,
                                   const NarrowState &state) const {
  Value exceeds;
  for (int64_t i = 0; i < kRows; ++i) {
    Value here = isGreater(e, getLargest(e, score, i),
                           add(e, state.largest[i], constant(e, kSlack)));
    exceeds =
        exceeds ? arith::OrIOp::create(e, exceeds, here).getResult() : here;
  }
  return exceeds;
}

/// The largest over all lanes of a row and all warps; kRows values.
Registers NarrowSoftmax::shareLargest(Emitter &e, ValueRange values) const {
  ptx::Address maxima = block.getMaxima();
  maxima = maxima.advance(e, timesI(e, row, kScoreWarps * kF32Bytes));
  auto getOffset = [](int64_t i) {
    return i * kRowStep * kScoreWarps * kF32Bytes;
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
  Registers most = shareLargest(e, values);

  NarrowState next = state;
  for (int64_t i = 0; i < kRows; ++i) {
    Value limit = add(e, state.largest[i], constant(e, kSlack));
    next.largest[i] =
        select(e, isGreater(e, most[i], limit), most[i], state.largest[i]);
    Value factor = ptx::exp2Fast(
        e, subtract(e, state.largest[i], finiteOrZero(e, next.largest[i])));
    next.sums[i] = mul(e, state.sums[i], factor);
  }
  return next;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void NarrowSoftmax::publish(Emitter &e, const NarrowScore &score,
                            NarrowState &state, const RingPlace &message,
                            Beside beside) const {
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
  state = NarrowState::unpack(packed);

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
  if (beside.exponentials)
    beside.exponentials(e);
  block.getConsumed(e, message.slot).wait(e, message.parity);
  storeProbabilities(e, probabilities, state, message.slot);
  block.getPublished(e, message.slot).arriveByWarp(e, lane);
  if (beside.message)
    beside.message(e);
}

void NarrowSoftmax::storeProbabilities(Emitter &e, ValueRange probabilities,
                                       const NarrowState &state,
                                       Value message) const {
  ptx::Address place =
      block.getProbabilities(e, message)
          .advance(e, timesI(e, plusI(e, timesI(e, warp, 32), lane), 16));
  ptx::Address references =
      block.getReferences(e, message).advance(e, timesI(e, row, kF32Bytes));
  Value isFirstWarp = ptx::isEqualI(e, warp, 0);
  ptx::storeShared(e, place, packPairs(e, e.getF16Type(), probabilities));
  runIf(e, both(e, isFirstOfRow, isFirstWarp), [&](Emitter &e) {
    for (int64_t i = 0; i < kRows; ++i)
      ptx::storeShared(e, references + i * kRowStep * kF32Bytes,
                       state.largest[i]);
  });
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
  block.getPublished(e, message.slot).arriveByWarp(e, lane);
}
