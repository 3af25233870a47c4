//===- SwappedScores.cpp - the roles that make scores ---------------------===//
//
// A group has every second block. Keys go through registers, where codes become
// elements: there they are the left operand of a product with the queries.
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
/// Boxes whose codes are read ahead; and boxes that are converted behind the
/// reading of references, and the wait for memory for probabilities.
static constexpr int64_t kBoxesAhead = 2, kBoxesReferences = 2;

namespace {

class SwappedScores {
public:
  SwappedScores(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                Value group, Value thread)
      : block(block), inputs(inputs), plan(plan), group(group), thread(thread),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        keys(e, block, inputs, warp, lane),
        softmax(e, block, inputs, plan, group, warp, lane),
        queries(e, block.getQueries(), Major::K),
        product{SwappedBlock::kTileRows, inputs.getProblem().elements} {}

  /// The first part's queries are brought ahead of the wait for registers:
  /// behind keys, which are many more bytes, they would come late.
  void emit(Emitter &e) {
    const FirstKeys &first = plan.getFirstKeys();
    runIf(e, first.exist, [&](Emitter &e) { bringQueries(e, first.request); });
    ptx::raiseRegisters(e, SwappedBlock::kScoreRegisters);
    plan.forEachCountedPart(
        e, [&](Emitter &e, const Part &part, Value blocks, Value parts) {
          return emitPart(e, part, blocks, parts);
        });
  }

private:
  // What is computed of opaque ones is nothing that the loop has registers for.
  void bringQueries(Emitter &e, Value request) const {
    Value member =
        plusI(e, timesI(e, group, SwappedBlock::kGroupThreads), thread);
    bringSwappedQueries(e, block, inputs, plan, request,
                        ptx::opaque(e, member));
  }

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
    const FirstKeys &first = plan.getFirstKeys();
    Value isFirst = both(e, first.exist,
                         arith::CmpIOp::create(e, arith::CmpIPredicate::eq,
                                               part.request, first.request));
    auto brought = scf::IfOp::create(e, isFirst, /*withElse=*/true);
    Emitter missing(e.getLoc(), brought.getElseBodyBuilder());
    bringQueries(missing, part.request);
    auto loop = scf::ForOp::create(
        e, begin, part.end, i32(e, kGroups), SwappedState::create(e).pack(),
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          Value count =
              plusI(e, blocks, ptx::minusI(e, number, part.firstBlock));
          scf::YieldOp::create(e, addBlock(e, part, number, count, state));
        });
    SwappedState state = SwappedState::unpack(loop.getResults());
    softmax.getExchange().storeSums(e, state.sums, state.references, parts);
  }

  /// `state`: what came before.
  Registers addBlock(Emitter &e, const Part &part, Value number, Value count,
                     ValueRange state) const {
    SwappedState softmaxState = SwappedState::unpack(state);
    SwappedBlock::Place stage = block.getStage(e, count);
    SwappedBlock::Place message = block.getMessage(e, count);
    ptx::Address place = keys.getPlace(e, stage.slot);
    block.getFull(e, stage.slot).wait(e, stage.round);
    SwappedSoftmax::Scores scores;
    scores.scales = keys.loadScales(e, place);
    SmallVector<Registers> codes;
    for (int64_t box = 0; box < kBoxesAhead; ++box)
      codes.push_back(keys.loadCodes(e, place, box));
    Registers rope = keys.loadRope(e, place);
    scores.exist = keys.loadExist(e, stage.slot);
    SwappedReferences references;
    for (int64_t box = 0; box < kBoxes; ++box) {
      if (box + kBoxesAhead < kBoxes)
        codes.push_back(keys.loadCodes(e, place, box + kBoxesAhead));
      if (box + kBoxesAhead + 1 == kBoxes)
        block.getFree(e, stage.slot).arriveByWarp(e, lane);
      // Known for long, most often: not on the way from scores to
      // probabilities.
      if (box + kBoxesReferences == kBoxes) {
        block.getConsumed(e, message.slot).wait(e, message.getRoundBefore(e));
        references =
            softmax.getExchange().takeReferences(e, part, number, count);
      }
      Registers operands = keys.convert(e, codes[box], scores.scales, box);
      scores.products = multiply(e, scores.products,
                                 box == 1 ? rope : Registers(), operands, box);
    }
    scores.products = ptx::waitProducts(e, 0, scores.products);
    softmax.publish(e, part, number, count, scores, references, keys,
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
