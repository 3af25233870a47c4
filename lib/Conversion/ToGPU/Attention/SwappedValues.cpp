//===- SwappedValues.cpp - the role that multiplies values ----------------===//
//
// A warp has the columns of one scale. Two codes of neighbouring columns are an
// element of 16 bits to ldmatrix, which gives a lane those of two keys: a byte
// permutation makes pairs of keys of each column, and these become pairs of
// f16, the right operands of products.
//
// A block's codes are in registers before its probabilities are known, so that
// their memory is free as soon as scores have read it, too.
//
//===----------------------------------------------------------------------===//

#include "SwappedValues.h"
#include "../NVIDIA/Parts.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "Fragments.h"
#include "SwappedKeys.h"
#include "SwappedResult.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kLanes = 32;
static constexpr int64_t kRows = SwappedResult::kRows;
static constexpr int64_t kReferences = SwappedResult::kReferences;
static constexpr int64_t kSums = SwappedResult::kSums;
static constexpr int64_t kStrips = SwappedResult::kStrips;
/// Keys of a product.
static constexpr int64_t kDepth = 16;
static constexpr int64_t kSteps = SwappedBlock::kBlockKeys / kDepth;
static_assert(kDepth == SwappedBlock::kWarpKeys);
/// Strips whose codes one ldmatrix brings: two matrices of 8 keys for each.
static constexpr int64_t kLoadStrips = 2, kStripMatrices = 2;
/// Registers of a product's codes.
static constexpr int64_t kStepCodes = kStrips * kStripMatrices;

namespace {

class SwappedValues {
public:
  SwappedValues(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                Value thread)
      : block(block), plan(plan), readsEarly(inputs.getProblem().readsEarly),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        row(ptx::moduloI(e, lane, kDepth)),
        chunk(ptx::dividedByI(e, lane, kDepth)),
        result(e, block, inputs, plan, warp, lane) {
    ptx::raiseRegisters(e, SwappedBlock::kValueRegisters);
    place = plusI(
        e, timesI(e, SwappedKeys::getKeyOfRow(e, row), block.getRowBytes()),
        plusI(e, timesI(e, warp, SwappedBlock::kScaleColumns),
              timesI(e, chunk, SwappedResult::kStripColumns)));
  }

  void emit(Emitter &e) {
    plan.forEachCountedPart(
        e,
        [&](Emitter &e, const Part &part, Value blocks, Value parts) {
          return emitPart(e, part, blocks, parts);
        },
        /*looksAhead=*/true);
    // The launch behind takes this one's end for the end of all before.
    if (readsEarly)
      ptx::waitForPreviousLaunch(e);
  }

private:
  Registers emitPart(Emitter &e, const Part &part, Value blocks, Value parts) {
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    auto branch = scf::IfOp::create(
        e, hasBlocks,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          scf::YieldOp::create(e, multiply(e, part, blocks, parts));
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          // Who writes knows that the launch ahead has ended: from
          // probabilities, or because it has waited.
          if (readsEarly)
            ptx::waitForPreviousLaunch(e);
          result.storeNothing(e, part);
          scf::YieldOp::create(e, part.hasNext);
        });
    Value used = arith::ExtUIOp::create(e, e.getI32Type(), hasBlocks);
    Value count = ptx::minusI(e, part.end, part.firstBlock);
    return {plusI(e, blocks, count), plusI(e, parts, used),
            branch.getResult(0)};
  }

