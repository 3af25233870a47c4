//===- SwappedBlock.cpp - memory and barriers of a swapped block ----------===//

#include "SwappedBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;

static constexpr int64_t kBarrierBytes = 8, kF32Bytes = 4;

SwappedBlock::SwappedBlock(Emitter &e, const AttentionProblem &problem,
                           int64_t stages)
    : stages(stages), layout(stages, problem.rope),
      start(ptx::getSharedStart(e)) {}

void SwappedBlock::initBarriers(Emitter &e) const {
  for (int64_t i = 0; i < stages; ++i) {
    // Each loader thread's copies, and each warp that says which keys exist.
    getFull(e, i32(e, i)).init(e, kGroupThreads + kGroupWarps);
    // The warps of the scores' group, and of values.
    getFree(e, i32(e, i)).init(e, 2 * kGroupWarps);
  }
  for (int64_t i = 0; i < kMessages; ++i) {
    getPublished(e, i32(e, i)).init(e, kGroupWarps);
    getConsumed(e, i32(e, i)).init(e, kGroupWarps);
    getDecided(e, i32(e, i)).init(e, 1);
  }
  getSumsFull().init(e, kScoreGroups * kGroupWarps);
  getSumsFree().init(e, kGroupWarps);
  ptx::fenceBarrierInit(e);
}

static SwappedBlock::Place getPlace(Emitter &e, Value count, int64_t slots) {
  Value round = ptx::dividedByI(e, count, slots);
  return {ptx::moduloI(e, count, slots), ptx::moduloI(e, round, 2)};
}

Value SwappedBlock::Place::getRoundBefore(Emitter &e) const {
  return arith::XOrIOp::create(e, round, i32(e, 1));
}

SwappedBlock::Place SwappedBlock::getStage(Emitter &e, Value count) const {
  return getPlace(e, count, stages);
}

SwappedBlock::Place SwappedBlock::getMessage(Emitter &e, Value count) const {
  return getPlace(e, count, kMessages);
}

SwappedBlock::Place SwappedBlock::getMessageBefore(Emitter &e,
                                                   Value count) const {
  // A round more: the number is not negative then.
  Place place = getMessage(e, plusI(e, count, kMessages - 1));
  place.round = place.getRoundBefore(e);
  return place;
}

ptx::Address SwappedBlock::getSums(Emitter &e, Value group) const {
  return getOf(e, layout.sums, kTileRows * kGroupWarps * kF32Bytes, group);
}

ptx::Address SwappedBlock::getSumReferences(Emitter &e, Value group) const {
  return getOf(e, layout.sumReferences, kTileRows * kF32Bytes, group);
}

ptx::SharedBarrier SwappedBlock::getBarrier(Emitter &e, int64_t first,
                                            Value number) const {
  return {getOf(e, first, kBarrierBytes, number)};
}
