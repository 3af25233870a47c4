//===- FragmentQuantizer.cpp - sums quantized where they are --------------===//

#include "FragmentQuantizer.h"
#include "../NVIDIA/Warp.h"
#include "../ScaleStore.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "NarrowQuotient.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

/// Columns that all lanes of a row have two pairs of.
static constexpr int64_t kLeastGroup = 16;
static constexpr int64_t kWordBits = 32;
/// Groups of a word of a packed layout.
static constexpr int64_t kPackedGroups = 4;

int64_t projection::getElementBits(const Projection &projection) {
  if (projection.buffers.spec)
    return projection.buffers.spec.key.isFP4() ? 4 : 8;
  return getElementTypeOrSelf(projection.buffers.codes).getIntOrFloatBitWidth();
}

bool FragmentQuantizer::supports(const Projection &projection) {
  const QuantSpec &spec = projection.buffers.spec;
  if (!FragmentStore::supports(projection.columns, getElementBits(projection)))
    return false;
  if (!spec.hasScaleResult())
    return true;
  int64_t group = spec.getGroupSize(projection.buffers.width);
  return group % kLeastGroup == 0 && projection.columns % group == 0;
}

FragmentQuantizer::FragmentQuantizer(const Projection &projection,
                                     const QuantConstants &constants,
                                     Value lane)
    : p(projection), constants(constants), lane(lane),
      group(p.buffers.spec.hasScaleResult()
                ? p.buffers.spec.getGroupSize(p.buffers.width)
                : p.columns),
      isNarrow(isExact() && NarrowScale::isExact(p.buffers, p.elements)) {}

FragmentQuantizer::Result FragmentQuantizer::quantize(Emitter &e,
                                                      ValueRange sums) const {
  ptx::Registers values = round(e, sums), quotients;
  int64_t size = values.size() / getGroups();
  Result result;
  for (int64_t i = 0; i < getGroups(); ++i) {
    Value scale;
    llvm::append_range(
        quotients, divide(e, ValueRange(values).slice(i * size, size), scale));
    if (scale)
      result.scales.push_back(scale);
  }
  int64_t codes = kWordBits / getElementBits(p);
  for (size_t i = 0; i < quotients.size(); i += codes)
    result.codes.push_back(toWord(e, ValueRange(quotients).slice(i, codes)));
  return result;
}

//===----------------------------------------------------------------------===//
// A group
//===----------------------------------------------------------------------===//

ptx::Registers FragmentQuantizer::round(Emitter &e, ValueRange sums) const {
  if (!isExact())
    return ptx::Registers(sums);
  ptx::Registers pairs;
  for (size_t i = 0; i < sums.size(); i += 2)
    pairs.push_back(ptx::packPair(e, p.elements, sums[i], sums[i + 1]));
  return pairs;
}

Value FragmentQuantizer::findMaximum(Emitter &e, ValueRange values) const {
  auto foldRow = [&](Value value, Combine combine) {
    if (getGroups() > 1) {
      for (int64_t mask = 1; mask < kRowLanes; mask *= 2)
        value = combine(e, value, ptx::exchange(e, value, mask));
      return value;
    }
    // Nothing else is to be done meanwhile: exchanges do not wait for another.
    ptx::Registers ofLanes = {value};
    for (int64_t mask = 1; mask < kRowLanes; ++mask)
      ofLanes.push_back(ptx::exchange(e, value, mask));
    return foldPairwise(e, ofLanes, combine);
  };
  EffectiveRule rule = p.buffers.spec.getEffectiveRule();
  Value floor = constant(e, rule.floorOnScale ? 0 : rule.floor);
  if (isExact()) {
    auto larger = [&](Emitter &e, Value a, Value b) {
      return ptx::largerMagnitudes(e, p.elements, a, b);
    };
    Value pair = foldRow(foldPairwise(e, values, larger), larger);
    pair = arith::AndIOp::create(e, pair, ptx::i32(e, 0x7fff7fff));
    auto [low, high] = ptx::unpackPair(e, p.elements, pair);
    return largest(e, low, largest(e, high, floor));
  }
  ptx::Registers magnitudes;
  for (Value value : values)
    magnitudes.push_back(absF32(e, e.getLoc(), value));
  return largest(e, foldRow(foldPairwise(e, magnitudes, largest), largest),
                 floor);
}

