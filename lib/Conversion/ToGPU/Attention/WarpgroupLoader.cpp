//===- WarpgroupLoader.cpp - the role that feeds the attenders ------------===//

#include "WarpgroupLoader.h"
#include "KeyFeeder.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::SwizzledTile;

/// Threads of a row of queries.
static constexpr int64_t kLanes = 32;
static constexpr int64_t kChunks = 8;
static constexpr int64_t kQueryStep = WarpgroupBlock::kGroupThreads / kChunks;

namespace {

/// What a loader brings.
struct LoaderShare {
  bool ownHalf;   ///< Of each block, the half of the attender that owns it.
  bool otherHalf; ///< The other.
  bool rest;      ///< Rope columns, what keys are missing, and queries.
};

class Loader {
public:
  Loader(Emitter &e, const WarpgroupBlock &block, const AttentionInputs &inputs,
         const SplitPlan &plan, const KeyLocator &locator, Value thread,
         LoaderShare share)
      : block(block), inputs(inputs), plan(plan), locator(locator),
        share(share), thread(thread),
        row(ptx::dividedByI(e, thread, kChunks)),
        chunk(ptx::moduloI(e, thread, kChunks)),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        feeder(KeyFeeder::create(e, inputs, block, thread)) {
    ptx::lowerRegisters(e, block.getLoaderRegisters());
  }

  void emit(Emitter &e) {
    // Blocks and parts so far.
    ptx::Registers none = {ptx::i32(e, 0), ptx::i32(e, 0)};
    plan.forEachPart(
        e, none, [&](Emitter &e, const Part &part, ValueRange state) {
          return emitPart(e, part, state[0], state[1]);
        });
  }

private:
  ptx::Registers emitPart(Emitter &e, const Part &part, Value blocks,
                          Value parts) {
    Value step = ptx::i32(e, 1);
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    ptx::Registers state = {blocks};
    for (int64_t i = 0; i < getCarriedEntries(); ++i)
      state.push_back(valueIf(e, hasBlocks, ptx::i32(e, 0), [&](Emitter &e) {
        return loadEntry(e, part, part.firstBlock, i);
      }));
    auto loop = scf::ForOp::create(e, part.firstBlock, part.end, step, state);
    {
      OpBuilder::InsertionGuard guard(e);
      e.setInsertionPointToStart(loop.getBody());
      Value number = loop.getInductionVar();
      ValueRange carried = loop.getRegionIterArgs();
      ptx::Registers next = {ptx::plusI(e, carried[0], 1)};
      emitBlock(e, part, number, carried);
      // Behind the first block's copies: attenders need both, and the queries'
      // memory is free later.
      Value isFirst = arith::CmpIOp::create(e, arith::CmpIPredicate::eq, number,
                                            part.firstBlock);
      if (share.rest)
        runIf(e, isFirst, [&](Emitter &e) { emitQueries(e, part, parts); });
      // A block ahead.
      for (int64_t i = 0; i < getCarriedEntries(); ++i)
        next.push_back(loadEntry(e, part, ptx::plusI(e, number, 1), i));
      scf::YieldOp::create(e, next);
    }
    Value used = arith::ExtUIOp::create(e, e.getI32Type(), hasBlocks);
    return {loop.getResult(0), ptx::plusI(e, parts, used)};
  }

  /// Key number of this thread's row `i` of a block.
  Value getKey(Emitter &e, Value number, int64_t i) {
    Value first = ptx::timesI(e, number, WarpgroupBlock::kBlockKeys);
    return ptx::plusI(e, first, feeder->getRow(e, i));
  }

  Value loadEntry(Emitter &e, const Part &part, Value number, int64_t i) {
    return locator.loadEntry(e, part.request, part.keys, getKey(e, number, i));
  }

  void emitBlock(Emitter &e, const Part &part, Value number,
                 ValueRange carried) {
    Value stage = ptx::moduloI(e, carried[0], WarpgroupBlock::kStages);
    Value round = ptx::moduloI(
        e, ptx::dividedByI(e, carried[0], WarpgroupBlock::kStages), 2);
    // A piece that was never used is free.
    Value isFree = arith::XOrIOp::create(e, round, ptx::i32(e, 1));
    SmallVector<KeyAddress> kept;
    for (int64_t i = 0; i < getCarriedEntries(); ++i)
      kept.push_back(locator.locate(e, carried[1 + i], part.keys,
                                    getKey(e, number, i)));
    auto find = [&](Emitter &e, int64_t i) {
      return kept.empty() ? locator.find(e, part.request, part.keys,
                                         getKey(e, number, i))
                          : kept[i];
    };
    SwizzledTile tile = block.getKeys(e, stage);
    // The owner's half is free first and is wanted first.
    auto bringHalf = [&](Value half) {
      feeder->bringHalf(e, find, half, tile, block.getFree(e, stage, half),
                        isFree, block.getFull(e, stage, half));
    };
    if (share.ownHalf) {
      bringHalf(stage);
      if (block.convertsKeys())
        prefetch(e, part, number);
    }
    if (share.otherHalf)
      bringHalf(arith::XOrIOp::create(e, stage, ptx::i32(e, 1)));
    if (!share.rest)
      return;
    Value piece = ptx::i32(e, WarpgroupBlock::kRopePiece);
    ptx::SharedBarrier full = block.getFull(e, stage, piece);
    feeder->bringRope(e, find, tile, block.getFree(e, stage, piece), isFree,
                      full);
    tellMissing(e, find, stage);
    full.arrive(e);
  }

