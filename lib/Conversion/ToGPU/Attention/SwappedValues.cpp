//===- SwappedValues.cpp - the role that multiplies values ----------------===//
//
// A product has 64 columns of the values as rows and the tile's rows as
// columns; the eight boxes of columns are sums of their own.
//
//===----------------------------------------------------------------------===//

#include "SwappedValues.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "Fragments.h"
#include "SwappedResult.h"
#include "SwappedSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::Major;
using ptx::plusI;
using ptx::Registers;
using ptx::SwizzledTile;

static constexpr int64_t kLanes = 32;
/// Keys of a product.
static constexpr int64_t kDepth = 16;

namespace {

class SwappedValues {
public:
  SwappedValues(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                Value thread)
      : block(block), plan(plan), readsEarly(inputs.getProblem().readsEarly),
        lane(ptx::moduloI(e, thread, kLanes)),
        product{SwappedBlock::kTileRows, inputs.getProblem().elements},
        result(block, inputs, plan, ptx::dividedByI(e, thread, kLanes), lane) {
    ptx::lowerRegisters(e, SwappedBlock::kValueRegisters);
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
    Registers carried(SwappedBlock::kThreadRows, minusInfinity(e));
    carried.append(SwappedBlock::kValueSums, constant(e, 0));
    auto loop = scf::ForOp::create(
        e, part.firstBlock, part.end, i32(e, 1), carried,
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          Value count =
              plusI(e, blocks, ptx::minusI(e, number, part.firstBlock));
          SwappedBlock::Place place = block.getPlace(e, count);
          Registers next = addBlock(e, place, state);
          // The last message's memory takes the result.
          runIf(e, ptx::isLessI(e, plusI(e, number, 1), part.end),
                [&](Emitter &e) {
                  block.getFree(e, place.stage).arriveByWarp(e, lane);
                });
          scf::YieldOp::create(e, next);
        });
    Value last = plusI(e, blocks,
                       plusI(e, ptx::minusI(e, part.end, part.firstBlock), -1));
    Value stage = block.getPlace(e, last).stage;
    ValueRange sums = loop.getResults().drop_front(SwappedBlock::kThreadRows);
    Value hasNext = keepHasNext(e, part);
    result.store(e, part, stage, sums, parts);
    block.getFree(e, stage).arriveByWarp(e, lane);
    return hasNext;
  }

  Registers addBlock(Emitter &e, SwappedBlock::Place place,
                     ValueRange state) const {
    // Known before the probabilities are.
    block.getDecided(e, place.stage).wait(e, place.round);
    Registers references = result.loadReferences(e, place.stage);
    Registers sums = changeReferences(
        e, state.drop_front(references.size()),
        state.take_front(references.size()), references, [&](int64_t i) {
          return SwappedState::getRow(i % product.getRegisters());
        });
    // The same in all lanes, which ptxas does not see by itself.
    Value stage = ptx::largestOverLanes(e, place.stage);
    ptx::MatrixOperand values(e, block.getValues(e, stage), Major::MN);
    ptx::MatrixOperand probabilities(e, block.getProbabilities(e, stage),
                                     Major::K);
    int64_t count = product.getRegisters();
    block.getFull(e, place.stage).wait(e, place.round);
    // Not where they are written, on the way from scores to probabilities.
    ptx::fenceMatrixUnits(e);
    ptx::fenceProducts(e);
    for (int64_t depth = 0; depth < SwappedBlock::kBlockKeys; depth += kDepth) {
      Registers results;
      for (int64_t column = 0; column < SwappedBlock::kLatent;
           column += SwizzledTile::kBoxColumns)
        llvm::append_range(
            results,
            ptx::multiply(e, product,
                          ValueRange(sums).slice(results.size(), count),
                          values.get(e, depth, column), Major::MN,
                          probabilities.get(e, depth), Major::K));
      sums = results;
    }
    ptx::commitProducts(e);
    sums = ptx::waitProducts(e, 0, sums);
    Registers next(references);
    llvm::append_range(next, sums);
    return next;
  }

  const SwappedBlock &block;
  const SplitPlan &plan;
  bool readsEarly;
  Value lane;
  ptx::WarpgroupProduct product;
  SwappedResult result;
};

} // namespace

void kernel::emitSwappedValues(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, Value thread) {
  SwappedValues(e, block, inputs, plan, thread).emit(e);
}
