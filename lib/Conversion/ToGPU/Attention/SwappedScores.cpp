//===- SwappedScores.cpp - the roles that make scores ---------------------===//
//
// A group has every second block. Keys go through registers, where codes become
// elements: there they are the left operand of a product with the queries, and
// from there they go to shared memory, as values.
//
//===----------------------------------------------------------------------===//

#include "SwappedScores.h"
#include "../NVIDIA/Warpgroup.h"
#include "SwappedKeys.h"
#include "SwappedQueries.h"
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
using ptx::timesI;

static constexpr int64_t kLanes = 32;
static constexpr int64_t kGroups = SwappedBlock::kScoreGroups;
static constexpr int64_t kBoxes = SwappedKeys::kBoxes;
/// Boxes that are multiplied ahead of the first that is stored; whose codes are
/// read ahead; and that are converted behind the reading of references.
static constexpr int64_t kBoxesWaiting = 3, kBoxesAhead = 2,
                         kBoxesReferences = 2;

namespace {

class SwappedScores {
public:
  SwappedScores(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                Value group, Value thread)
      : block(block), inputs(inputs), plan(plan), group(group), thread(thread),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        keys(e, block, inputs, group, warp, lane),
        softmax(e, block, inputs, plan, group, warp, lane),
        queries(e, block.getQueries(), Major::K),
        product{SwappedBlock::kTileRows, inputs.getProblem().elements} {
    ptx::raiseRegisters(e, SwappedBlock::kScoreRegisters);
  }

  void emit(Emitter &e) {
    plan.forEachCountedPart(
        e, [&](Emitter &e, const Part &part, Value blocks, Value parts) {
          return emitPart(e, part, blocks, parts);
        });
  }

private:
  Registers emitPart(Emitter &e, const Part &part, Value blocks, Value parts) {
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    runIf(e, hasBlocks, [&](Emitter &e) { attend(e, part, blocks, parts); });
    Value used = arith::ExtUIOp::create(e, e.getI32Type(), hasBlocks);
    Value count = ptx::minusI(e, part.end, part.firstBlock);
    return {plusI(e, blocks, count), plusI(e, parts, used)};
  }

  void attend(Emitter &e, const Part &part, Value blocks, Value parts) {
    // This group's blocks are every second one of the kernel.
    Value turn = ptx::moduloI(e, plusI(e, blocks, group), kGroups);
    Value begin = plusI(e, part.firstBlock, turn);
    Value member =
        plusI(e, timesI(e, group, SwappedBlock::kGroupThreads), thread);
    bringSwappedQueries(e, block, inputs, plan, part, member);
    auto loop = scf::ForOp::create(
        e, begin, part.end, i32(e, kGroups), SwappedState::create(e).pack(),
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          Value count =
              plusI(e, blocks, ptx::minusI(e, number, part.firstBlock));
          scf::YieldOp::create(e, addBlock(e, part, number, count, state));
        });
    softmax.storeSums(e, SwappedState::unpack(loop.getResults()), parts);
  }

  /// `state`: what came before.
  Registers addBlock(Emitter &e, const Part &part, Value number, Value count,
                     ValueRange state) const {
    SwappedState softmaxState = SwappedState::unpack(state);
    SwappedBlock::Place place = block.getPlace(e, count);
    SwizzledTile values = block.getValues(e, place.stage);
    Value turn = ptx::dividedByI(e, count, kGroups);
    keys.wait(e, turn, 0);
    Registers scales = keys.loadScales(e);
    SmallVector<Registers> codes;
    for (int64_t box = 0; box < kBoxesAhead; ++box)
      codes.push_back(keys.loadCodes(e, box));
    Registers scores, references;
    Value exist;
    SmallVector<Registers> boxes;
    int64_t stored = 0;
    for (int64_t box = 0; box < kBoxes; ++box) {
      Registers rope;
      int64_t ahead = box + kBoxesAhead;
      if (ahead == SwappedKeys::kHalfBoxes) {
        keys.release(e, 0);
        keys.wait(e, turn, 1);
        exist = keys.loadExist(e);
        rope = keys.loadRope(e);
      }
      if (ahead < kBoxes)
        codes.push_back(keys.loadCodes(e, ahead));
      if (ahead + 1 == kBoxes)
        keys.release(e, 1);
      // Known for long, most often: not on the way from scores to
      // probabilities.
      if (box + kBoxesReferences == kBoxes)
        references = softmax.takeReferences(e, part, number, count);
      boxes.push_back(keys.convert(e, codes[box], scales, box));
      scores = multiply(e, scores, rope, boxes.back(), box);
      // The values of two blocks before may still be multiplied; a stage that
      // was never used is free.
      if (box + 1 == kBoxesWaiting)
        block.getFree(e, place.stage)
            .wait(e, arith::XOrIOp::create(e, place.round, i32(e, 1)));
      if (box + 1 >= kBoxesWaiting)
        for (; stored <= box; ++stored)
          keys.store(e, values, stored, boxes[stored]);
    }
    scores = ptx::waitProducts(e, 0, scores);
    softmax.publish(e, part, number, count, scores, references, keys, exist,
                    softmaxState);
    return softmaxState.pack();
  }

  /// Adds products of a box's columns, and of rope columns if there are any.
  Registers multiply(Emitter &e, Registers scores, ValueRange rope,
                     ValueRange operands, int64_t box) const {
    ptx::fenceProducts(e);
    if (!rope.empty())
      scores = addProducts(e, scores, rope, kBoxes);
    scores = addProducts(e, scores, operands, box);
    ptx::commitProducts(e);
    // Operands of two boxes at a time.
    ptx::waitProducts(e, 1, ValueRange());
    return scores;
  }

  Registers addProducts(Emitter &e, Registers scores, ValueRange operands,
                        int64_t box) const {
    constexpr int64_t depth = 16, operand = SwappedKeys::kOperand;
    for (int64_t i = 0; i < SwappedKeys::kProducts; ++i)
      scores = ptx::multiply(
          e, product, scores, operands.slice(i * operand, operand),
          queries.get(e, box * SwizzledTile::kBoxColumns + i * depth),
          Major::K);
    return scores;
  }

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  Value group, thread, warp, lane;
  SwappedKeys keys;
  SwappedSoftmax softmax;
  ptx::MatrixOperand queries;
  ptx::WarpgroupProduct product;
};

} // namespace

void kernel::emitSwappedScores(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, Value group,
                               Value thread) {
  SwappedScores(e, block, inputs, plan, group, thread).emit(e);
}
