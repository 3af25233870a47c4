//===- SwappedValues.cpp - the role that multiplies values ----------------===//
//
// O^T += C^T P^T, of 64 columns at a time: a warp has 16 of them. Two codes of
// neighbouring columns are an element of 16 bits to ldmatrix, which gives a
// lane those of two keys: a byte permutation makes pairs of keys of each
// column, and these become pairs of f16, the left operands of products.
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
static constexpr int64_t kScales = SwappedBlock::kScales;
static constexpr int64_t kSums = SwappedResult::kSums;
static constexpr int64_t kStrips = SwappedResult::kStrips;
static constexpr int64_t kStripSums = SwappedResult::kStripSums;
/// Keys of a product.
static constexpr int64_t kDepth = 16;
static constexpr int64_t kSteps = SwappedBlock::kBlockKeys / kDepth;
static_assert(kDepth == SwappedBlock::kWarpKeys);
/// Strips whose codes one ldmatrix brings: two matrices of 8 keys for each.
static constexpr int64_t kLoadStrips = 2, kStripMatrices = 2;
/// Strips whose products are a group; while they are made, the next group's
/// codes are converted.
static constexpr int64_t kGroupStrips = 4;
static constexpr int64_t kGroups = kStrips / kGroupStrips;
/// Registers of a group's codes.
static constexpr int64_t kGroupCodes = kGroupStrips * kStripMatrices;

namespace {

class SwappedValues {
public:
  SwappedValues(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                Value thread)
      : block(block), plan(plan), readsEarly(inputs.getProblem().readsEarly),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        probabilities(e, block.getProbabilities(e, i32(e, 0)), ptx::Major::K),
        product{SwappedBlock::kTileRows, e.getF16Type()},
        result(e, block, inputs, plan, warp, lane) {
    ptx::raiseRegisters(e, SwappedBlock::kValueRegisters);
    // What this lane names to loads of four matrices: a row of 16, and one of
    // two strips.
    Value row = ptx::moduloI(e, lane, kDepth);
    Value strip = ptx::dividedByI(e, lane, kDepth);
    place = plusI(
        e, timesI(e, SwappedKeys::getKeyOfRow(e, row), block.getRowBytes()),
        plusI(e, timesI(e, warp, SwappedResult::kWarpColumns),
              timesI(e, strip, SwappedResult::kStripColumns)));
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
    Registers carried(kSums, constant(e, 0));
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
    result.store(e, part, message, loop.getResults().take_front(kSums), parts);
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
      for (int64_t group = 0; group < kGroups; ++group)
        llvm::append_range(codes, loadGroup(e, keys, step, group));
    block.getFree(e, stage.slot).arriveByWarp(e, lane);
    return codes;
  }

  /// Codes of the next block, if there is one, take the place of this one's.
  Registers addBlock(Emitter &e, Value count, Value hasNext,
                     ValueRange state) const {
    SwappedBlock::Place message = block.getMessage(e, count);
    SwappedBlock::Place stage = block.getStage(e, plusI(e, count, 1));
    ptx::Address keys = block.getKeys(e, stage.slot).advance(e, place);
    ValueRange codes = state.drop_front(kSums);
    // Known before the probabilities are.
    block.getDecided(e, message.slot).wait(e, message.round);
    Registers sums = correct(e, message.slot, state.take_front(kSums));
    ptx::MatrixOperand operand = probabilities.advance(
        e, timesI(e, message.slot, kScales * block.getProbabilityBytes()));
    block.getPublished(e, message.slot).wait(e, message.round);
    runIf(e, hasNext, [&](Emitter &e) {
      block.getFull(e, stage.slot).wait(e, stage.round);
    });
    Registers nextCodes;
    for (int64_t step = 0; step < kSteps; ++step)
      for (int64_t group = 0; group < kGroups; ++group) {
        addGroup(
            e, operand, step, group,
            codes.slice((step * kGroups + group) * kGroupCodes, kGroupCodes),
            sums);
        // Behind a part's last block nobody uses what is there.
        llvm::append_range(nextCodes, loadGroup(e, keys, step, group));
      }
    runIf(e, hasNext, [&](Emitter &e) {
      block.getFree(e, stage.slot).arriveByWarp(e, lane);
    });
    Registers next = ptx::waitProducts(e, 0, sums);
    llvm::append_range(next, nextCodes);
    return next;
  }

  /// Makes the sums relative to what the message is, most often the same.
  Registers correct(Emitter &e, Value message, ValueRange sums) const {
    Value isChanged = ptx::holdsInAnyLane(
        e, ptx::isEqualI(e, result.loadChanged(e, message), 1));
    auto branch = scf::IfOp::create(
        e, isChanged,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          SwappedResult::OfScales corrections =
              result.loadCorrections(e, message);
          Registers changed;
          for (auto [i, sum] : llvm::enumerate(sums))
            changed.push_back(mul(e, sum,
                                  corrections[SwappedResult::getRow(i)]
                                             [SwappedResult::getScale(i)]));
          scf::YieldOp::create(e, changed);
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, sums);
        });
    return Registers(branch.getResults());
  }

  /// Codes of a product's keys: matrices of each strip of a group.
  Registers loadGroup(Emitter &e, ptx::Address keys, int64_t step,
                      int64_t group) const {
    Registers codes;
    for (int64_t i = 0; i < kGroupStrips; i += kLoadStrips)
      llvm::append_range(
          codes, ptx::loadMatrices(e,
                                   keys + (step * kDepth * block.getRowBytes() +
                                           (group * kGroupStrips + i) *
                                               SwappedResult::kStripColumns),
                                   /*transposed=*/true));
    return codes;
  }

  void addGroup(Emitter &e, const ptx::MatrixOperand &operand, int64_t step,
                int64_t group, ValueRange codes, Registers &sums) const {
    SmallVector<Registers> left;
    for (int64_t i = 0; i < kGroupStrips; ++i) {
      // Of 8 keys and 8 more: even columns, odd ones.
      Registers pairs[kStripMatrices];
      for (int64_t half = 0; half < kStripMatrices; ++half)
        pairs[half] = ptx::widenCodes(
            e, ptx::pairBytes(e, codes[i * kStripMatrices + half]));
      left.push_back({pairs[0][0], pairs[0][1], pairs[1][0], pairs[1][1]});
    }
    ptx::fenceProducts(e);
    for (int64_t i = 0; i < kGroupStrips; ++i) {
      int64_t strip = group * kGroupStrips + i, first = strip * kStripSums;
      Registers d = ptx::multiply(
          e, product, ValueRange(sums).slice(first, kStripSums), left[i],
          operand.get(e, step * kDepth,
                      SwappedResult::getScale(first) * SwappedBlock::kTileRows),
          ptx::Major::K);
      llvm::copy(d, sums.begin() + first);
    }
    ptx::commitProducts(e);
    // Operands of two groups at a time.
    ptx::waitProducts(e, 1, ValueRange());
  }

  const SwappedBlock &block;
  const SplitPlan &plan;
  bool readsEarly;
  Value warp, lane;
  ptx::MatrixOperand probabilities; ///< Of message 0.
  ptx::WarpgroupProduct product;
  Value place; ///< Of the lane's rows of matrices in a stage, bytes.
  SwappedResult result;
};

} // namespace

void kernel::emitSwappedValues(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, Value thread) {
  SwappedValues(e, block, inputs, plan, thread).emit(e);
}
