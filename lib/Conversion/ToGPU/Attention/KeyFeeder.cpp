//===- KeyFeeder.cpp - pieces of key blocks to shared memory --------------===//

#include "KeyFeeder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::SwizzledTile;

static constexpr int64_t kChunkBytes = 16;
/// Chunks of a row of a box, and boxes of a half.
static constexpr int64_t kBoxChunks = 8;
static constexpr int64_t kHalfBoxes =
    WarpgroupBlock::kHalf / SwizzledTile::kBoxColumns;
static constexpr int64_t kLatentBoxes = 2 * kHalfBoxes;

static Value plusBytes(Emitter &e, Value address, Value bytes) {
  return arith::AddIOp::create(e, address, ptx::toI64(e, bytes));
}

/// 16 if the key exists, else 0.
static Value getBytes(Emitter &e, const KeyAddress &key) {
  return arith::SelectOp::create(e, key.exists, ptx::i32(e, kChunkBytes),
                                 ptx::i32(e, 0));
}

/// Copies chunk `chunk` (i32, of 8) of 128 bytes of row `row`, from `from` on,
/// to the same chunk of each of `boxes` boxes.
static void copyBoxes(Emitter &e, const SwizzledTile &tile, Value row,
                      Value chunk, Value from, Value bytes, int64_t boxes) {
  ptx::Address to = tile.getChunk(e, row, chunk);
  for (int64_t box = 0; box < boxes; ++box)
    ptx::copyAsync16(e, to + box * tile.getBoxBytes(), from, bytes,
                     box * SwizzledTile::kRowBytes);
}

int64_t KeyFeeder::getRowStep() const {
  return WarpgroupBlock::kGroupThreads / kBoxChunks;
}

KeyFeeder::KeyFeeder(Emitter &e, const WarpgroupBlock &block, Value thread)
    : rope(block.getRope()), row(ptx::dividedByI(e, thread, kBoxChunks)),
      chunk(ptx::moduloI(e, thread, kBoxChunks)) {}

void KeyFeeder::bringHalf(Emitter &e, ArrayRef<KeyAddress> keys, Value half,
                          const SwizzledTile &tile,
                          const ptx::SharedBarrier &free, Value isFree,
                          const ptx::SharedBarrier &full) const {
  free.wait(e, isFree);
  Value box = ptx::timesI(e, half, kHalfBoxes);
  SwizzledTile part = tile.skipBoxes(e, box);
  Value skipped = ptx::timesI(e, box, SwizzledTile::kRowBytes);
  copyRows(e, keys, part, skipped, kHalfBoxes);
  full.arriveWithCopies(e);
}

void KeyFeeder::bringRope(Emitter &e, ArrayRef<KeyAddress> keys,
                          const SwizzledTile &tile,
                          const ptx::SharedBarrier &free, Value isFree,
                          const ptx::SharedBarrier &full) const {
  free.wait(e, isFree);
  Value box = ptx::i32(e, kLatentBoxes);
  if (rope)
    copyRows(e, keys, tile.skipBoxes(e, box),
             ptx::timesI(e, box, SwizzledTile::kRowBytes), 1);
  full.arriveWithCopies(e);
}

void KeyFeeder::copyRows(Emitter &e, ArrayRef<KeyAddress> keys,
                         const SwizzledTile &tile, Value skippedBytes,
                         int64_t boxes) const {
  Value bytes = arith::AddIOp::create(e, skippedBytes,
                                      ptx::timesI(e, chunk, kChunkBytes));
  for (auto [i, key] : llvm::enumerate(keys))
    copyBoxes(e, tile, getRow(e, i), chunk, plusBytes(e, key.address, bytes),
              getBytes(e, key), boxes);
}
