//===- SwappedQueries.cpp - a part's queries as right operands ------------===//

#include "SwappedQueries.h"
#include "../NVIDIA/GlobalMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::SwizzledTile;
using ptx::timesI;

/// What a thread loads at a time: 8 columns of a row, of which a box has 8.
static constexpr int64_t kLoad = 4, kLoadBytes = 16, kRowLoads = 8;
static constexpr int64_t kLatentBoxes =
    SwappedBlock::kLatent / SwizzledTile::kBoxColumns;

void kernel::bringSwappedQueries(Emitter &e, const SwappedBlock &block,
                                 const AttentionInputs &inputs,
                                 const SplitPlan &plan, Value request,
                                 Value thread) {
  if (inputs.getProblem().readsEarly)
    ptx::waitForPreviousLaunch(e);
  // Threads that load a box; groups of them have boxes in turn.
  int64_t boxThreads = SwappedBlock::kTileRows * kRowLoads;
  int64_t boxGroups = SwappedBlock::kScoreThreads / boxThreads;
  Value group = ptx::dividedByI(e, thread, boxThreads);
  Value member = ptx::moduloI(e, thread, boxThreads);
  Value row = ptx::dividedByI(e, member, kRowLoads);
  Value load = ptx::moduloI(e, member, kRowLoads);
  Value number =
      plusI(e, timesI(e, plan.getRowTile(), SwappedBlock::kTileRows), row);
  Value exists = ptx::isLessI(e, number, inputs.getRows(e, request));
  // Rows past the end are zeros, and their addresses are not formed.
  Value inside = arith::SelectOp::create(e, exists, number, i32(e, 0));
  Value globalRow = plusI(e, inputs.getFirstRow(e, request), inside);
  Value latent = inputs.getLatentQuery(e, globalRow);
  Value skipped = ptx::toI64(e, timesI(e, load, kLoadBytes));

  int64_t turns = llvm::divideCeil(kLatentBoxes + 1, boxGroups);
  SmallVector<Registers> words;
  for (int64_t turn = 0; turn < turns; ++turn) {
    Value box = plusI(e, group, turn * boxGroups);
    Value address = plusI(
        e, latent, ptx::toI64(e, timesI(e, box, SwizzledTile::kRowBytes)));
    Value loads = exists;
    if ((turn + 1) * boxGroups > kLatentBoxes) {
      Value isRope = ptx::isEqualI(e, box, kLatentBoxes);
      loads = both(e, exists, ptx::isLessI(e, box, i32(e, kLatentBoxes)));
      if (Value rope = inputs.getRopeQuery(e, globalRow)) {
        address = arith::SelectOp::create(e, isRope, rope, address);
        loads = both(e, exists, ptx::isLessI(e, box, i32(e, kLatentBoxes + 1)));
      }
    }
    words.push_back(ptx::loadGlobalIf(e, loads, plusI(e, address, skipped),
                                      e.getI32Type(), kLoad));
  }

  // Products with the part before read them.
  block.getScoresTogether(e).sync(e);
  SwizzledTile tile = block.getQueries();
  int64_t boxes = kLatentBoxes + (inputs.getProblem().rope ? 1 : 0);
  for (int64_t turn = 0; turn < turns; ++turn) {
    Value box = plusI(e, group, turn * boxGroups);
    Value stores = (turn + 1) * boxGroups > boxes
                       ? ptx::isLessI(e, box, i32(e, boxes))
                       : Value();
    // Pair i of load u: columns 2 t + 8 (i mod 2) of product 2 v + i / 2, where
    // u = 2 t + v; of rope columns u = 4 v + t.
    bool isRope = turn * boxGroups >= kLatentBoxes;
    auto [high, low] = std::pair(ptx::dividedByI(e, load, isRope ? 4 : 2),
                                 ptx::moduloI(e, load, isRope ? 4 : 2));
    Value firstChunk = timesI(e, isRope ? high : low, kLoad);
    Value place = timesI(e, isRope ? low : high, 4);
    runIf(e, stores, [&](Emitter &e) {
      SwizzledTile part = tile.skipBoxes(e, box);
      for (int64_t i = 0; i < kLoad; ++i)
        ptx::storeShared(
            e, part.getChunk(e, row, plusI(e, firstChunk, i)).advance(e, place),
            words[turn][i]);
    });
  }
  ptx::fenceMatrixUnits(e);
  block.getScoresTogether(e).sync(e);
}
