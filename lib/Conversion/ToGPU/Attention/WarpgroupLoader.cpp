//===- WarpgroupLoader.cpp - the role that feeds the attenders ------------===//

#include "WarpgroupLoader.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::SwizzledTile;

/// Rows between those of one thread, and how many it has of a tile.
static constexpr int64_t kLanes = 32;
static constexpr int64_t kChunks = 8;
static constexpr int64_t kRowStep = WarpgroupBlock::kGroupThreads / kChunks;
static constexpr int64_t kRows = WarpgroupBlock::kBlockKeys / kRowStep;
static_assert(WarpgroupBlock::kTileRows == WarpgroupBlock::kBlockKeys);

namespace {

class Loader {
public:
  Loader(Emitter &e, const WarpgroupBlock &block, const AttentionInputs &inputs,
         const SplitPlan &plan, const KeyLocator &locator, Value thread)
      : block(block), inputs(inputs), plan(plan), locator(locator),
        row(ptx::dividedByI(e, thread, kChunks)),
        chunk(ptx::moduloI(e, thread, kChunks)),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        policy(ptx::createEvictFirstPolicy(e)) {
    ptx::lowerRegisters(e, 40);
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
    for (int64_t i = 0; i < kRows; ++i)
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
      runIf(e, isFirst, [&](Emitter &e) { emitQueries(e, part, parts); });
      // A block ahead.
      for (int64_t i = 0; i < kRows; ++i)
        next.push_back(loadEntry(e, part, ptx::plusI(e, number, 1), i));
      scf::YieldOp::create(e, next);
    }
    Value used = arith::ExtUIOp::create(e, e.getI32Type(), hasBlocks);
    return {loop.getResult(0), ptx::plusI(e, parts, used)};
  }

  /// Key number of this thread's row `i` of a block.
  Value getKey(Emitter &e, Value number, int64_t i) {
    Value first = ptx::timesI(e, number, WarpgroupBlock::kBlockKeys);
    return ptx::plusI(e, ptx::plusI(e, first, row), i * kRowStep);
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
    ptx::Registers addresses, bytes, bias;
    for (int64_t i = 0; i < kRows; ++i) {
      KeyAddress key = locator.locate(e, carried[1 + i], part.keys,
                                      getKey(e, number, i));
      addresses.push_back(arith::AddIOp::create(
          e, key.address, ptx::toI64(e, ptx::timesI(e, chunk, 16))));
      bytes.push_back(arith::SelectOp::create(e, key.exists, ptx::i32(e, 16),
                                              ptx::i32(e, 0)));
      bias.push_back(arith::SelectOp::create(
          e, key.exists, constant(e, 0),
          constant(e, -std::numeric_limits<double>::infinity())));
    }
    SwizzledTile tile = block.getKeys(e, stage);
    ptx::Address place = tile.getChunk(e, row, chunk);
    constexpr int64_t half =
        WarpgroupBlock::kHalf / SwizzledTile::kBoxColumns;
    // The owner's half is free first and is wanted first.
    Value other = arith::XOrIOp::create(e, stage, ptx::i32(e, 1));
    for (Value piece : {stage, other}) {
      block.getFree(e, stage, piece).wait(e, isFree);
      ptx::Address to =
          place.advance(e, ptx::timesI(e, piece, half * tile.getBoxBytes()));
      Value skipped =
          ptx::toI64(e, ptx::timesI(e, piece, half * SwizzledTile::kRowBytes));
      for (int64_t i = 0; i < kRows; ++i) {
        Value from = arith::AddIOp::create(e, addresses[i], skipped);
        copyRow(e, to + i * kRowStep * SwizzledTile::kRowBytes, from, bytes[i],
                half, tile.getBoxBytes());
      }
      block.getFull(e, stage, piece).arriveWithCopies(e);
    }
    emitRopePiece(e, stage, isFree, tile, place, addresses, bytes, bias);
  }

  void emitRopePiece(Emitter &e, Value stage, Value isFree,
                     const SwizzledTile &tile, const ptx::Address &place,
                     ValueRange addresses, ValueRange bytes, ValueRange bias) {
    Value piece = ptx::i32(e, WarpgroupBlock::kRopePiece);
    block.getFree(e, stage, piece).wait(e, isFree);
    constexpr int64_t boxes =
        WarpgroupBlock::kLatent / SwizzledTile::kBoxColumns;
    if (block.getRope())
      for (int64_t i = 0; i < kRows; ++i)
        ptx::copyAsync16(e,
                         place + boxes * tile.getBoxBytes() +
                             i * kRowStep * SwizzledTile::kRowBytes,
                         addresses[i], bytes[i], policy,
                         boxes * SwizzledTile::kRowBytes);
    block.getFull(e, stage, piece).arriveWithCopies(e);
    Value isFirst = ptx::isEqualI(e, chunk, 0);
    runIf(e, isFirst, [&](Emitter &e) {
      ptx::Address to =
          block.getBias(e, stage).advance(e, ptx::timesI(e, row, 4));
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(e, to + i * kRowStep * 4, bias[i]);
    });
    Value lacks;
    for (Value count : bytes) {
      Value isMissing = ptx::isEqualI(e, count, 0);
      lacks = lacks ? arith::OrIOp::create(e, lacks, isMissing) : isMissing;
    }
    Value anyLacks = ptx::holdsInAnyLane(e, lacks);
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(
          e,
          block.getMissing(e, stage).advance(e, ptx::timesI(e, warp, 4)),
          arith::ExtUIOp::create(e, e.getI32Type(), anyLacks).getResult());
    });
    block.getFull(e, stage, piece).arrive(e);
  }

  /// Copies this thread's chunk of `boxes` boxes of a row.
  void copyRow(Emitter &e, ptx::Address to, Value from, Value bytes,
               int64_t boxes, int64_t boxBytes) {
    for (int64_t box = 0; box < boxes; ++box)
      ptx::copyAsync16(e, to + box * boxBytes, from, bytes, policy,
                       box * SwizzledTile::kRowBytes);
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
    for (int64_t i = 0; i < kRows; ++i) {
      Value number = ptx::plusI(e, tileRow, i * kRowStep);
      Value exists = ptx::isLessI(e, number, rows);
      // Rows past the end are zeros, and their addresses are not formed.
      Value inside =
          arith::SelectOp::create(e, exists, number, ptx::i32(e, 0));
      Value globalRow = ptx::plusI(e, first, inside);
      Value bytes = arith::SelectOp::create(e, exists, ptx::i32(e, 16),
                                            ptx::i32(e, 0));
      ptx::Address to = place + i * kRowStep * SwizzledTile::kRowBytes;
      Value latent = arith::AddIOp::create(
          e, inputs.getLatentQuery(e, globalRow), skipped);
      for (int64_t box = 0; box < boxes; ++box)
        ptx::copyAsync16(e, to + box * tile.getBoxBytes(), latent, bytes, {},
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
  Value row, chunk, warp, lane, policy;
};

} // namespace

void kernel::emitLoader(Emitter &e, const WarpgroupBlock &block,
                        const AttentionInputs &inputs, const SplitPlan &plan,
                        const KeyLocator &locator, Value thread) {
  Loader(e, block, inputs, plan, locator, thread).emit(e);
}
