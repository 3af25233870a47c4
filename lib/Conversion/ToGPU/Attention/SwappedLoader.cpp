//===- SwappedLoader.cpp - codes to slices of shared memory ---------------===//

#include "SwappedLoader.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kLanes = 32, kCopyBytes = 16;
/// Lanes that copy what lies together of a key, and keys that a warp copies at
/// once.
static constexpr int64_t kKeyLanes = 16, kKeysAtOnce = kLanes / kKeyLanes;
static constexpr int64_t kWarpKeys = SwappedBlock::kWarpKeys;
static constexpr int64_t kPitch = SwappedBlock::kSlicePitch;

SwappedLoader::SwappedLoader(Emitter &e, const SwappedBlock &block,
                             const AttentionInputs &inputs,
                             const KeyLocator &locator, Value warp, Value lane)
    : block(block), problem(inputs.getProblem()),
      finder(e, inputs, locator, warp, lane), warp(warp), lane(lane) {}

Value SwappedLoader::getSlice(Emitter &e, Value count) const {
  Value group = ptx::moduloI(e, count, SwappedBlock::kScoreGroups);
  return plusI(e, timesI(e, group, SwappedBlock::kGroupWarps), warp);
}

Value SwappedLoader::begin(Emitter &e, const Part &part, Value count) const {
  SmallVector<Value> numbers, entries;
  for (int64_t i = 0; i <= SwappedBlock::kScoreGroups; ++i) {
    numbers.push_back(plusI(e, part.firstBlock, i));
    entries.push_back(finder.loadEntry(e, part, numbers.back()));
  }
  // Slices are free: the part before has waited until its last blocks were
  // read.
  for (int64_t i = 0; i < SwappedBlock::kScoreGroups; ++i)
    bringIf(e, part, numbers[i], plusI(e, count, i), entries[i]);
  return entries.back();
}

Value SwappedLoader::proceed(Emitter &e, const Part &part, Value number,
                             Value count, Value entry) const {
  constexpr int64_t groups = SwappedBlock::kScoreGroups;
  Value turn = ptx::dividedByI(e, count, groups);
  block.getSliceFree(e, getSlice(e, count)).wait(e, ptx::moduloI(e, turn, 2));
  Value ahead = plusI(e, number, groups);
  bringIf(e, part, ahead, count, entry);
  return finder.loadEntry(e, part, plusI(e, ahead, 1));
}

void SwappedLoader::bringIf(Emitter &e, const Part &part, Value number,
                            Value count, Value entry) const {
  runIf(e, ptx::isLessI(e, number, part.end), [&](Emitter &e) {
    bring(e, finder.find(e, part, entry, number), getSlice(e, count));
  });
}

/// What there is of a copy: zeros follow.
static Value getBytes(Emitter &e, Value exists) {
  return arith::SelectOp::create(e, exists, i32(e, kCopyBytes), i32(e, 0));
}

void SwappedLoader::bring(Emitter &e, const SwappedRows &rows,
                          Value number) const {
  ptx::Address slice = block.getSlice(e, number);
  Value which = ptx::dividedByI(e, lane, kKeyLanes);
  Value chunk = timesI(e, ptx::moduloI(e, lane, kKeyLanes), kCopyBytes);
  ptx::Address to = slice.advance(e, plusI(e, timesI(e, which, kPitch), chunk));
  for (int64_t i = 0; i < kWarpKeys; i += kKeysAtOnce) {
    Value key = plusI(e, which, i);
    Value from = rows.getAddress(e, key, chunk);
    Value bytes = getBytes(e, rows.exists(e, key));
    for (int64_t column = 0; column < SwappedBlock::kLatent;
         column += kKeyLanes * kCopyBytes)
      ptx::copyAsync16(e, to + (i * kPitch + column), from, bytes, column);
  }
  // Two lanes have the same key.
  Value own = ptx::moduloI(e, lane, kWarpKeys);
  ptx::copyAsync16(
      e, slice.advance(e, timesI(e, own, kPitch)) + SwappedBlock::kLatent,
      rows.address, getBytes(e, rows.exists(e, own)),
      problem.getCache().getScaleOffset());
  block.getSliceFull(e, number).arriveWithCopies(e);
}
