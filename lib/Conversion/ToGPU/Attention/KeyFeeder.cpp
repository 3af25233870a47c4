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

/// 16 if the key exists, else 0.
static Value getBytes(Emitter &e, const KeyAddress &key) {
  return arith::SelectOp::create(e, key.exists, ptx::i32(e, kChunkBytes),
                                 ptx::i32(e, 0));
}

int64_t KeyFeeder::getRowStep() const {
  return WarpgroupBlock::kGroupThreads / kBoxChunks;
}

KeyFeeder::KeyFeeder(Emitter &e, const WarpgroupBlock &block, Value thread)
    : block(block), row(ptx::dividedByI(e, thread, kBoxChunks)),
      chunk(ptx::moduloI(e, thread, kBoxChunks)) {}

KeyAddress KeyFeeder::skipChunks(Emitter &e, const KeyAddress &key) const {
  Value bytes = ptx::toI64(e, ptx::timesI(e, chunk, kChunkBytes));
  return {key.exists, ptx::plusI(e, key.address, bytes), key.offset};
}

void KeyFeeder::bringHalf(Emitter &e, ArrayRef<KeyAddress> chunks, Value stage,
                          int64_t half, Value isFree) const {
  constexpr int64_t parts = WarpgroupBlock::kKeyParts;
  int64_t rows = getRows() / parts;
  SwizzledTile tile = block.getKeys(e, stage);
  Value piece = ptx::i32(e, half);
  for (int64_t part = 0; part < parts; ++part) {
    block.getHalfFree(e, stage, piece, part).wait(e, isFree);
    copyBoxes(e, chunks.slice(part * rows, rows), part * rows, tile,
              half * kHalfBoxes, kHalfBoxes);
  }
  block.getFull(e, stage, piece).arriveWithCopies(e);
}

void KeyFeeder::bringRope(Emitter &e, ArrayRef<KeyAddress> chunks, Value stage,
                          Value isFree) const {
  block.getRopeFree(e, stage).wait(e, isFree);
  if (block.getRope())
    copyBoxes(e, chunks, /*firstRow=*/0, block.getKeys(e, stage), kLatentBoxes,
              1);
  block.getFull(e, stage, ptx::i32(e, WarpgroupBlock::kRopePiece))
      .arriveWithCopies(e);
}

void KeyFeeder::copyBoxes(Emitter &e, ArrayRef<KeyAddress> chunks,
                          int64_t firstRow, const SwizzledTile &tile,
                          int64_t first, int64_t count) const {
  // Rows of a thread are swizzled alike.
  assert(getRowStep() % kBoxChunks == 0);
  ptx::Address to = tile.getChunk(e, row, chunk);
  for (auto [i, from] : llvm::enumerate(chunks)) {
    Value bytes = getBytes(e, from);
    for (int64_t box = first; box < first + count; ++box)
      ptx::copyAsync16(
          e,
          to + ((firstRow + i) * getRowStep() * SwizzledTile::kRowBytes +
                box * tile.getBoxBytes()),
          from.address, bytes, from.offset + box * SwizzledTile::kRowBytes);
  }
}
