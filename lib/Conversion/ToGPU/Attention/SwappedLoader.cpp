//===- SwappedLoader.cpp - the role that copies keys ----------------------===//
//
// A slice's halves are filled as soon as they are read: the first while its
// warp still converts the second. Rope columns have room for one block, and go
// with the second half.
//
//===----------------------------------------------------------------------===//

#include "SwappedLoader.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "SwappedRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kLanes = 32, kCopyBytes = 16, kElementBytes = 2;
static constexpr int64_t kWarpKeys = SwappedBlock::kWarpKeys;
static constexpr int64_t kPitch = SwappedBlock::kSlicePitch;
static constexpr int64_t kHalfBytes =
    SwappedBlock::kLatent / SwappedBlock::kHalves;
/// Lanes that copy half of a key's codes, and keys that a warp copies at once;
/// the same of rope columns.
static constexpr int64_t kKeyLanes = kHalfBytes / kCopyBytes;
static constexpr int64_t kKeysAtOnce = kLanes / kKeyLanes;
static constexpr int64_t kRopeLanes = SwappedBlock::kRopeChunks;
static constexpr int64_t kRopeKeysAtOnce = kLanes / kRopeLanes;

namespace {

class SwappedLoader {
public:
  SwappedLoader(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const SplitPlan &plan,
                const KeyLocator &locator, Value thread)
      : block(block), problem(inputs.getProblem()), plan(plan),
        rowBytes(problem.getCache().getRopeOffset() +
                 problem.rope * kElementBytes),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        which(ptx::dividedByI(e, lane, kKeyLanes)),
        chunk(ptx::moduloI(e, lane, kKeyLanes)),
        ropeKey(ptx::dividedByI(e, lane, kRopeLanes)),
        ropeChunk(ptx::moduloI(e, lane, kRopeLanes)),
        finder(e, inputs, locator, warp, lane) {
    ptx::lowerRegisters(e, SwappedBlock::kLoaderRegisters);
  }

  void emit(Emitter &e) {
    // Blocks so far.
    plan.forEachPart(e, Registers{i32(e, 0)},
                     [&](Emitter &e, const Part &part, ValueRange state) {
                       return emitPart(e, SwappedRowFinder::limitKeys(e, part),
                                       state[0]);
                     });
  }

private:
  Registers emitPart(Emitter &e, const Part &part, Value blocks) {
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    runIf(e, hasBlocks, [&](Emitter &e) {
      Value entry = finder.loadEntry(e, part, part.firstBlock);
      scf::ForOp::create(
          e, part.firstBlock, part.end, i32(e, 1), entry,
          [&](OpBuilder &builder, Location loc, Value number,
              ValueRange state) {
            Emitter e(loc, builder);
            SwappedRows rows = finder.find(e, part, state[0], number);
            // A block ahead.
            Value next = finder.loadEntry(e, part, plusI(e, number, 1));
            bring(e, rows,
                  plusI(e, blocks, ptx::minusI(e, number, part.firstBlock)));
            scf::YieldOp::create(e, next);
          });
    });
    Value count = ptx::minusI(e, part.end, part.firstBlock);
    return {plusI(e, blocks, count)};
  }

  /// Brings the keys of block `count` of the kernel.
  void bring(Emitter &e, const SwappedRows &rows, Value count) const {
    // Most often all exist and follow each other.
    Value own = ptx::moduloI(e, lane, kWarpKeys);
    Value first = rows.getAddress(e, i32(e, 0), i32(e, 0));
    Value follows =
        arith::CmpIOp::create(e, arith::CmpIPredicate::eq, rows.address,
                              plusI(e, first, getRowBytes(e, own)));
    Value flag = arith::ExtUIOp::create(e, e.getI32Type(),
                                        both(e, follows, rows.exists(e, own)));
    auto branch =
        scf::IfOp::create(e, ptx::isEqualI(e, ptx::ballot(e, flag), -1),
                          /*withElse=*/true);
    Emitter run(e.getLoc(), branch.getThenBodyBuilder());
    bringRun(run, rows, first, count);
    Emitter others(e.getLoc(), branch.getElseBodyBuilder());
    bringOthers(others, rows, count);
  }

  Value getRowBytes(Emitter &e, Value keys) const {
    return ptx::toI64(e, timesI(e, keys, rowBytes));
  }

  /// Rows that follow each other: addresses are one of the lane's and
  /// constants.
  void bringRun(Emitter &e, const SwappedRows &rows, Value first,
                Value count) const {
    auto getAddress = [&](Value key, Value chunk) {
      return plusI(e, plusI(e, first, getRowBytes(e, key)),
                   ptx::toI64(e, timesI(e, chunk, kCopyBytes)));
    };
    Value codes = getAddress(which, chunk);
    Value rope = getAddress(ropeKey, ropeChunk);
    bringBlock(
        e, rows, count, Value(),
        [&](Emitter &e, ptx::Address to, int64_t skipped) {
          for (int64_t key = 0; key < kWarpKeys; key += kKeysAtOnce)
            ptx::copyAsync16(e, to + key * kPitch, codes, Value(),
                             key * rowBytes + skipped);
        },
        [&](Emitter &e, int64_t skipped) {
          for (int64_t key = 0; key < kWarpKeys; key += kRopeKeysAtOnce)
            ptx::copyAsync16(
                e,
                block.getRopeChunk(e, warp, plusI(e, ropeKey, key), ropeChunk),
                rope, Value(), key * rowBytes + skipped);
        });
  }

