//===- NarrowBlock.cpp - memory and barriers of a narrow block ------------===//

#include "NarrowBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kBarrierBytes = 8;
static constexpr int64_t kExistBytes = 4;

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

RingPlace RingPlace::create(Emitter &e, int64_t parity) {
  return {i32(e, 0), i32(e, parity)};
}

RingPlace RingPlace::getNext(Emitter &e, int64_t slots) const {
  Value next = plusI(e, slot, 1);
  Value wraps = ptx::isEqualI(e, next, slots);
  Value flipped = arith::XOrIOp::create(e, parity, i32(e, 1));
  return {arith::SelectOp::create(e, wraps, i32(e, 0), next),
          arith::SelectOp::create(e, wraps, flipped, parity)};
}

RingPlace RingPlace::unpack(ValueRange &from) {
  RingPlace place = {from[0], from[1]};
  from = from.drop_front(kSize);
  return place;
}

RingPlaces RingPlaces::create(Emitter &e, int64_t stageParity,
                              int64_t messageParity) {
  RingPlace stage = RingPlace::create(e, stageParity);
  return {stage, RingPlace::create(e, messageParity)};
}

RingPlaces RingPlaces::passBlock(Emitter &e, int64_t stages) const {
  RingPlace next = stage.getNext(e, stages);
  return {next, message.getNext(e, NarrowShape::kMessages)};
}

RingPlaces RingPlaces::passMessage(Emitter &e) const {
  return {stage, message.getNext(e, NarrowShape::kMessages)};
}

ptx::Registers RingPlaces::pack() const {
  ptx::Registers all;
  stage.pack(all);
  message.pack(all);
  return all;
}

RingPlaces RingPlaces::unpack(ValueRange &from) {
  RingPlace stage = RingPlace::unpack(from);
  return {stage, RingPlace::unpack(from)};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

NarrowBlock::NarrowBlock(Emitter &e, const AttentionProblem &problem,
                         int64_t stages)
    : stages(stages), layout(stages, problem.rope),
      start(ptx::getSharedStart(e)) {}

void NarrowBlock::initBarriers(Emitter &e) const {
  for (int64_t i = 0; i < stages; ++i) {
    // Each loader thread's copies, and each warp that says which keys exist.
    getFull(e, i32(e, i)).init(e, kWarpgroupThreads + kBlockKeys / kWarpKeys);
    getFree(e, i32(e, i)).init(e, kValueWarps);
  }
  for (int64_t i = 0; i < kMessages; ++i) {
    getPublished(e, i32(e, i)).init(e, kScoreWarps);
    getConsumed(e, i32(e, i)).init(e, kValueWarps);
  }
  ptx::fenceBarrierInit(e);
}

// Columns 2 t are keys t, and columns 2 t + 1 are keys 4 + (t ^ 2). Lanes that
// read 64 bytes of a row together have two neighbouring columns: keys 2 apart,
// but for multiples of 4. Lanes that read 32 bytes have the even columns, or
// the odd ones: all four remainders.

Value NarrowBlock::getKey(Emitter &e, Value column) {
  Value odd = ptx::moduloI(e, column, 2);
  Value key = arith::XOrIOp::create(e, ptx::dividedByI(e, column, 2),
                                    timesI(e, odd, 2));
  return plusI(e, key, timesI(e, odd, 4));
}

Value NarrowBlock::getQuadKey(Emitter &e, Value quad, int64_t which) {
  return getKey(e, plusI(e, timesI(e, quad, 2), which));
}

// The lowest two bits of the place change places.
Value NarrowBlock::getColumns(Emitter &e, Value place) {
  Value low = ptx::moduloI(e, place, 2);
  Value middle = ptx::moduloI(e, ptx::dividedByI(e, place, 2), 2);
  Value high = timesI(e, ptx::dividedByI(e, place, 4), 4);
  return timesI(e, plusI(e, high, plusI(e, timesI(e, low, 2), middle)), 8);
}

ptx::Address NarrowBlock::getKeys(Emitter &e, Value stage) const {
  return (start + layout.keys).advance(e, timesI(e, stage, layout.stageBytes));
}

ptx::Address NarrowBlock::getExist(Emitter &e, Value stage) const {
  return (start + layout.exist)
      .advance(e, timesI(e, stage, kBlockKeys / kWarpKeys * kExistBytes));
}

ptx::Address NarrowBlock::getOfMessage(Emitter &e, int64_t first, int64_t bytes,
                                       Value message) const {
  return (start + first).advance(e, timesI(e, message, bytes));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

ptx::SharedBarrier NarrowBlock::getBarrier(Emitter &e, int64_t first,
                                           Value number) const {
  return {(start + first).advance(e, timesI(e, number, kBarrierBytes))};
}

ptx::SharedBarrier NarrowBlock::getFull(Emitter &e, Value stage) const {
  return getBarrier(e, layout.full, stage);
}

ptx::SharedBarrier NarrowBlock::getFree(Emitter &e, Value stage) const {
  return getBarrier(e, layout.free, stage);
}

ptx::SharedBarrier NarrowBlock::getPublished(Emitter &e, Value message) const {
  return getBarrier(e, layout.published, message);
}

ptx::SharedBarrier NarrowBlock::getConsumed(Emitter &e, Value message) const {
  return getBarrier(e, layout.consumed, message);
}
