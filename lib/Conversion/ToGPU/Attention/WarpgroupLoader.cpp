//===- WarpgroupLoader.cpp - the role that feeds the attenders ------------===//

#include "WarpgroupLoader.h"
#include "../NVIDIA/Warp.h"
#include "ConvertingLoader.h"
#include "KeyFeeder.h"
#include "QueryFeeder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static constexpr int64_t kLanes = 32;

namespace {

class Loader {
public:
  Loader(Emitter &e, const WarpgroupBlock &block, const AttentionInputs &inputs,
         const SplitPlan &plan, const KeyLocator &locator, Value thread)
      : block(block), inputs(inputs), plan(plan), locator(locator),
        thread(thread), warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)), feeder(e, block, thread),
        entries(locator.hasPagesOfBlocks(WarpgroupBlock::kBlockKeys)
                    ? 1
                    : feeder.getRows()) {
    ptx::lowerRegisters(e, block.getLoaderRegisters());
  }

  void emit(Emitter &e) {
    plan.forEachCountedPart(
        e, [&](Emitter &e, const Part &part, Value blocks, Value parts) {
          return emitPart(e, part, blocks, parts);
        });
  }

private:
  ptx::Registers emitPart(Emitter &e, const Part &part, Value blocks,
                          Value parts) {
    Value step = ptx::i32(e, 1);
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    ptx::Registers state = {blocks};
    for (int64_t i = 0; i < entries; ++i)
      state.push_back(valueIf(e, hasBlocks, ptx::i32(e, 0), [&](Emitter &e) {
        return loadEntry(e, part, part.firstBlock, i);
      }));
    // While the table's entries come. Their memory is free in the first part
    // alone.
    bool isAhead = !inputs.getProblem().readsEarly;
    if (isAhead)
      runIf(e, both(e, hasBlocks, ptx::isEqualI(e, parts, 0)), [&](Emitter &e) {
        bringQueries(e, block, inputs, plan, thread, part, parts);
      });
    auto loop = scf::ForOp::create(e, part.firstBlock, part.end, step, state);
    {
      OpBuilder::InsertionGuard guard(e);
      e.setInsertionPointToStart(loop.getBody());
      Value number = loop.getInductionVar();
      ValueRange carried = loop.getRegionIterArgs();
      ptx::Registers next = {ptx::plusI(e, carried[0], 1)};
      emitBlock(e, part, number, carried);
      // Other queries behind the first block's copies: attenders need both, and
      // the queries' memory is free later.
      Value brings = arith::CmpIOp::create(e, arith::CmpIPredicate::eq, number,
                                           part.firstBlock);
      if (isAhead)
        brings = both(e, brings, ptx::isLessI(e, ptx::i32(e, 0), parts));
      runIf(e, brings, [&](Emitter &e) {
        // Few parts come here: addresses are not kept in registers for them.
        Value here = isAhead ? ptx::opaque(e, thread) : thread;
        bringQueries(e, block, inputs, plan, here, part, parts);
      });
      // A block ahead.
      for (int64_t i = 0; i < entries; ++i)
        next.push_back(loadEntry(e, part, ptx::plusI(e, number, 1), i));
      scf::YieldOp::create(e, next);
    }
    Value used = arith::ExtUIOp::create(e, e.getI32Type(), hasBlocks);
    return {loop.getResult(0), ptx::plusI(e, parts, used)};
  }

  /// Key number of this thread's row `i` of a block.
  Value getKey(Emitter &e, Value number, int64_t i) {
    Value first = ptx::timesI(e, number, WarpgroupBlock::kBlockKeys);
    return ptx::plusI(e, first, feeder.getRow(e, i));
  }

  Value loadEntry(Emitter &e, const Part &part, Value number, int64_t i) {
    return locator.loadEntry(e, part.request, part.keys, getKey(e, number, i));
  }

  SmallVector<KeyAddress> locate(Emitter &e, const Part &part, Value number,
                                 ValueRange carried) {
    if (entries == 1)
      return locator.locateInPage(e, carried[1], part.keys,
                                  getKey(e, number, 0), feeder.getRowStep(),
                                  feeder.getRows());
    SmallVector<KeyAddress> keys;
    for (int64_t i = 0; i < entries; ++i)
      keys.push_back(
          locator.locate(e, carried[1 + i], part.keys, getKey(e, number, i)));
    return keys;
  }

  void emitBlock(Emitter &e, const Part &part, Value number,
                 ValueRange carried) {
    Value stage = ptx::moduloI(e, carried[0], WarpgroupBlock::kStages);
    Value round = ptx::moduloI(
        e, ptx::dividedByI(e, carried[0], WarpgroupBlock::kStages), 2);
    // A piece that was never used is free.
    Value isFree = arith::XOrIOp::create(e, round, ptx::i32(e, 1));
    SmallVector<KeyAddress> kept = locate(e, part, number, carried);
    for (KeyAddress &key : kept)
      key = feeder.skipChunks(e, key);
    // Code of its own for each stage, so that all its places are constants.
    static_assert(WarpgroupBlock::kStages == 2);
    auto branch =
        scf::IfOp::create(e, ptx::isEqualI(e, stage, 0), /*withElse=*/true);
    Emitter first(e.getLoc(), branch.getThenBodyBuilder());
    bringKeys(first, kept, 0, isFree);
    Emitter second(e.getLoc(), branch.getElseBodyBuilder());
    bringKeys(second, kept, 1, isFree);
    tellMissing(e, kept, stage);
    block.getFull(e, stage, ptx::i32(e, WarpgroupBlock::kRopePiece)).arrive(e);
  }

  void bringKeys(Emitter &e, ArrayRef<KeyAddress> keys, int64_t number,
                 Value isFree) {
    Value stage = ptx::i32(e, number);
    // The owner's half is free first and is wanted first.
    for (int64_t half : {number, 1 - number})
      feeder.bringHalf(e, keys, stage, half, isFree);
    feeder.bringRope(e, keys, stage, isFree);
  }

  /// Which keys do not exist.
  void tellMissing(Emitter &e, ArrayRef<KeyAddress> keys, Value stage) {
    ptx::Registers exist;
    for (const KeyAddress &key : keys)
      exist.push_back(key.exists);
    runIf(e, feeder.hasFirstChunk(e), [&](Emitter &e) {
      ptx::Address to = block.getBias(e, stage).advance(
          e, ptx::timesI(e, feeder.getRow(e, 0), 4));
      for (auto [i, exists] : llvm::enumerate(exist)) {
        Value bias = arith::SelectOp::create(
            e, exists, constant(e, 0),
            constant(e, -std::numeric_limits<double>::infinity()));
        ptx::storeShared(e, to + i * feeder.getRowStep() * 4, bias);
      }
    });
    Value allExist;
    for (Value exists : exist)
      allExist = both(e, allExist, exists);
    Value lacks = arith::XOrIOp::create(e, allExist,
                                        arith::ConstantIntOp::create(e, 1, 1));
    Value anyLacks = ptx::holdsInAnyLane(e, lacks);
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(
          e, block.getMissing(e, stage).advance(e, ptx::timesI(e, warp, 4)),
          arith::ExtUIOp::create(e, e.getI32Type(), anyLacks).getResult());
    });
  }

  const WarpgroupBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  const KeyLocator &locator;
  Value thread, warp, lane;
  KeyFeeder feeder;
  /// Of the table, that a thread loads for its rows of a block.
  int64_t entries;
};

} // namespace

void kernel::emitLoaders(Emitter &e, const WarpgroupBlock &block,
                         const AttentionInputs &inputs, const SplitPlan &plan,
                         const KeyLocator &locator, Value role, Value thread) {
  if (!block.convertsKeys())
    return Loader(e, block, inputs, plan, locator, thread).emit(e);
  Value isFirst = ptx::isEqualI(e, role, WarpgroupBlock::kAttenders);
  auto branch = scf::IfOp::create(e, isFirst, /*withElse=*/true);
  Emitter first(e.getLoc(), branch.getThenBodyBuilder());
  emitConvertingLoader(first, block, inputs, plan, locator, thread,
                       /*isFirst=*/true);
  Emitter second(e.getLoc(), branch.getElseBodyBuilder());
  emitConvertingLoader(second, block, inputs, plan, locator, thread,
                       /*isFirst=*/false);
}