ptx::Registers FragmentQuantizer::divide(Emitter &e, ValueRange values,
                                         Value &scale) const {
  const QuantBuffers &buffers = p.buffers;
  EffectiveRule rule = buffers.spec.getEffectiveRule();
  ptx::Registers elements;
  for (Value value : values) {
    if (!isExact()) {
      elements.push_back(value);
      continue;
    }
    auto [low, high] = ptx::unpackPair(e, p.elements, value);
    elements.append({low, high});
  }
  int64_t count = elements.size();
  Value vector = vector::FromElementsOp::create(
      e, VectorType::get({count}, e.getF32Type()), elements);
  if (!buffers.spec.hasScaleResult()) {
    Divisor given{constants.scale, constants.inverseScale, Value()};
    vector = emitQuotient(e, buffers, given, vector);
  } else if (Value most = findMaximum(e, values); isNarrow) {
    NarrowScale narrow(e, rule, most);
    scale = narrow.get();
    vector = narrow.divide(e, vector);
  } else {
    GroupScale computed =
        makeScale(e, buffers, constants, most, ConversionForm::Op);
    scale = computed.stored;
    vector = emitQuotient(e, buffers, computed.divisor, vector);
  }
  // The conversion stops at the largest number of the type itself.
  if (rule.max < buffers.spec.key.getDataTypeMax())
    vector =
        clampKeepNaN(e, e.getLoc(), vector,
                     createFloat(e, e.getLoc(), vector.getType(), rule.max));
  ptx::Registers quotients;
  for (int64_t i = 0; i < count; ++i)
    quotients.push_back(vector::ExtractOp::create(e, vector, i));
  return quotients;
}

Value FragmentQuantizer::toWord(Emitter &e, ValueRange quotients) const {
  int64_t count = quotients.size();
  Value codes =
      fromF32(e,
              vector::FromElementsOp::create(
                  e, VectorType::get({count}, e.getF32Type()), quotients),
              p.buffers.spec.key.getDataType());
  if (p.buffers.spec.key.isFP4())
    codes = vector::BitCastOp::create(
        e, VectorType::get({count / 2}, e.getI8Type()), codes);
  codes =
      vector::BitCastOp::create(e, VectorType::get({1}, e.getI32Type()), codes);
  return vector::ExtractOp::create(e, codes, 0);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

Value FragmentQuantizer::getTile(Emitter &e, const RowsPlace &place) const {
  return plus(e, times(e, place.head, p.getTilesPerHead()), place.tile);
}

Value FragmentQuantizer::getOutputRow(Emitter &e, Value row) const {
  Value outputRow = ptx::toIndex(e, row);
  return p.buffers.rowOffset ? plus(e, outputRow, p.buffers.rowOffset)
                             : outputRow;
}

void FragmentQuantizer::storeScales(Emitter &e, ValueRange scales,
                                    const RowsPlace &place) const {
  if (scales.empty())
    return;
  Value row = place.getRow(e, ptx::dividedByI(e, lane, kRowLanes));
  Value isFirst = ptx::isEqualI(e, ptx::moduloI(e, lane, kRowLanes), 0);
  Value exists = ptx::isLessI(e, row, place.rows);
  bool isPacked = ScaleStore::isPacked(p.buffers.spec);
  bool isByByte = isPacked && getGroups() % kPackedGroups != 0;
  runIf(e, both(e, isFirst, exists), [&](Emitter &e) {
    ScaleStore store(p.buffers, getOutputRow(e, row));
    Value first = times(e, getTile(e, place), getGroups());
    int64_t step = isPacked && !isByByte ? kPackedGroups : 1;
    for (int64_t i = 0; i < getGroups(); i += step) {
      Value number = plus(e, first, i);
      if (isByByte) {
        store.storeByte(e, scales[i], number);
        continue;
      }
      Value stored = store.pack(e, scales[i], 0);
      for (int64_t j = 1; j < step; ++j)
        stored =
            arith::OrIOp::create(e, stored, store.pack(e, scales[i + j], j));
      store.store(e, stored, number);
    }
  });
}

void FragmentQuantizer::storeCodes(Emitter &e, Value words, Value row,
                                   Value column, const RowsPlace &place) const {
  auto type = cast<MemRefType>(p.buffers.codes.getType());
  int64_t elementCodes = type.getElementTypeBitWidth() / getElementBits(p);
  int64_t count = kRowLanes * kWordBits / type.getElementTypeBitWidth();
  Value vector = vector::BitCastOp::create(
      e, VectorType::get({count}, type.getElementType()), words);
  Value element = ptx::toIndex(e, ptx::dividedByI(e, column, elementCodes));
  p.alignment.getRow(e, p.buffers.codes, getOutputRow(e, row))
      .store(e, vector,
             plus(e, times(e, getTile(e, place), p.columns / elementCodes),
                  element));
}