  /// Returns whether there is another part.
  Value multiply(Emitter &e, const Part &part, Value blocks, Value parts) {
    Registers carried(kRows, minusInfinity(e));
    carried.append(kReferences - kRows, constant(e, 1));
    carried.append(kSums, constant(e, 0));
    llvm::append_range(carried, takeCodes(e, blocks));
    auto loop = scf::ForOp::create(
        e, part.firstBlock, part.end, i32(e, 1), carried,
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          Value count =
              plusI(e, blocks, ptx::minusI(e, number, part.firstBlock));
          Value hasNext = ptx::isLessI(e, plusI(e, number, 1), part.end);
          Registers next = addBlock(e, count, hasNext, state);
          // What the last message is relative to is read once more.
          runIf(e, hasNext, [&](Emitter &e) {
            block.getConsumed(e, block.getMessage(e, count).slot)
                .arriveByWarp(e, lane);
          });
          scf::YieldOp::create(e, next);
        });
    Value last = plusI(e, blocks,
                       plusI(e, ptx::minusI(e, part.end, part.firstBlock), -1));
    Value message = block.getMessage(e, last).slot;
    Value hasNext = keepHasNext(e, part);
    result.store(e, part, message, loop.getResults().slice(kReferences, kSums),
                 parts);
    block.getConsumed(e, message).arriveByWarp(e, lane);
    return hasNext;
  }

  /// All codes of block `count`, whose memory is free then.
  Registers takeCodes(Emitter &e, Value count) const {
    SwappedBlock::Place stage = block.getStage(e, count);
    block.getFull(e, stage.slot).wait(e, stage.round);
    ptx::Address keys = block.getKeys(e, stage.slot).advance(e, place);
    Registers codes;
    for (int64_t step = 0; step < kSteps; ++step)
      llvm::append_range(codes, loadStep(e, keys, step));
    block.getFree(e, stage.slot).arriveByWarp(e, lane);
    return codes;
  }

  /// Codes of the next block, if there is one, take the place of this one's.
  Registers addBlock(Emitter &e, Value count, Value hasNext,
                     ValueRange state) const {
    SwappedBlock::Place message = block.getMessage(e, count);
    SwappedBlock::Place stage = block.getStage(e, plusI(e, count, 1));
    ptx::Address keys = block.getKeys(e, stage.slot).advance(e, place);
    ValueRange codes = state.drop_front(kReferences + kSums);
    // Known before the probabilities are.
    block.getDecided(e, message.slot).wait(e, message.round);
    Registers references = result.loadReferences(e, message.slot);
    Registers sums = rescale(e, state.slice(kReferences, kSums),
                             state.take_front(kReferences), references);
    ptx::SwizzledTile probabilities =
        block.getProbabilities(e, message.slot, /*scale=*/warp);
    block.getPublished(e, message.slot).wait(e, message.round);
    runIf(e, hasNext, [&](Emitter &e) {
      block.getFull(e, stage.slot).wait(e, stage.round);
    });
    Registers nextCodes;
    for (int64_t step = 0; step < kSteps; ++step) {
      Registers a = ptx::loadMatrices(
          e, probabilities.getChunk(e, row, plusI(e, chunk, step * 2)),
          /*transposed=*/false);
      addStep(e, a, codes.slice(step * kStepCodes, kStepCodes), sums);
      // Behind a part's last block nobody uses what is there.
      llvm::append_range(nextCodes, loadStep(e, keys, step));
    }
    runIf(e, hasNext, [&](Emitter &e) {
      block.getFree(e, stage.slot).arriveByWarp(e, lane);
    });
    Registers next(references);
    llvm::append_range(next, sums);
    llvm::append_range(next, nextCodes);
    return next;
  }

  /// Makes the sums relative to other references, most often the same.
  static Registers rescale(Emitter &e, ValueRange sums, ValueRange before,
                           ValueRange now) {
    auto branch = scf::IfOp::create(
        e, differInAnyLane(e, now, before),
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Registers factors, changed;
          for (int64_t row = 0; row < kRows; ++row) {
            Value rows = subtract(e, before[row], finiteOrZero(e, now[row]));
            Value scales = subtract(e, ptx::log2Fast(e, now[kRows + row]),
                                    ptx::log2Fast(e, before[kRows + row]));
            factors.push_back(ptx::exp2Fast(e, add(e, rows, scales)));
          }
          for (auto [i, sum] : llvm::enumerate(sums))
            changed.push_back(mul(e, sum, factors[getThreadRow(i)]));
          scf::YieldOp::create(e, changed);
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, sums);
        });
    return Registers(branch.getResults());
  }

  /// Codes of a product's keys: matrices of each strip.
  Registers loadStep(Emitter &e, ptx::Address keys, int64_t step) const {
    Registers codes;
    for (int64_t strip = 0; strip < kStrips; strip += kLoadStrips)
      llvm::append_range(
          codes,
          ptx::loadMatrices(e,
                            keys + (step * kDepth * block.getRowBytes() +
                                    strip * SwappedResult::kStripColumns),
                            /*transposed=*/true));
    return codes;
  }

  static void addStep(Emitter &e, ValueRange a, ValueRange codes,
                      Registers &sums) {
    constexpr int64_t count = 4;
    for (int64_t strip = 0; strip < kStrips; ++strip) {
      Registers pairs[kStripMatrices];
      for (int64_t i = 0; i < kStripMatrices; ++i)
        pairs[i] = ptx::widenCodes(
            e, ptx::pairBytes(e, codes[strip * kStripMatrices + i]));
      for (int64_t i = 0; i < 2; ++i) {
        int64_t first = strip * SwappedResult::kStripSums + i * count;
        Registers d = ptx::multiplyWarp(e, e.getF16Type(),
                                        ValueRange(sums).slice(first, count), a,
                                        {pairs[0][i], pairs[1][i]});
        llvm::copy(d, sums.begin() + first);
      }
    }
  }

  const SwappedBlock &block;
  const SplitPlan &plan;
  bool readsEarly;
  Value warp, lane;
  /// What this lane names to loads of four matrices: a row of 16, 8 columns
  /// of 16 bits; in a stage, bytes.
  Value row, chunk, place;
  SwappedResult result;
};

} // namespace

void kernel::emitSwappedValues(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, Value thread) {
  SwappedValues(e, block, inputs, plan, thread).emit(e);
}
