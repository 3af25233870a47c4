//===- SwappedBlock.cpp - memory and barriers of a swapped block ----------===//

#include "SwappedBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kBarrierBytes = 8, kF32Bytes = 4, kLanes = 32;

SwappedBlock::SwappedBlock(Emitter &e, const AttentionProblem &problem,
                           int64_t stages)
    : stages(stages), layout(stages, problem.rope),
      start(ptx::getSharedStart(e)) {}

void SwappedBlock::initBarriers(Emitter &e) const {
  for (int64_t i = 0; i < stages; ++i) {
    getFull(e, i32(e, i)).init(e, kGroupWarps);
    getFree(e, i32(e, i)).init(e, kGroupWarps);
    getDecided(e, i32(e, i)).init(e, 1);
  }
  for (int64_t i = 0; i < kScoreGroups * kGroupWarps; ++i) {
    getSliceFull(e, i32(e, i), 0).init(e, kLanes);
    // And a lane when it is said which keys exist.
    getSliceFull(e, i32(e, i), 1).init(e, kLanes + 1);
    for (int64_t half = 0; half < kHalves; ++half)
      getSliceFree(e, i32(e, i), half).init(e, 1);
  }
  for (int64_t i = 0; i < kGroupWarps; ++i)
    getRopeFree(e, i32(e, i)).init(e, 1);
  getSumsFull().init(e, kScoreGroups * kGroupWarps);
  getSumsFree().init(e, kGroupWarps);
  ptx::fenceBarrierInit(e);
}

SwappedBlock::Place SwappedBlock::getPlace(Emitter &e, Value count) const {
  Value round = ptx::dividedByI(e, count, stages);
  return {ptx::moduloI(e, count, stages), ptx::moduloI(e, round, 2)};
}

SwappedBlock::Place SwappedBlock::getPlaceBefore(Emitter &e,
                                                 Value count) const {
  // A round more: the number is not negative then.
  Place place = getPlace(e, plusI(e, count, stages - 1));
  place.round = arith::XOrIOp::create(e, place.round, i32(e, 1));
  return place;
}

ptx::Address SwappedBlock::getSums(Emitter &e, Value group) const {
  return getOfStage(e, layout.sums, kSumKinds * kSumKindBytes, group);
}

ptx::Address SwappedBlock::getSumReferences(Emitter &e, Value group) const {
  return getOfStage(e, layout.sumReferences, kTileRows * kF32Bytes, group);
}

ptx::Address SwappedBlock::getRopeChunk(Emitter &e, Value warp, Value key,
                                        Value chunk) const {
  constexpr int64_t chunkBytes = 16;
  static_assert(kRowBytes % (kRopeChunks * chunkBytes) == chunkBytes &&
                kRopeOffset % (kRopeChunks * chunkBytes) == chunkBytes);
  Value turned = plusI(e, plusI(e, chunk, key), 1);
  Value place = ptx::moduloI(e, turned, kRopeChunks);
  return getOfStage(e, layout.rope, layout.ropeBytes, warp)
      .advance(e, plusI(e, timesI(e, key, kRopeChunks * chunkBytes),
                        timesI(e, place, chunkBytes)));
}

ptx::SharedBarrier SwappedBlock::getBarrier(Emitter &e, int64_t first,
                                            Value stage) const {
  return {getOfStage(e, first, kBarrierBytes, stage)};
}
