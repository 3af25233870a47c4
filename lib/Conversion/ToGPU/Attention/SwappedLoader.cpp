//===- SwappedLoader.cpp - the role that copies keys ----------------------===//
//
// A warp copies 16 keys of each block. Where these are rows that follow each
// other, they are one piece of memory, here and there.
//
//===----------------------------------------------------------------------===//

#include "SwappedLoader.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "SwappedRows.h"
#include "WarpKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::minusI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kLanes = 32, kCopyBytes = 16;
static constexpr int64_t kWarpKeys = SwappedBlock::kWarpKeys;
/// Blocks of a part beyond which its rows come by bulk copies: these start
/// later, but take one instruction and no path through the load units.
static constexpr int64_t kLongPart = 16;

namespace {

class SwappedLoader {
public:
  SwappedLoader(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                const KeyLocator &locator, Value thread)
      : block(block), plan(plan), locator(locator),
        rowBytes(block.getRowBytes()), warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        finder(e, inputs, locator, warp, lane) {
    ptx::lowerRegisters(e, SwappedBlock::kLoaderRegisters);
  }

  void emit(Emitter &e) {
    Registers start{i32(e, 0)}; // Blocks so far.
    llvm::append_range(start, bringFirst(e));
    plan.forEachPart(
        e, start, [&](Emitter &e, const Part &part, ValueRange state) {
          return emitPart(e, SwappedRowFinder::limitKeys(e, part), state);
        });
  }

private:
  /// The first block of all, if its rows follow each other, as within a page:
  /// by as few instructions as that takes, since everybody waits for it.
  ///
  /// Returns of its request the next block, and what that one's keys are found
  /// by; and the request.
  Registers bringFirst(Emitter &e) const {
    const FirstKeys &keys = plan.getFirstKeys();
    KeyAddress key = finder.locate(e, keys.loaded, keys.keys, keys.block);
    Value first = minusI(e, key.address, getOwnBytes(e));
    auto branch = scf::IfOp::create(
        e,
        both(e, keys.exist, WarpKeys::areRun(e, locator, key, first, rowBytes)),
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          // A stage that was never used is free.
          Value stage = block.getStage(e, i32(e, 0)).slot;
          copyRun(e, first, getPlace(e, stage));
          arrive(e, i32(e, -1), stage);
          Value next = plusI(e, keys.block, 1);
          scf::YieldOp::create(
              e, {next, finder.loadEntry(e, keys.request, keys.keys, next)});
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, {keys.block, keys.loaded});
        });
    Registers state(branch.getResults());
    state.push_back(keys.request);
    return state;
  }

  Registers emitPart(Emitter &e, const Part &part, ValueRange state) {
    Value blocks = state[0], next = state[1], entry = state[2],
          request = state[3];
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    runIf(e, hasBlocks, [&](Emitter &e) {
      Value isLong = ptx::isLessI(e, i32(e, kLongPart),
                                  minusI(e, part.end, part.firstBlock));
      auto begin = scf::IfOp::create(
          e,
          arith::CmpIOp::create(e, arith::CmpIPredicate::eq, request,
                                part.request),
          [&](OpBuilder &builder, Location loc) {
            scf::YieldOp::create(builder, loc, {next, entry});
          },
          [&](OpBuilder &builder, Location loc) {
            Emitter e(loc, builder);
            scf::YieldOp::create(
                e,
                {part.firstBlock, finder.loadEntry(e, part.request, part.keys,
                                                   part.firstBlock)});
          });
      scf::ForOp::create(
          e, begin.getResult(0), part.end, i32(e, 1), begin.getResult(1),
          [&](OpBuilder &builder, Location loc, Value number,
              ValueRange state) {
            Emitter e(loc, builder);
            SwappedRows rows = finder.find(e, part, state[0], number);
            // A block ahead.
            Value next = finder.loadEntry(e, part.request, part.keys,
                                          plusI(e, number, 1));
            bring(e, rows, plusI(e, blocks, minusI(e, number, part.firstBlock)),
                  isLong);
            scf::YieldOp::create(e, next);
          });
    });
    Value count = minusI(e, part.end, part.firstBlock);
    return {plusI(e, blocks, count), next, entry, request};
  }

  /// Brings the keys of block `count` of the kernel.
  void bring(Emitter &e, const SwappedRows &rows, Value count,
             Value isLong) const {
    // Most often all exist and follow each other.
    Value first = rows.getAddress(e, i32(e, 0), i32(e, 0));
    Value follows =
        arith::CmpIOp::create(e, arith::CmpIPredicate::eq, rows.address,
                              plusI(e, first, getOwnBytes(e)));
    Value own = ptx::moduloI(e, lane, kWarpKeys);
    Value isRun =
        ptx::holdsInAllLanes(e, both(e, follows, rows.exists(e, own)));

    SwappedBlock::Place stage = block.getStage(e, count);
    block.getFree(e, stage.slot).wait(e, stage.getRoundBefore(e));
    ptx::Address to = getPlace(e, stage.slot);
    auto branch = scf::IfOp::create(e, isRun, /*withElse=*/true);
    Emitter run(e.getLoc(), branch.getThenBodyBuilder());
    auto kind = scf::IfOp::create(run, isLong, /*withElse=*/true);
    Emitter bulk(e.getLoc(), kind.getThenBodyBuilder());
    runIf(bulk, ptx::isEqualI(bulk, lane, 0), [&](Emitter &e) {
      ptx::SharedBarrier full = block.getFull(e, stage.slot);
      full.expectBytes(e, kWarpKeys * rowBytes);
      ptx::copyBulk(e, to, first, kWarpKeys * rowBytes, full);
    });
    Emitter pieces(e.getLoc(), kind.getElseBodyBuilder());
    copyRun(pieces, first, to);
    Emitter others(e.getLoc(), branch.getElseBodyBuilder());
    copyOthers(others, rows, to);
    arrive(e, rows.exist, stage.slot);
  }

  /// From the first of the warp's rows to this lane's, where they follow each
  /// other, i64.
  Value getOwnBytes(Emitter &e) const {
    return ptx::toI64(e, timesI(e, ptx::moduloI(e, lane, kWarpKeys), rowBytes));
  }

  /// Of the lane's first chunk of the warp's rows, in a stage.
  ptx::Address getPlace(Emitter &e, Value stage) const {
    return block.getKeys(e, stage)
        .advance(e, timesI(e, warp, kWarpKeys * rowBytes))
        .advance(e, timesI(e, lane, kCopyBytes));
  }

  /// Behind a stage's copies; `exist` as SwappedRows has it.
  void arrive(Emitter &e, Value exist, Value stage) const {
    ptx::SharedBarrier full = block.getFull(e, stage);
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(e, block.getExist(e, stage, warp), exist);
      full.arrive(e);
    });
    full.arriveWithCopies(e);
  }

  /// `copy` copies the chunks from `chunk` on that lanes have of `chunks`.
  void forEachChunk(Emitter &e, int64_t chunks,
                    function_ref<void(Emitter &, int64_t chunk)> copy) const {
    int64_t chunk = 0;
    for (; chunk + kLanes <= chunks; chunk += kLanes)
      copy(e, chunk);
    if (chunk < chunks)
      runIf(e, ptx::isLessI(e, lane, i32(e, chunks - chunk)),
            [&](Emitter &e) { copy(e, chunk); });
  }

  /// Rows that follow each other, from `first` on.
  void copyRun(Emitter &e, Value first, ptx::Address to) const {
    Value from = plusI(e, first, ptx::toI64(e, timesI(e, lane, kCopyBytes)));
    forEachChunk(e, kWarpKeys * rowBytes / kCopyBytes,
                 [&](Emitter &e, int64_t chunk) {
                   ptx::copyAsync16(e, to + chunk * kCopyBytes, from, Value(),
                                    chunk * kCopyBytes);
                 });
  }

  /// Any rows; zeros of those that do not exist. A loop, whose end the compiler
  /// does not know: all of its places ahead of it would take too many
  /// registers.
  void copyOthers(Emitter &e, const SwappedRows &rows, ptx::Address to) const {
    scf::ForOp::create(
        e, i32(e, 0), ptx::opaque(e, i32(e, kWarpKeys)), i32(e, 1),
        ValueRange(),
        [&](OpBuilder &builder, Location loc, Value key, ValueRange) {
          Emitter e(loc, builder);
          Value from = rows.getAddress(e, key, timesI(e, lane, kCopyBytes));
          Value bytes = arith::SelectOp::create(e, rows.exists(e, key),
                                                i32(e, kCopyBytes), i32(e, 0));
          ptx::Address row = to.advance(e, timesI(e, key, rowBytes));
          forEachChunk(e, rowBytes / kCopyBytes,
                       [&](Emitter &e, int64_t chunk) {
                         ptx::copyAsync16(e, row + chunk * kCopyBytes, from,
                                          bytes, chunk * kCopyBytes);
                       });
          scf::YieldOp::create(builder, loc);
        });
  }

  const SwappedBlock &block;
  const SplitPlan &plan;
  const KeyLocator &locator;
  int64_t rowBytes;
  Value warp, lane;
  SwappedRowFinder finder;
};

} // namespace

void kernel::emitSwappedLoader(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, const KeyLocator &locator,
                               Value thread) {
  SwappedLoader(e, block, inputs, plan, locator, thread).emit(e);
}