  /// Any rows; zeros of those that do not exist.
  void bringOthers(Emitter &e, const SwappedRows &rows, Value count) const {
    auto copy = [&](Emitter &e, ptx::Address to, Value key, Value chunk,
                    int64_t skipped) {
      ptx::copyAsync16(e, to,
                       rows.getAddress(e, key, timesI(e, chunk, kCopyBytes)),
                       getBytes(e, rows, key), skipped);
    };
    bringBlock(
        e, rows, count, getBytes(e, rows, ptx::moduloI(e, lane, kWarpKeys)),
        [&](Emitter &e, ptx::Address to, int64_t skipped) {
          forEach(e, kKeysAtOnce, [&](Emitter &e, Value key) {
            copy(e, to.advance(e, timesI(e, key, kPitch)), plusI(e, which, key),
                 chunk, skipped);
          });
        },
        [&](Emitter &e, int64_t skipped) {
          forEach(e, kRopeKeysAtOnce, [&](Emitter &e, Value first) {
            Value key = plusI(e, ropeKey, first);
            copy(e, block.getRopeChunk(e, warp, key, ropeChunk), key, ropeChunk,
                 skipped);
          });
        });
  }

  /// What there is of a copy: zeros follow.
  static Value getBytes(Emitter &e, const SwappedRows &rows, Value key) {
    return arith::SelectOp::create(e, rows.exists(e, key), i32(e, kCopyBytes),
                                   i32(e, 0));
  }

  /// A loop, whose end the compiler does not know: all of its places ahead of
  /// it would take too many registers.
  static void forEach(Emitter &e, int64_t step,
                      function_ref<void(Emitter &, Value key)> body) {
    scf::ForOp::create(
        e, i32(e, 0), ptx::opaque(e, i32(e, kWarpKeys)), i32(e, step),
        ValueRange(),
        [&](OpBuilder &builder, Location loc, Value key, ValueRange) {
          Emitter e(loc, builder);
          body(e, key);
          scf::YieldOp::create(builder, loc);
        });
  }

  /// `copyCodes` copies a half of all keys to where `to` is the lane's first
  /// chunk, `copyRope` their rope columns; `skipped` bytes of rows are before
  /// what they copy.
  void bringBlock(
      Emitter &e, const SwappedRows &rows, Value count, Value scaleBytes,
      function_ref<void(Emitter &, ptx::Address to, int64_t skipped)> copyCodes,
      function_ref<void(Emitter &, int64_t skipped)> copyRope) const {
    constexpr int64_t groups = SwappedBlock::kScoreGroups;
    Value group = ptx::moduloI(e, count, groups);
    Value number = plusI(e, timesI(e, group, SwappedBlock::kGroupWarps), warp);
    ptx::Address slice = block.getSlice(e, number);
    ptx::Address to = slice.advance(
        e, plusI(e, timesI(e, which, kPitch), timesI(e, chunk, kCopyBytes)));
    // A slice that was never used is free.
    auto getFreeParity = [&](Value turn) -> Value {
      return arith::XOrIOp::create(e, ptx::moduloI(e, turn, 2), i32(e, 1));
    };
    Value parity = getFreeParity(ptx::dividedByI(e, count, groups));
    block.getSliceFree(e, number, 0).wait(e, parity);
    copyCodes(e, to, 0);
    // Two lanes have the same key.
    Value own = ptx::moduloI(e, lane, kWarpKeys);
    ptx::copyAsync16(
        e, slice.advance(e, timesI(e, own, kPitch)) + SwappedBlock::kLatent,
        rows.address, scaleBytes, problem.getCache().getScaleOffset());
    block.getSliceFull(e, number, 0).arriveWithCopies(e);

    block.getSliceFree(e, number, 1).wait(e, parity);
    copyCodes(e, to + kHalfBytes, kHalfBytes);
    if (problem.rope) {
      block.getRopeFree(e, warp).wait(e, getFreeParity(count));
      copyRope(e, problem.getCache().getRopeOffset());
    }
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(e, block.getExist(e, number), rows.exist);
      block.getSliceFull(e, number, 1).arrive(e);
    });
    block.getSliceFull(e, number, 1).arriveWithCopies(e);
  }

  const SwappedBlock &block;
  const AttentionProblem &problem;
  const SplitPlan &plan;
  int64_t rowBytes; ///< Of rows that follow each other.
  Value warp, lane;
  /// Of the keys copied at once, and of half of one; the same of rope columns.
  Value which, chunk, ropeKey, ropeChunk;
  SwappedRowFinder finder;
};

} // namespace

void kernel::emitSwappedLoader(Emitter &e, const SwappedBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, const KeyLocator &locator,
                               Value thread) {
  SwappedLoader(e, block, inputs, plan, locator, thread).emit(e);
}
