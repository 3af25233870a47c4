//===- SwappedKeys.cpp - keys as left operands ----------------------------===//

#include "SwappedKeys.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::SwizzledTile;
using ptx::timesI;

static constexpr int64_t kQuad = 4, kLoadBytes = 16, kLoad = 4;
static constexpr int64_t kWarpKeys = SwappedBlock::kWarpKeys;
static constexpr int64_t kPitch = SwappedBlock::kSlicePitch;
/// Between the keys of a thread.
static constexpr int64_t kKeyStep = 8;

/// Rows of products that follow each other are keys 4 apart: with rows of
/// memory 16 beyond a multiple of 128 apart, the lanes of two keys that read 64
/// bytes each meet no bank twice.
static Value getThreadKey(Emitter &e, Value lane) {
  Value row = ptx::dividedByI(e, lane, kQuad);
  static_assert(kPitch % 128 == 16);
  return plusI(e, ptx::dividedByI(e, row, 2),
               timesI(e, ptx::moduloI(e, row, 2), 4));
}

static Value getSliceNumber(Emitter &e, Value group, Value warp) {
  return plusI(e, timesI(e, group, SwappedBlock::kGroupWarps), warp);
}

SwappedKeys::SwappedKeys(Emitter &e, const SwappedBlock &block,
                         const AttentionInputs &inputs, Value group, Value warp,
                         Value lane)
    : converter(inputs.getProblem()), hasRope(inputs.getProblem().rope),
      block(block), warp(warp), lane(lane), quad(ptx::moduloI(e, lane, kQuad)),
      sliceNumber(getSliceNumber(e, group, warp)),
      firstKey(timesI(e, warp, kWarpKeys)), threadKey(getThreadKey(e, lane)),
      slice(block.getSlice(e, sliceNumber)),
      matrixRow(plusI(e, firstKey, ptx::moduloI(e, lane, kWarpKeys))),
      matrixChunk(ptx::dividedByI(e, lane, kWarpKeys)) {}

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

void SwappedKeys::wait(Emitter &e, Value turn, int64_t half) const {
  block.getSliceFull(e, sliceNumber, half).wait(e, ptx::moduloI(e, turn, 2));
}

void SwappedKeys::release(Emitter &e, int64_t half) const {
  block.getSliceFree(e, sliceNumber, half).arriveByWarp(e, lane);
}

Value SwappedKeys::loadExist(Emitter &e) const {
  return ptx::loadShared(e, block.getExist(e, sliceNumber), e.getI32Type())[0];
}

Registers SwappedKeys::loadScales(Emitter &e) const {
  static_assert(SwappedBlock::kLatent / CacheSpec::kTile == kLoad);
  ptx::Address from =
      slice.advance(e, timesI(e, threadKey, kPitch)) + SwappedBlock::kLatent;
  Registers scales;
  for (int64_t i = 0; i < kKeys; ++i)
    llvm::append_range(scales, ptx::loadShared(e, from + i * kKeyStep * kPitch,
                                               e.getF32Type(), kLoad));
  return scales;
}

Registers SwappedKeys::loadCodes(Emitter &e, int64_t box) const {
  ptx::Address from = slice.advance(e, plusI(e, timesI(e, threadKey, kPitch),
                                             timesI(e, quad, kLoadBytes))) +
                      box * SwizzledTile::kBoxColumns;
  Registers codes;
  for (int64_t i = 0; i < kKeys; ++i)
    llvm::append_range(codes, ptx::loadShared(e, from + i * kKeyStep * kPitch,
                                              e.getI32Type(), kLoad));
  return codes;
}

Registers SwappedKeys::loadRope(Emitter &e) const {
  if (!hasRope)
    return {};
  // Two times 8 columns of a thread.
  constexpr int64_t chunks = 2;
  Registers words[kKeys];
  for (int64_t i = 0; i < kKeys; ++i)
    for (int64_t j = 0; j < chunks; ++j)
      llvm::append_range(
          words[i],
          ptx::loadShared(e,
                          block.getRopeChunk(e, warp, getKey(e, i),
                                             plusI(e, quad, j * kQuad)),
                          e.getI32Type(), kLoad));
  block.getRopeFree(e, warp).arriveByWarp(e, lane);
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

void SwappedKeys::store(Emitter &e, const SwizzledTile &tile, int64_t box,
                        ValueRange operands) const {
  constexpr int64_t chunks = 2;
  for (int64_t i = 0; i < kProducts; ++i)
    ptx::storeMatrices(
        e, tile.getChunk(e, matrixRow, plusI(e, matrixChunk, i * chunks), box),
        operands.slice(i * kOperand, kOperand), /*transposed=*/false);
}
