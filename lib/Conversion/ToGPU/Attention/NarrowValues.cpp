//===- NarrowValues.cpp - the role that multiplies values -----------------===//
//
// A warp has 64 columns, as eight products of 8 columns: column g of product j
// is column j of the g-th eight, as NarrowBlock::getColumns counts them. So a
// lane reads its eight columns of a key, one of each product, at once.
//
//===----------------------------------------------------------------------===//

#include "NarrowValues.h"
#include "../NVIDIA/Parts.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
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

static constexpr int64_t kLanes = 32, kQuad = 4;
static constexpr int64_t kRows = NarrowResult::kRows;
static constexpr int64_t kSums = NarrowResult::kSums;
/// Products of a warp, and sums of one of them.
static constexpr int64_t kProducts = 8, kProductSums = 4;
static_assert(kSums == kProducts * kProductSums);
/// Keys of a product, and products of a block.
static constexpr int64_t kDepth = 16;
static constexpr int64_t kSteps = NarrowBlock::kBlockKeys / kDepth;

namespace {

class NarrowValues {
public:
  NarrowValues(Emitter &e, const NarrowBlock &block,
               const AttentionInputs &inputs, const SplitPlan &plan,
               Value thread)
      : block(block), plan(plan), readsEarly(inputs.getProblem().readsEarly),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        result(e, block, inputs, plan, warp, lane) {
    ptx::lowerRegisters(e, NarrowBlock::kValueRegisters);
    Value column =
        plusI(e, timesI(e, warp, NarrowBlock::kWarpColumns),
              NarrowBlock::getColumns(e, ptx::dividedByI(e, lane, kQuad)));
    for (int64_t which = 0; which < 2; ++which) {
      Value key =
          NarrowBlock::getQuadKey(e, ptx::moduloI(e, lane, kQuad), which);
      places[which] = plusI(e, timesI(e, key, block.getPitch()), column);
    }
  }

  void emit(Emitter &e) {
    Registers start = RingPlaces::create(e, 0, 0).pack();
    plan.forEachPart(
        e, start,
        [&](Emitter &e, const Part &part, ValueRange state) {
          return emitPart(e, part, state);
        },
        /*looksAhead=*/true);
    // The launch behind takes this one's end for the end of all before.
    if (readsEarly)
      ptx::waitForPreviousLaunch(e);
  }

private:
  Registers emitPart(Emitter &e, const Part &part, ValueRange state) {
    Registers carried(state);
    for (int64_t i = 0; i < kRows; ++i)
      carried.push_back(minusInfinity(e));
    carried.append(kSums, constant(e, 0));
    auto loop = scf::ForOp::create(
        e, part.firstBlock, part.end, i32(e, 1), carried,
        [&](OpBuilder &builder, Location loc, Value, ValueRange state) {
          Emitter e(loc, builder);
          scf::YieldOp::create(e, addBlock(e, state));
        });
    ValueRange rest = loop.getResults();
    RingPlaces rings = RingPlaces::unpack(rest);
    RingPlace message = rings.message;
    block.getPublished(e, message.slot).wait(e, message.parity);
    Value hasNext = keepHasNext(e, part);
    result.store(e, part, message.slot, rest.take_front(kRows),
                 rest.drop_front(kRows));
    block.getConsumed(e, message.slot).arriveByWarp(e, lane);
    Registers next = rings.passMessage(e).pack();
    next.push_back(hasNext);
    return next;
  }

  /// Two words of eight columns of each of the lane's keys of a product.
  SmallVector<Registers> loadValues(Emitter &e, ptx::Address (&keys)[2],
                                    int64_t step) const {
    SmallVector<Registers> values;
    for (int64_t key = 0; key < kDepth; key += kProducts)
      for (const ptx::Address &place : keys)
        values.push_back(
            ptx::loadShared(e, place + (step * kDepth + key) * block.getPitch(),
                            e.getI32Type(), 2));
    return values;
  }

  Registers addBlock(Emitter &e, ValueRange state) const {
    RingPlaces rings = RingPlaces::unpack(state);
    RingPlace stage = rings.stage, message = rings.message;
    Registers references(state.take_front(kRows));
    Registers sums(state.drop_front(kRows));

    block.getFull(e, stage.slot).wait(e, stage.parity);
    ptx::Address tile = block.getKeys(e, stage.slot);
    ptx::Address keys[2] = {tile.advance(e, places[0]),
                            tile.advance(e, places[1])};
    SmallVector<Registers> values = loadValues(e, keys, 0);
    block.getPublished(e, message.slot).wait(e, message.parity);
    rescale(e, message.slot, references, sums);
    ptx::Address probabilities =
        block.getProbabilities(e, message.slot).advance(e, timesI(e, lane, 16));
    for (int64_t step = 0; step < kSteps; ++step) {
      Registers a = ptx::loadShared(e, probabilities + step * kLanes * 16,
                                    e.getI32Type(), 4);
      SmallVector<Registers> ahead;
      if (step + 1 < kSteps)
        ahead = loadValues(e, keys, step + 1);
      addStep(e, a, values, sums);
      values = ahead;
    }
    ptx::syncWarp(e);
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      block.getConsumed(e, message.slot).arrive(e);
      block.getFree(e, stage.slot).arrive(e);
    });
    Registers next = rings.passBlock(e, block.getStages()).pack();
    llvm::append_range(next, references);
    llvm::append_range(next, sums);
    return next;
  }

  /// Adds a product's keys: two columns at a time of pairs of keys.
  static void addStep(Emitter &e, ValueRange a, ArrayRef<Registers> values,
                      Registers &sums) {
    for (int64_t product = 0; product < kProducts; product += 2) {
      int64_t word = product / 4, byte = product % 4;
      Registers b[2];
      for (int64_t pair = 0; pair < 2; ++pair)
        b[pair] = ptx::widenCodes(
            e, ptx::interleaveBytes(e, values[2 * pair][word],
                                    values[2 * pair + 1][word], byte));
      for (int64_t i = 0; i < 2; ++i) {
        int64_t first = (product + i) * kProductSums;
        Registers d = ptx::multiplyWarp(
            e, e.getF16Type(), ValueRange(sums).slice(first, kProductSums), a,
            {b[0][i], b[1][i]});
        llvm::copy(d, sums.begin() + first);
      }
    }
  }

  /// Makes the sums relative to the message's references.
  void rescale(Emitter &e, Value message, Registers &references,
               Registers &sums) const {
    ptx::Address place = result.getRowPlace(e, block.getReferences(e, message));
    Registers now;
    for (int64_t i = 0; i < kRows; ++i)
      now.push_back(ptx::loadShared(e, place + i * NarrowResult::kRowStep * 4,
                                    e.getF32Type())[0]);
    sums = changeReferences(e, sums, references, now, getThreadRow);
    references = now;
  }

  const NarrowBlock &block;
  const SplitPlan &plan;
  bool readsEarly;
  Value warp, lane;
  NarrowResult result;
  Value places[2]; ///< Of the lane's columns of its keys in a stage, bytes.
};

} // namespace

void kernel::emitNarrowValues(Emitter &e, const NarrowBlock &block,
                              const AttentionInputs &inputs,
                              const SplitPlan &plan, Value thread) {
  NarrowValues(e, block, inputs, plan, thread).emit(e);
}