  /// What is converted passes through registers, too few to hide the latency of
  /// memory: a row per thread is on its way to the cache blocks ahead.
  void prefetch(Emitter &e, const Part &part, Value number) {
    constexpr int64_t ahead = 2;
    Value isMine = ptx::isLessI(
        e, thread, ptx::i32(e, WarpgroupBlock::kBlockKeys));
    Value block = ptx::plusI(e, number, ahead);
    Value isPart = ptx::isLessI(e, block, part.end);
    runIf(e, both(e, isMine, isPart), [&](Emitter &e) {
      Value first = ptx::timesI(e, block, WarpgroupBlock::kBlockKeys);
      KeyAddress key = locator.find(e, part.request, part.keys,
                                    ptx::plusI(e, first, thread));
      LatentAttentionOp op = inputs.getProblem().op;
      auto type = cast<MemRefType>(op.getCache().getType());
      int64_t bytes =
          type.getDimSize(2) * type.getElementTypeBitWidth() / 8;
      ptx::prefetchToL2(e, key.exists, key.address, bytes);
    });
  }

  /// Entries of a block's keys that are loaded a block ahead.
  int64_t getCarriedEntries() const {
    return feeder->isShortOfRegisters() ? 0 : feeder->getRows();
  }

  /// Which keys do not exist.
  void tellMissing(Emitter &e, FindKey find, Value stage) {
    ptx::Registers exist;
    for (int64_t i = 0; i < feeder->getRows(); ++i)
      exist.push_back(find(e, i).exists);
    runIf(e, feeder->hasFirstChunk(e), [&](Emitter &e) {
      ptx::Address to = block.getBias(e, stage).advance(
          e, ptx::timesI(e, feeder->getRow(e, 0), 4));
      for (auto [i, exists] : llvm::enumerate(exist)) {
        Value bias = arith::SelectOp::create(
            e, exists, constant(e, 0),
            constant(e, -std::numeric_limits<double>::infinity()));
        ptx::storeShared(e, to + i * feeder->getRowStep() * 4, bias);
      }
    });
    Value allExist;
    for (Value exists : exist)
      allExist = both(e, allExist, exists);
    Value lacks = arith::XOrIOp::create(
        e, allExist, arith::ConstantIntOp::create(e, 1, 1));
    Value anyLacks = ptx::holdsInAnyLane(e, lacks);
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(
          e, block.getMissing(e, stage).advance(e, ptx::timesI(e, warp, 4)),
          arith::ExtUIOp::create(e, e.getI32Type(), anyLacks).getResult());
    });
  }

  void emitQueries(Emitter &e, const Part &part, Value parts) {
    Value used = ptx::moduloI(e, parts, 2);
    block.getQueriesFree().wait(
        e, arith::XOrIOp::create(e, used, ptx::i32(e, 1)));
    SwizzledTile tile = block.getQueries();
    ptx::Address place = tile.getChunk(e, row, chunk);
    Value rows = inputs.getRows(e, part.request);
    Value first = inputs.getFirstRow(e, part.request);
    Value tileRow = ptx::plusI(
        e, ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows), row);
    constexpr int64_t boxes =
        WarpgroupBlock::kLatent / SwizzledTile::kBoxColumns;
    Value skipped = ptx::toI64(e, ptx::timesI(e, chunk, 16));
    for (int64_t i = 0; i < WarpgroupBlock::kTileRows / kQueryStep; ++i) {
      Value number = ptx::plusI(e, tileRow, i * kQueryStep);
      Value exists = ptx::isLessI(e, number, rows);
      // Rows past the end are zeros, and their addresses are not formed.
      Value inside =
          arith::SelectOp::create(e, exists, number, ptx::i32(e, 0));
      Value globalRow = ptx::plusI(e, first, inside);
      Value bytes = arith::SelectOp::create(e, exists, ptx::i32(e, 16),
                                            ptx::i32(e, 0));
      ptx::Address to = place + i * kQueryStep * SwizzledTile::kRowBytes;
      Value latent = arith::AddIOp::create(
          e, inputs.getLatentQuery(e, globalRow), skipped);
      for (int64_t box = 0; box < boxes; ++box)
        ptx::copyAsync16(e, to + box * tile.getBoxBytes(), latent, bytes,
                         box * SwizzledTile::kRowBytes);
      if (!block.getRope())
        continue;
      Value ropeAddress = arith::AddIOp::create(
          e, inputs.getRopeQuery(e, globalRow), skipped);
      ptx::copyAsync16(e, to + boxes * tile.getBoxBytes(), ropeAddress, bytes);
    }
    block.getQueriesFull().arriveWithCopies(e);
  }

  const WarpgroupBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  const KeyLocator &locator;
  LoaderShare share;
  Value thread;
  Value row, chunk; ///< Of the queries.
  Value warp, lane;
  std::unique_ptr<KeyFeeder> feeder;
};

} // namespace

void kernel::emitLoaders(Emitter &e, const WarpgroupBlock &block,
                         const AttentionInputs &inputs, const SplitPlan &plan,
                         const KeyLocator &locator, Value role, Value thread) {
  if (!block.convertsKeys())
    return Loader(e, block, inputs, plan, locator, thread, {true, true, true})
        .emit(e);
  Value isFirst = ptx::isEqualI(e, role, WarpgroupBlock::kAttenders);
  auto branch = scf::IfOp::create(e, isFirst, /*withElse=*/true);
  Emitter first(e.getLoc(), branch.getThenBodyBuilder());
  Loader(first, block, inputs, plan, locator, thread, {true, false, false})
      .emit(first);
  Emitter second(e.getLoc(), branch.getElseBodyBuilder());
  Loader(second, block, inputs, plan, locator, thread, {false, true, true})
      .emit(second);
}
