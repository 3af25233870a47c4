//===- SwappedKeys.cpp - keys as left operands ----------------------------===//

#include "SwappedKeys.h"
#include "../NVIDIA/Warp.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::plusI;
using ptx::Registers;
using ptx::SwizzledTile;
using ptx::timesI;

static constexpr int64_t kQuad = 4, kLoadBytes = 16, kLoad = 4;
static constexpr int64_t kWarpKeys = SwappedBlock::kWarpKeys;
/// Between the keys of a thread.
static constexpr int64_t kKeyStep = 8;

// Rows of products that follow each other are keys 4 apart: with rows of memory
// 16 bytes beyond a multiple of 128 apart, the lanes of two keys that read 64
// bytes each meet no bank twice.
Value SwappedKeys::getKeyOfRow(Emitter &e, Value row) {
  Value ofEight = ptx::moduloI(e, row, kKeyStep);
  Value key = plusI(e, ptx::dividedByI(e, ofEight, 2),
                    timesI(e, ptx::moduloI(e, ofEight, 2), kKeyStep / 2));
  return plusI(e, key, ptx::minusI(e, row, ofEight));
}

SwappedKeys::SwappedKeys(Emitter &e, const SwappedBlock &block,
                         const AttentionInputs &inputs, Value warp, Value lane)
    : converter(inputs.getProblem()), hasRope(inputs.getProblem().rope),
      block(block), warp(warp), quad(ptx::moduloI(e, lane, kQuad)),
      firstKey(timesI(e, warp, kWarpKeys)),
      threadKey(getKeyOfRow(e, ptx::dividedByI(e, lane, kQuad))) {}

Value SwappedKeys::getKey(Emitter &e, int64_t key) const {
  return plusI(e, threadKey, key * kKeyStep);
}

Value SwappedKeys::exists(Emitter &e, Value exist, int64_t key) const {
  return SwappedRows{Value(), exist}.exists(e, getKey(e, key));
}

Value SwappedKeys::getNumber(Emitter &e, int64_t key) const {
  return plusI(e, firstKey, getKey(e, key));
}

//===----------------------------------------------------------------------===//
// From memory
//===----------------------------------------------------------------------===//

ptx::Address SwappedKeys::getPlace(Emitter &e, Value stage) const {
  return block.getKeys(e, stage).advance(
      e, timesI(e, plusI(e, firstKey, threadKey), block.getRowBytes()));
}

Value SwappedKeys::loadExist(Emitter &e, Value stage) const {
  return ptx::loadShared(e, block.getExist(e, stage, warp), e.getI32Type())[0];
}

Registers SwappedKeys::load(Emitter &e, ptx::Address from, Type type) const {
  Registers words;
  for (int64_t i = 0; i < kKeys; ++i)
    llvm::append_range(
        words, ptx::loadShared(e, from + i * kKeyStep * block.getRowBytes(),
                               type, kLoad));
  return words;
}

Registers SwappedKeys::loadScales(Emitter &e, ptx::Address place) const {
  static_assert(SwappedBlock::kScales == kLoad);
  return load(e, place + SwappedBlock::kScaleOffset, e.getF32Type());
}

Registers SwappedKeys::loadCodes(Emitter &e, ptx::Address place,
                                 int64_t box) const {
  return load(e,
              place.advance(e, timesI(e, quad, kLoadBytes)) +
                  box * SwizzledTile::kBoxColumns,
              e.getI32Type());
}

Registers SwappedKeys::loadRope(Emitter &e, ptx::Address place) const {
  if (!hasRope)
    return {};
  // Two times 8 columns of a thread.
  ptx::Address from =
      place.advance(e, timesI(e, quad, kLoadBytes)) + SwappedBlock::kRopeOffset;
  Registers low = load(e, from, e.getI32Type());
  Registers high = load(e, from + kQuad * kLoadBytes, e.getI32Type());
  Registers words[kKeys];
  for (int64_t i = 0; i < kKeys; ++i) {
    llvm::append_range(words[i], ValueRange(low).slice(i * kLoad, kLoad));
    llvm::append_range(words[i], ValueRange(high).slice(i * kLoad, kLoad));
  }
  return arrange(words[0], words[1]);
}

//===----------------------------------------------------------------------===//
// To operands
//===----------------------------------------------------------------------===//

Registers SwappedKeys::arrange(ValueRange first, ValueRange second) {
  Registers operands;
  for (size_t i = 0; i < first.size(); ++i)
    operands.append({first[i], second[i]});
  return operands;
}

Registers SwappedKeys::convert(Emitter &e, ValueRange codes, ValueRange scales,
                               int64_t box) const {
  constexpr int64_t boxesOfScale = CacheSpec::kTile / SwizzledTile::kBoxColumns;
  Registers pairs[kKeys];
  for (int64_t i = 0; i < kKeys; ++i)
    pairs[i] = converter.convertScaled(e, codes.slice(i * kLoad, kLoad),
                                       scales[i * kLoad + box / boxesOfScale]);
  return arrange(pairs[0], pairs[1]);
}
