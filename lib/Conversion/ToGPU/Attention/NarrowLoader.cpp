//===- NarrowLoader.cpp - the role that brings narrow keys ----------------===//
//
// A warp has 16 keys of a block. Each of its lanes finds one of them, lanes 16
// to 31 the same ones, and all take addresses from there. A warp's rows are
// copied as if they were one: 32 lanes have chunks that follow each other, and
// only at a row's end go on with the next.
//
//===----------------------------------------------------------------------===//

#include "NarrowLoader.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "WarpKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::minusI;
using ptx::moduloI;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kLanes = 32;
static constexpr int64_t kChunkBytes = 16;
/// Of a copy of all lanes.
static constexpr int64_t kCopyBytes = kLanes * kChunkBytes;
static constexpr int64_t kWarpKeys = NarrowBlock::kWarpKeys;
static_assert(kWarpKeys == WarpKeys::kWarpKeys &&
              NarrowBlock::kBlockKeys == WarpKeys::kBlockKeys);

namespace {

class NarrowLoader {
public:
  NarrowLoader(Emitter &e, const NarrowBlock &block, const SplitPlan &plan,
               const KeyLocator &locator, Value thread)
      : block(block), plan(plan), locator(locator),
        warp(dividedByI(e, thread, kLanes)), lane(moduloI(e, thread, kLanes)),
        ownKey(WarpKeys::getOwn(e, warp, lane)) {
    ptx::lowerRegisters(e, NarrowBlock::kLoaderRegisters);
  }

  void emit(Emitter &e) {
    plan.forEachPart(e, bringFirst(e),
                     [&](Emitter &e, const Part &part, ValueRange state) {
                       return emitPart(e, part, state);
                     });
  }

private:
  /// The first block of all, if its rows follow each other, as within a page.
  /// Those are copied by as few instructions as that takes, since everybody
  /// waits for them. Other blocks' copies are to be further apart: many at once
  /// are in the way of those who read the keys.
  ///
  /// Returns where the ring is behind it; of its request the next block, and
  /// what that one's keys are found by; and the request.
  ptx::Registers bringFirst(Emitter &e) const {
    const FirstKeys &keys = plan.getFirstKeys();
    RingPlace stage = RingPlace::create(e, /*parity=*/1);
    KeyAddress key =
        locator.locate(e, keys.loaded, keys.keys, getKey(e, keys.block));
    Value own = ptx::toI64(
        e, timesI(e, moduloI(e, lane, kWarpKeys), block.getRowBytes()));
    Value first = minusI(e, key.address, own);
    auto branch = scf::IfOp::create(
        e,
        both(e, keys.exist,
             WarpKeys::areRun(e, locator, key, first, block.getRowBytes())),
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          // A stage that was never used is free.
          copyRun(e, first, getRows(e, stage.slot));
          arrive(e, i32(e, -1), stage.slot);
          Value next = plusI(e, keys.block, 1);
          ptx::Registers state;
          stage.getNext(e, block.getStages()).pack(state);
          state.append({next, loadEntry(e, keys.request, keys.keys, next)});
          scf::YieldOp::create(e, state);
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          ptx::Registers state;
          stage.pack(state);
          state.append({keys.block, keys.loaded});
          scf::YieldOp::create(e, state);
        });
    ptx::Registers state(branch.getResults());
    state.push_back(keys.request);
    return state;
  }

