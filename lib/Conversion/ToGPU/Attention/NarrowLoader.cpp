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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::moduloI;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kLanes = 32;
static constexpr int64_t kChunkBytes = 16;
static constexpr int64_t kWarpKeys = NarrowBlock::kWarpKeys;

namespace {

class NarrowLoader {
public:
  NarrowLoader(Emitter &e, const NarrowBlock &block, const SplitPlan &plan,
               const KeyLocator &locator, Value thread)
      : block(block), plan(plan), locator(locator),
        warp(dividedByI(e, thread, kLanes)), lane(moduloI(e, thread, kLanes)),
        ownKey(
            plusI(e, timesI(e, warp, kWarpKeys), moduloI(e, lane, kWarpKeys))) {
    ptx::lowerRegisters(e, NarrowBlock::kLoaderRegisters);
  }

  void emit(Emitter &e) {
    ptx::Registers start;
    RingPlace::create(e, /*parity=*/1).pack(start);
    plan.forEachPart(e, start,
                     [&](Emitter &e, const Part &part, ValueRange state) {
                       return emitPart(e, part, state);
                     });
  }

private:
  ptx::Registers emitPart(Emitter &e, const Part &part, ValueRange state) {
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    ptx::Registers carried(state);
    carried.push_back(valueIf(e, hasBlocks, i32(e, 0), [&](Emitter &e) {
      return loadEntry(e, part, part.firstBlock);
    }));
    auto loop = scf::ForOp::create(
        e, part.firstBlock, part.end, i32(e, 1), carried,
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          RingPlace stage = RingPlace::unpack(state);
          KeyAddress key =
              locator.locate(e, state.front(), part.keys, getKey(e, number));
          // A block ahead.
          Value entry = loadEntry(e, part, plusI(e, number, 1));
          bring(e, key, stage);
          ptx::Registers next;
          stage.getNext(e, block.getStages()).pack(next);
          next.push_back(entry);
          scf::YieldOp::create(e, next);
        });
    return ptx::Registers(loop.getResults().drop_back());
  }

  Value getKey(Emitter &e, Value number) const {
    return plusI(e, timesI(e, number, NarrowBlock::kBlockKeys), ownKey);
  }

  Value loadEntry(Emitter &e, const Part &part, Value number) const {
    return locator.loadEntry(e, part.request, part.keys, getKey(e, number));
  }

  /// Copies the warp's rows to the stage; zeros of keys that do not exist.
  void bring(Emitter &e, const KeyAddress &key, const RingPlace &stage) const {
    ptx::SharedBarrier full = block.getFull(e, stage.slot);
    auto [low, high] = ptx::splitI64(e, key.address);
    Value exists = arith::ExtUIOp::create(e, e.getI32Type(), key.exists);
    // Rows begin at multiples of 16: the lowest bit is free to say it.
    low = arith::OrIOp::create(e, low, exists);
    block.getFree(e, stage.slot).wait(e, stage.parity);
    tellExisting(e, exists, stage.slot);
    copyRows(e, low, high,
             block.getKeys(e, stage.slot)
                 .advance(e, timesI(e, warp, kWarpKeys * block.getPitch())));
    full.arriveWithCopies(e);
    full.arriveByWarp(e, lane);
  }

  void tellExisting(Emitter &e, Value exists, Value stage) const {
    Value exist = ptx::ballot(e, exists);
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(
          e, block.getExist(e, stage).advance(e, timesI(e, warp, 4)), exist);
    });
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
      bytes = plusI(e, bytes, kLanes * kChunkBytes);
      place = plusI(e, place, kLanes * kChunkBytes);
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
