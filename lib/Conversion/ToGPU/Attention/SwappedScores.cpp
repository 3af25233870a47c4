//===- SwappedScores.cpp - the roles that make scores ---------------------===//
//
// A group has every second block. Keys go through registers, where codes become
// elements: there they are the left operand of a product with the queries, and
// from there they go to shared memory, as values.
//
//===----------------------------------------------------------------------===//

#include "SwappedScores.h"
#include "../NVIDIA/Warp.h"
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
/// Boxes that are multiplied ahead of the first that is stored.
static constexpr int64_t kBoxesWaiting = 2;

namespace {

class SwappedScores {
public:
  SwappedScores(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                const KeyLocator &locator, Value group, Value thread)
      : block(block), inputs(inputs), plan(plan), group(group), thread(thread),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        finder(e, inputs, locator, warp, lane),
        keys(e, block, inputs, group, warp, lane),
        softmax(e, block, inputs, plan, group, warp, lane),
        queries(e, block.getQueries(), Major::K),
        product{SwappedBlock::kTileRows, inputs.getProblem().elements} {
    ptx::raiseRegisters(e, SwappedBlock::kScoreRegisters);
  }

  void emit(Emitter &e) {
    // Blocks and parts so far.
    Registers none = {i32(e, 0), i32(e, 0)};
    plan.forEachPart(e, none,
                     [&](Emitter &e, const Part &part, ValueRange state) {
                       return emitPart(e, part, state[0], state[1]);
                     });
  }

private:
  Registers emitPart(Emitter &e, const Part &part, Value blocks, Value parts) {
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    runIf(e, hasBlocks, [&](Emitter &e) {
      attend(e, SwappedRowFinder::limitKeys(e, part), blocks, parts);
    });
    Value used = arith::ExtUIOp::create(e, e.getI32Type(), hasBlocks);
    Value count = ptx::minusI(e, part.end, part.firstBlock);
    return {plusI(e, blocks, count), plusI(e, parts, used)};
  }

  void attend(Emitter &e, const Part &part, Value blocks, Value parts) {
    // This group's blocks are every second one of the kernel.
    Value turn = ptx::moduloI(e, plusI(e, blocks, group), kGroups);
    Value begin = plusI(e, part.firstBlock, turn);
    Value entry = finder.loadEntry(e, part, begin);
    Value nextEntry = finder.loadEntry(e, part, plusI(e, begin, kGroups));
    SwappedRows rows = finder.find(e, part, entry, begin);
    Value member =
        plusI(e, timesI(e, group, SwappedBlock::kGroupThreads), thread);
    bringSwappedQueries(e, block, inputs, plan, part, member);
    // Rope columns behind that one's wait for the launch ahead: those of keys
    // that do not exist are read from a row of queries.
    Registers carried = {nextEntry, rows.exist};
    SwappedState::create(e).pack(carried);
    llvm::append_range(carried, keys.loadRope(e, rows));

    auto loop = scf::ForOp::create(
        e, begin, part.end, i32(e, kGroups), carried,
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          Value count =
              plusI(e, blocks, ptx::minusI(e, number, part.firstBlock));
          scf::YieldOp::create(e, addBlock(e, part, number, count, state));
        });
    ValueRange rest = loop.getResults().drop_front(2);
    softmax.storeSums(e, SwappedState::unpack(rest), parts);
  }

  /// `state`: the entry of the group's next block; of this one which keys
  /// exist, what came before, and the rope columns.
  Registers addBlock(Emitter &e, const Part &part, Value number, Value count,
                     ValueRange state) const {
    Value entry = state[0], exist = state[1];
    state = state.drop_front(2);
    SwappedState softmaxState = SwappedState::unpack(state);
    Value next = plusI(e, number, kGroups);

    SwappedBlock::Place place = block.getPlace(e, count);
    SwizzledTile values = block.getValues(e, place.stage);
    Registers scores;
    if (!state.empty())
      scores = multiply(e, {}, keys.convertRope(e, state, exist), kBoxes);
    // A whole block ahead, and behind the use of those before: who waits for a
    // load waits for all that share its scoreboard.
    SwappedRows rows = finder.find(e, part, entry, next);
    Registers carried = {finder.loadEntry(e, part, plusI(e, next, kGroups)),
                         rows.exist};
    Registers rope = keys.loadRope(e, rows);
    keys.wait(e, ptx::dividedByI(e, count, kGroups));
    Registers scales = keys.loadScales(e), codes = keys.loadCodes(e, 0);
    SmallVector<Registers> waiting;
    for (int64_t box = 0; box < kBoxes; ++box) {
      Registers ahead;
      if (box + 1 < kBoxes)
        ahead = keys.loadCodes(e, box + 1);
      waiting.push_back(keys.convert(e, codes, scales, box));
      codes = ahead;
      scores = multiply(e, scores, waiting.back(), box);
      // The values of two blocks before may still be multiplied; a stage that
      // was never used is free.
      if (box + 1 == kBoxesWaiting)
        block.getFree(e, place.stage)
            .wait(e, arith::XOrIOp::create(e, place.round, i32(e, 1)));
      if (box + 1 >= kBoxesWaiting) {
        int64_t first = box + 1 - waiting.size();
        for (auto [i, operands] : llvm::enumerate(waiting))
          keys.store(e, values, first + i, operands);
        waiting.clear();
      }
    }
    keys.release(e);
    scores = ptx::waitProducts(e, 0, scores);
    softmax.publish(e, part, number, count, scores, keys, exist, softmaxState);
    softmaxState.pack(carried);
    llvm::append_range(carried, rope);
    return carried;
  }

  /// Adds products of a box's columns.
  Registers multiply(Emitter &e, Registers scores, ValueRange operands,
                     int64_t box) const {
    constexpr int64_t depth = 16, operand = SwappedKeys::kOperand;
    ptx::fenceProducts(e);
    for (int64_t i = 0; i < SwappedKeys::kProducts; ++i)
      scores = ptx::multiply(
          e, product, scores, operands.slice(i * operand, operand),
          queries.get(e, box * SwizzledTile::kBoxColumns + i * depth),
          Major::K);
    ptx::commitProducts(e);
    // Operands of two boxes at a time.
    ptx::waitProducts(e, 1, ValueRange());
    return scores;
  }

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  Value group, thread, warp, lane;
  SwappedRowFinder finder;
  SwappedKeys keys;
  SwappedSoftmax softmax;
  ptx::MatrixOperand queries;
  ptx::WarpgroupProduct product;
};

} // namespace

void kernel::emitSwappedScores(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, const KeyLocator &locator,
                               Value group, Value thread) {
  SwappedScores(e, block, inputs, plan, locator, group, thread).emit(e);
}