  ptx::Registers emitPart(Emitter &e, const Part &part, ValueRange state) {
    ptx::Registers carried;
    RingPlace::unpack(state).pack(carried);
    Value next = state[0], entry = state[1], request = state[2];
    auto branch = scf::IfOp::create(
        e,
        arith::CmpIOp::create(e, arith::CmpIPredicate::eq, request,
                              part.request),
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, {next, entry});
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
          Value entry = valueIf(e, hasBlocks, i32(e, 0), [&](Emitter &e) {
            return loadEntry(e, part.request, part.keys, part.firstBlock);
          });
          scf::YieldOp::create(e, {part.firstBlock, entry});
        });
    carried.push_back(branch.getResult(1));
    auto loop = scf::ForOp::create(
        e, branch.getResult(0), part.end, i32(e, 1), carried,
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          RingPlace stage = RingPlace::unpack(state);
          KeyAddress key =
              locator.locate(e, state.front(), part.keys, getKey(e, number));
          // A block ahead.
          Value entry =
              loadEntry(e, part.request, part.keys, plusI(e, number, 1));
          bring(e, key, stage);
          ptx::Registers next;
          stage.getNext(e, block.getStages()).pack(next);
          next.push_back(entry);
          scf::YieldOp::create(e, next);
        });
    ptx::Registers after(loop.getResults().drop_back());
    after.append({next, entry, request});
    return after;
  }

  Value getKey(Emitter &e, Value number) const {
    return WarpKeys::get(e, number, ownKey);
  }

  Value loadEntry(Emitter &e, Value request, Value keys, Value number) const {
    return locator.loadEntry(e, request, keys, getKey(e, number));
  }

  /// Copies the warp's rows to the stage; zeros of keys that do not exist.
  void bring(Emitter &e, const KeyAddress &key, const RingPlace &stage) const {
    auto [low, high] = ptx::splitI64(e, key.address);
    Value exists = arith::ExtUIOp::create(e, e.getI32Type(), key.exists);
    // Rows begin at multiples of 16: the lowest bit is free to say it.
    low = arith::OrIOp::create(e, low, exists);
    block.getFree(e, stage.slot).wait(e, stage.parity);
    Value exist = ptx::ballot(e, exists);
    copyRows(e, low, high, getRows(e, stage.slot));
    arrive(e, exist, stage.slot);
  }

  /// The warp's in a stage.
  ptx::Address getRows(Emitter &e, Value stage) const {
    return block.getKeys(e, stage).advance(
        e, timesI(e, warp, kWarpKeys * block.getPitch()));
  }

  /// Behind a stage's copies; `exist` as NarrowBlock::getExist has it.
  void arrive(Emitter &e, Value exist, Value stage) const {
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(
          e, block.getExist(e, stage).advance(e, timesI(e, warp, 4)), exist);
    });
    ptx::SharedBarrier full = block.getFull(e, stage);
    full.arriveWithCopies(e);
    full.arriveByWarp(e, lane);
  }

  /// Rows that follow each other from `first` on: all addresses are one and
  /// constants, and of places in shared memory there are few.
  void copyRun(Emitter &e, Value first, ptx::Address to) const {
    int64_t rowBytes = block.getRowBytes(), gap = block.getPitch() - rowBytes;
    Value bytes = timesI(e, lane, kChunkBytes);
    Value from = plusI(e, first, ptx::toI64(e, bytes));
    for (int64_t begin = 0; begin < kWarpKeys * rowBytes; begin += kCopyBytes) {
      // Lanes beyond the row's end have chunks of the next.
      int64_t left = rowBytes - begin % rowBytes;
      Value place = bytes;
      if (left < kCopyBytes)
        place = arith::SelectOp::create(e, ptx::isLessI(e, bytes, i32(e, left)),
                                        bytes, plusI(e, bytes, gap));
      ptx::copyAsync16(e,
                       to.advance(e, place) + (begin + begin / rowBytes * gap),
                       from, Value(), begin);
    }
  }

  void copyRows(Emitter &e, Value low, Value high, ptx::Address to) const {
    int64_t rowBytes = block.getRowBytes();
    int64_t chunks = kWarpKeys * rowBytes / kChunkBytes;
    // From copy to copy, in the loop: all places ahead of it take too many
    // registers.
    Value first = ptx::opaque(e, lane);
    Value bytes = timesI(e, first, kChunkBytes); // From the row's start on.
    Value row = i32(e, 0);
    Value place = bytes;
    for (int64_t number = 0; number < chunks; number += kLanes) {
      Value ends = arith::CmpIOp::create(e, arith::CmpIPredicate::sge, bytes,
                                         i32(e, rowBytes));
      auto advanceIf = [&](Value value, int64_t amount) -> Value {
        return arith::SelectOp::create(e, ends, plusI(e, value, amount), value);
      };
      bytes = advanceIf(bytes, -rowBytes);
      place = advanceIf(place, block.getPitch() - rowBytes);
      row = advanceIf(row, 1);
      Value taken = ptx::ofLane(e, low, row);
      Value exists = arith::AndIOp::create(e, taken, i32(e, 1));
      Value address = ptx::joinI64(e, arith::XOrIOp::create(e, taken, exists),
                                   ptx::ofLane(e, high, row));
      // At the end lanes are too many: all take an address and some copy.
      Value isChunk = number + kLanes <= chunks
                          ? Value()
                          : ptx::isLessI(e, first, i32(e, chunks - number));
      runIf(e, isChunk, [&](Emitter &e) {
        ptx::copyAsync16(e, to.advance(e, place),
                         plusI(e, address, ptx::toI64(e, bytes)),
                         timesI(e, exists, kChunkBytes));
      });
      bytes = plusI(e, bytes, kCopyBytes);
      place = plusI(e, place, kCopyBytes);
    }
  }

  const NarrowBlock &block;
  const SplitPlan &plan;
  const KeyLocator &locator;
  Value warp, lane;
  Value ownKey; ///< The key of a block that this lane finds.
};

} // namespace

void kernel::emitNarrowLoader(Emitter &e, const NarrowBlock &block,
                              const SplitPlan &plan, const KeyLocator &locator,
                              Value thread) {
  NarrowLoader(e, block, plan, locator, thread).emit(e);
}
