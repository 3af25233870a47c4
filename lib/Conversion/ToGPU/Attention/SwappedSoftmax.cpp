//===- SwappedSoftmax.cpp - scores, keys on the left, to probabilities ----===//

#include "SwappedSoftmax.h"
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

/// What scores may exceed their references by, in powers of two.
static constexpr double kSlack = 8;
static constexpr int64_t kRows = SwappedState::kRows;
static constexpr int64_t kSums = SwappedState::kSums;
static constexpr int64_t kScores = SwappedBlock::kScores;
static constexpr int64_t kWarps = SwappedBlock::kGroupWarps;
static constexpr int64_t kQuad = 4, kF32Bytes = 4;
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

SwappedState SwappedState::create(Emitter &e) {
  return {Registers(kRows, minusInfinity(e)), Registers(kSums, constant(e, 0))};
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
Registers SwappedSoftmax::takeReferences(Emitter &e, const Part &part,
                                         Value number, Value count) const {
  SwappedBlock::Place before = block.getPlaceBefore(e, count);
  Value isLater =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, count, i32(e, 0));
  runIf(e, isLater, [&](Emitter &e) {
    block.getDecided(e, before.stage).wait(e, before.round);
  });
  Value isFirst = arith::CmpIOp::create(e, arith::CmpIPredicate::eq, number,
                                        part.firstBlock);
  ptx::Address place =
      getRowPlace(e, block.getReferences(e, before.stage), kF32Bytes);
  Registers references;
  for (int64_t i = 0; i < kRows; i += 2) {
    Registers pair = ptx::loadShared(
        e, place + SwappedState::getTileRow(i) * kF32Bytes, e.getF32Type(), 2);
    for (Value reference : pair)
      references.push_back(select(e, isFirst, minusInfinity(e), reference));
  }
  return references;
}

Value SwappedSoftmax::exceedsAny(Emitter &e, ValueRange scores,
                                 ValueRange references) const {
  Value exceeds;
  for (int64_t i = 0; i < kScores; ++i) {
    Value here = isGreater(
        e, scores[i],
        add(e, references[SwappedState::getRow(i)], constant(e, kSlack)));
    exceeds =
        exceeds ? arith::OrIOp::create(e, exceeds, here).getResult() : here;
  }
  return block.getGroupTogether(e, group).syncAndFindAny(e, exceeds);
}

/// References that the scores exceed, raised to the largest of a row. The
/// warps tell each other theirs where the message's probabilities come later.
Registers SwappedSoftmax::raise(Emitter &e, Value stage, ValueRange scores,
                                ValueRange references) const {
  Registers most(kRows);
  for (int64_t i = 0; i < kScores; ++i) {
    Value &value = most[SwappedState::getRow(i)];
    value = value ? largest(e, value, scores[i]) : scores[i];
  }
  for (Value &value : most)
    value = foldKeys(e, value, largest);
  constexpr int64_t rowBytes = kWarps * kF32Bytes;
  ptx::Address place =
      getRowPlace(e, block.getProbabilities(e, stage).start, rowBytes);
  runIf(e, isFirstKey, [&](Emitter &e) {
    ptx::Address own = place.advance(e, timesI(e, warp, kF32Bytes));
    for (int64_t i = 0; i < kRows; ++i)
      ptx::storeShared(e, own + SwappedState::getTileRow(i) * rowBytes,
                       most[i]);
  });
  block.getGroupTogether(e, group).sync(e);
  Registers raised;
  for (int64_t i = 0; i < kRows; ++i) {
    Registers all =
        ptx::loadShared(e, place + SwappedState::getTileRow(i) * rowBytes,
                        e.getF32Type(), kWarps);
    Value value =
        largest(e, largest(e, all[0], all[1]), largest(e, all[2], all[3]));
    Value limit = add(e, references[i], constant(e, kSlack));
    raised.push_back(
        select(e, isGreater(e, value, limit), value, references[i]));
  }
  block.getGroupTogether(e, group).sync(e);
  return raised;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void SwappedSoftmax::publish(Emitter &e, const Part &part, Value number,
                             Value count, ValueRange products,
                             Registers references, const SwappedKeys &keys,
                             Value exist, SwappedState &state) const {
  Registers scores;
  for (auto [i, score] : llvm::enumerate(products))
    scores.push_back(select(e, keys.exists(e, exist, getKey(i)),
                            mul(e, score, factor), minusInfinity(e)));
  hideUnseen(e, part, number, keys, scores);

  Value isAny = exceedsAny(e, scores, references);
  SwappedBlock::Place message = block.getPlace(e, count);
  auto branch = scf::IfOp::create(
      e, isAny,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, raise(e, message.stage, scores, references));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, references);
      });
  references = Registers(branch.getResults());

  // The other group waits for them.
  runIf(e, ptx::isEqualI(e, warp, 0), [&](Emitter &e) {
    runIf(e, isFirstKey, [&](Emitter &e) {
      ptx::Address place =
          getRowPlace(e, block.getReferences(e, message.stage), kF32Bytes);
      for (int64_t i = 0; i < kRows; i += 2)
        ptx::storeShared(e, place + SwappedState::getTileRow(i) * kF32Bytes,
                         {references[i], references[i + 1]});
    });
    block.getDecided(e, message.stage).arriveByWarp(e, lane);
  });

  // Either group may have raised them.
  state.sums = changeReferences(e, state.sums, state.references, references,
                                [](int64_t i) { return i % kRows; });
  state.references = references;
  for (Value &reference : references)
    reference = finiteOrZero(e, reference);
  Type elements = inputs.getProblem().elements;
  Registers pairs;
  for (int64_t i = 0; i < kScores; i += 2) {
    Value probabilities[2];
    for (int64_t j = 0; j < 2; ++j) {
      int64_t row = SwappedState::getRow(i + j);
      probabilities[j] =
          ptx::exp2Fast(e, subtract(e, scores[i + j], references[row]));
      Value &sum = state.sums[kRows + row];
      sum = add(e, sum, probabilities[j]);
    }
    pairs.push_back(
        ptx::packPair(e, elements, probabilities[0], probabilities[1]));
    auto rounded = ptx::unpackPair(e, elements, pairs.back());
    Value &low = state.sums[SwappedState::getRow(i)];
    low = add(e, low, rounded.first);
    Value &high = state.sums[SwappedState::getRow(i + 1)];
    high = add(e, high, rounded.second);
  }

  // Matrices of 8 keys and 8 rows, transposed: keys and keys + 8 of rows, then
  // those of rows + 8.
  Value matrix = ptx::dividedByI(e, lane, 8);
  Value row = plusI(e, ptx::moduloI(e, lane, 8),
                    timesI(e, ptx::dividedByI(e, matrix, kKeys), 8));
  Value chunk =
      plusI(e, timesI(e, warp, kKeys), ptx::moduloI(e, matrix, kKeys));
  static_assert(kScores == 8);
  ptx::storeMatrices(
      e, block.getProbabilities(e, message.stage).getChunk(e, row, chunk),
      pairs,
      /*transposed=*/true);
  block.getFull(e, message.stage).arriveByWarp(e, lane);
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
    for (int64_t i = 0; i < kSums; ++i)
      ptx::storeShared(e,
                       place + (i / kRows * SwappedBlock::kSumKindBytes +
                                SwappedState::getTileRow(i % kRows) * rowBytes),
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
