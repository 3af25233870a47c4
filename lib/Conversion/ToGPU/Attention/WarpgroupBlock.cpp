//===- WarpgroupBlock.cpp - memory and barriers of a block ----------------===//

#include "WarpgroupBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static constexpr int64_t kBarrierBytes = 8;

WarpgroupBlock::WarpgroupBlock(Emitter &e, int64_t rope, bool convertsKeys)
    : rope(rope), hasConversion(convertsKeys) {
  using ptx::SwizzledTile;
  int64_t tile = SwizzledTile::getBytes(kTileRows, kBlockKeys);
  queries = layout.add(SwizzledTile::getBytes(kTileRows, kLatent + rope),
                       ptx::SharedLayout::kAlignment);
  stageBytes = SwizzledTile::getBytes(kBlockKeys, kLatent + rope);
  keys = layout.add(kStages * stageBytes, ptx::SharedLayout::kAlignment);
  probabilities[0] = layout.add(tile, ptx::SharedLayout::kAlignment);
  // The rope columns of the queries are in registers while probabilities are
  // written: memory has no room for both.
  probabilities[1] = rope ? queries + SwizzledTile::getBytes(kTileRows, kLatent)
                          : layout.add(tile, ptx::SharedLayout::kAlignment);
  bias = layout.add(kStages * kBlockKeys * 4);
  missing = layout.add(kStages * kGroupWarps * 4);
  maxima = layout.add(kTileRows * 4);
  full = layout.add(kStages * kPieces * kBarrierBytes);
  halfFree = layout.add(kStages * kHalves * kKeyParts * kBarrierBytes);
  ropeFree = layout.add(kStages * kBarrierBytes);
  queriesFull = layout.add(kBarrierBytes, kBarrierBytes);
  queriesFree = layout.add(kBarrierBytes, kBarrierBytes);
  start = ptx::getSharedStart(e);
}

/// Addresses; or, in smaller numbers, addresses and what is converted.
int64_t WarpgroupBlock::getLoaderRegisters() const {
  return hasConversion ? 48 : 56;
}

/// What is left of a multiprocessor's registers, in steps of 8.
int64_t WarpgroupBlock::getAttenderRegisters() const {
  constexpr int64_t all = 64 * 1024, step = 8;
  int64_t loaders = getLoaders(hasConversion);
  int64_t equal = all / getThreads(hasConversion) / step * step;
  int64_t left =
      (kAttenders + loaders) * equal - loaders * getLoaderRegisters();
  return left / kAttenders / step * step;
}

void WarpgroupBlock::initBarriers(Emitter &e) const {
  for (int64_t number = 0; number < kStages; ++number) {
    Value stage = ptx::i32(e, number);
    for (int64_t i = 0; i < kPieces; ++i) {
      Value piece = ptx::i32(e, i);
      // The bias of the keys arrives apart, with the rope piece.
      getFull(e, stage, piece)
          .init(e, kGroupThreads * (i == kRopePiece ? 2 : 1));
      if (i == kRopePiece)
        continue;
      for (int64_t part = 0; part < kKeyParts; ++part)
        getHalfFree(e, stage, piece, part).init(e, kGroupWarps);
    }
    getRopeFree(e, stage).init(e, kGroupWarps);
  }
  getQueriesFull().init(e, kGroupThreads);
  getQueriesFree().init(e, kAttenders * kGroupWarps);
  ptx::fenceBarrierInit(e);
}

ptx::SwizzledTile WarpgroupBlock::getKeys(Emitter &e, Value stage) const {
  return {(start + keys).advance(e, ptx::timesI(e, stage, stageBytes)),
          kBlockKeys};
}

ptx::SwizzledTile WarpgroupBlock::getProbabilities(Emitter &e,
                                                   Value attender) const {
  Value bytes = ptx::timesI(e, attender, probabilities[1] - probabilities[0]);
  return {(start + probabilities[0]).advance(e, bytes), kTileRows};
}

ptx::Address WarpgroupBlock::getBias(Emitter &e, Value stage) const {
  return (start + bias).advance(e, ptx::timesI(e, stage, kBlockKeys * 4));
}

ptx::Address WarpgroupBlock::getMissing(Emitter &e, Value stage) const {
  return (start + missing).advance(e, ptx::timesI(e, stage, kGroupWarps * 4));
}

static ptx::SharedBarrier getBarrier(Emitter &e, ptx::Address first,
                                     Value number) {
  return {first.advance(e, ptx::timesI(e, number, kBarrierBytes))};
}

ptx::SharedBarrier WarpgroupBlock::getFull(Emitter &e, Value stage,
                                           Value piece) const {
  return getBarrier(e, start + full,
                    ptx::plusI(e, ptx::timesI(e, stage, kPieces), piece));
}

ptx::SharedBarrier WarpgroupBlock::getHalfFree(Emitter &e, Value stage,
                                               Value half, int64_t part) const {
  Value number = ptx::plusI(e, ptx::timesI(e, stage, kHalves), half);
  return getBarrier(e, start + halfFree + part * kBarrierBytes,
                    ptx::timesI(e, number, kKeyParts));
}

ptx::SharedBarrier WarpgroupBlock::getRopeFree(Emitter &e, Value stage) const {
  return getBarrier(e, start + ropeFree, stage);
}
