//===- QueryFeeder.cpp - a part's queries to shared memory ----------------===//

#include "QueryFeeder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::SwizzledTile;

/// Threads of a row of queries, and the rows that all threads have at a time.
static constexpr int64_t kChunks = 8;
static constexpr int64_t kQueryStep = WarpgroupBlock::kGroupThreads / kChunks;

void kernel::bringQueries(Emitter &e, const WarpgroupBlock &block,
                          const AttentionInputs &inputs, const SplitPlan &plan,
                          Value thread, const Part &part, Value parts) {
  if (inputs.getProblem().readsEarly)
    ptx::waitForPreviousLaunch(e);
  Value row = ptx::dividedByI(e, thread, kChunks);
  Value chunk = ptx::moduloI(e, thread, kChunks);
  Value used = ptx::moduloI(e, parts, 2);
  block.getQueriesFree().wait(e,
                              arith::XOrIOp::create(e, used, ptx::i32(e, 1)));
  SwizzledTile tile = block.getQueries();
  ptx::Address place = tile.getChunk(e, row, chunk);
  Value rows = inputs.getRows(e, part.request);
  Value first = inputs.getFirstRow(e, part.request);
  Value tileRow = ptx::plusI(
      e, ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows), row);
  constexpr int64_t boxes = WarpgroupBlock::kLatent / SwizzledTile::kBoxColumns;
  Value skipped = ptx::toI64(e, ptx::timesI(e, chunk, 16));
  for (int64_t i = 0; i < WarpgroupBlock::kTileRows / kQueryStep; ++i) {
    Value number = ptx::plusI(e, tileRow, i * kQueryStep);
    Value exists = ptx::isLessI(e, number, rows);
    // Rows past the end are zeros, and their addresses are not formed.
    Value inside = arith::SelectOp::create(e, exists, number, ptx::i32(e, 0));
    Value globalRow = ptx::plusI(e, first, inside);
    Value bytes =
        arith::SelectOp::create(e, exists, ptx::i32(e, 16), ptx::i32(e, 0));
    ptx::Address to = place + i * kQueryStep * SwizzledTile::kRowBytes;
    Value latent =
        arith::AddIOp::create(e, inputs.getLatentQuery(e, globalRow), skipped);
    for (int64_t box = 0; box < boxes; ++box)
      ptx::copyAsync16(e, to + box * tile.getBoxBytes(), latent, bytes,
                       box * SwizzledTile::kRowBytes);
    if (!block.getRope())
      continue;
    Value ropeAddress =
        arith::AddIOp::create(e, inputs.getRopeQuery(e, globalRow), skipped);
    ptx::copyAsync16(e, to + boxes * tile.getBoxBytes(), ropeAddress, bytes);
  }
  block.getQueriesFull().arriveWithCopies(e);
}
