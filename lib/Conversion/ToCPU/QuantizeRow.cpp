//===- QuantizeRow.cpp - codes and scales of one row ----------------------===//
//
// The arithmetic is that of the `quantize` op's documentation.
//
//===----------------------------------------------------------------------===//

#include "QuantizeRow.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// Groups up to this many elements stay in vector registers between the
/// maximum and the codes.
static constexpr int64_t kRegisterElements = 256;

static Value divide(Emitter &e, Value a, Value b) {
  return arith::DivFOp::create(e, a, b);
}

static int64_t getLanes(Value vector) {
  return cast<VectorType>(vector.getType()).getNumElements();
}

namespace {

/// Quantizes one row; `scales` of packed layouts collect into words.
class RowQuantizer {
public:
  RowQuantizer(Emitter &e, const QuantBuffers &buffers,
               const QuantConstants &constants, Value row,
               const Segment &segment, ChunkSource source, const RowView &memo)
      : buffers(buffers), constants(constants), segment(segment),
        source(source), memo(memo), rule(buffers.spec.getEffectiveRule()),
        key(buffers.spec.key) {
    outputRow =
        buffers.rowOffset
            ? arith::AddIOp::create(e, row, buffers.rowOffset).getResult()
            : row;
    codes = getRow(e, buffers.codes, outputRow);
    group = buffers.spec.getGroupSize(buffers.width);
  }

  void run(Emitter &e) {
    if (key.getIsStatic() || key.isPerTensor()) {
      forEachChunk(e, segment.begin, segment.width,
                   [&](Emitter &e, Value column, int64_t lanes) {
                     storeCodes(
                         e, source(e, column, lanes), column,
                         {constants.scale, constants.inverseScale, Value()});
                   });
    } else if (buffers.spec.getLayout() == ScaleLayout::PackedUE8M0) {
      runPacked(e);
    } else {
      forEachGroup(e, dividedBy(e, segment.begin, group), segment.width / group,
                   [&](Emitter &e, Value groupIndex) {
                     storeScale(e, quantizeGroup(e, groupIndex), groupIndex);
                   });
      padGroups(e);
    }
  }

private:
  void forEachGroup(Emitter &e, Value first, int64_t count,
                    function_ref<void(Emitter &, Value)> body) {
    if (count == 1)
      return body(e, first);
    Value end = arith::AddIOp::create(e, first, index(e, count));
    serialFor(e, first, end, 1, body);
  }

  /// Swizzled storage rounds the groups of a row up to four: the segment that
  /// ends the row writes zeros there.
  void padGroups(Emitter &e) {
    int64_t groups = buffers.width / group;
    if (buffers.spec.getLayout() != ScaleLayout::Swizzled128x4 ||
        groups % 4 == 0)
      return;
    Value endsRow = arith::CmpIOp::create(e, arith::CmpIPredicate::eq,
                                          plus(e, segment.begin, segment.width),
                                          index(e, buffers.width));
    scf::IfOp::create(e, endsRow, [&](OpBuilder &builder, Location loc) {
      Emitter e(loc, builder);
      Value zero = arith::ConstantOp::create(
          e, cast<TypedAttr>(e.getZeroAttr(key.getScaleType())));
      for (int64_t padding = groups; padding % 4; ++padding)
        storeScale(e, zero, index(e, padding));
      scf::YieldOp::create(e);
    });
  }

  void runPacked(Emitter &e) {
    int64_t groups = segment.width / group;
    Value firstWord = dividedBy(e, segment.begin, 4 * group);
    auto word = [&](Emitter &e, Value wordIndex, int64_t count) {
      Value bits;
      Value first = arith::MulIOp::create(e, wordIndex, index(e, 4));
      for (int64_t i = 0; i < count; ++i) {
        Value scale =
            quantizeGroup(e, arith::AddIOp::create(e, first, index(e, i)));
        Value byte = arith::ShLIOp::create(
            e, exponentByte(e, e.getLoc(), scale),
            createInt(e, e.getLoc(), e.getI32Type(), 8 * i));
        bits = bits ? arith::OrIOp::create(e, bits, byte).getResult() : byte;
      }
      memref::StoreOp::create(e, bits, buffers.scales,
                              ValueRange{wordIndex, outputRow});
    };
    Value tail = arith::AddIOp::create(e, firstWord, index(e, groups / 4));
    if (groups >= 4)
      serialFor(e, firstWord, tail, 1,
                [&](Emitter &e, Value wordIndex) { word(e, wordIndex, 4); });
    if (groups % 4)
      word(e, tail, groups % 4);
  }

  /// Stores the codes of one group; returns its scale as it is stored.
  Value quantizeGroup(Emitter &e, Value groupIndex) {
    Value begin = arith::MulIOp::create(e, groupIndex, index(e, group));
    Value floor = constant(e, rule.floorOnScale ? 0 : rule.floor);
    auto magnitude = [&](Emitter &e, Value chunk) {
      return absF32(e, e.getLoc(), chunk);
    };

    if (group <= kRegisterElements) {
      SmallVector<Value> chunks;
      Value absMax = floor, lanesMax;
      for (int64_t done = 0; done < group; done += kLanes) {
        int64_t lanes = std::min(kLanes, group - done);
        Value column = arith::AddIOp::create(e, begin, index(e, done));
        chunks.push_back(source(e, column, lanes));
        Value chunkMax = magnitude(e, chunks.back());
        if (lanes < kLanes) {
          absMax = maximum(
              e, absMax,
              reduceLanes(e, maximum(e, splat(e, floor, lanes), chunkMax),
                          maximum));
          continue;
        }
        if (!lanesMax)
          lanesMax = splat(e, floor, kLanes);
        lanesMax = maximum(e, lanesMax, chunkMax);
      }
      if (lanesMax)
        absMax = maximum(e, absMax, reduceLanes(e, lanesMax, maximum));
      auto [stored, divisor] =
          makeScale(e, buffers, constants, absMax, ConversionForm::Arithmetic);
      for (auto [i, chunk] : llvm::enumerate(chunks))
        storeCodes(e, chunk,
                   arith::AddIOp::create(e, begin, index(e, i * kLanes)),
                   divisor);
      return stored;
    }

    Value absMax = reduceRow(
        e, begin, group, floor,
        [&](Emitter &e, Value column, int64_t lanes) {
          Value chunk = source(e, column, lanes);
          if (memo.buffer)
            memo.store(e, chunk, column);
          // A whole chunk meets an accumulator, which ignores its NaN; a
          // shorter one is folded by itself first.
          return lanes == kLanes ? magnitude(e, chunk)
                                 : maximum(e, splat(e, constant(e, 0), lanes),
                                           magnitude(e, chunk));
        },
        maximum);
    auto [stored, divisor] =
        makeScale(e, buffers, constants, absMax, ConversionForm::Arithmetic);
    forEachChunk(
        e, begin, group,
        [&, divisor = divisor](Emitter &e, Value column, int64_t lanes) {
          Value chunk = memo.buffer ? memo.load(e, column, lanes)
                                    : source(e, column, lanes);
          storeCodes(e, chunk, column, divisor);
        });
    return stored;
  }

  void storeScale(Emitter &e, Value scale, Value groupIndex) {
    SmallVector<Value, 2> indices = getScaleIndices(
        e, buffers.spec.getLayout(), buffers.scales, outputRow, groupIndex);
    memref::StoreOp::create(e, scale, buffers.scales, indices);
  }

  void storeCodes(Emitter &e, Value chunk, Value column,
                  const Divisor &divisor) {
    Location loc = e.getLoc();
    int64_t lanes = getLanes(chunk);
    bool multiplies =
        divisor.inverse && (!divisor.scale || rule.reciprocal || rule.ue8m0);
    Value quotient =
        divisor.exponent ? scaleByPowerOfTwo(e, loc, chunk,
                                             splat(e, divisor.exponent, lanes))
        : multiplies     ? mul(e, chunk, splat(e, divisor.inverse, lanes))
                         : divide(e, chunk, splat(e, divisor.scale, lanes));
    Value rounded = roundFromF32(e, loc, quotient, key.getDataType(), rule.max);
    if (!key.isFP4())
      return codes.store(e, rounded, column);
    codes.store(e, packNibbles(e, loc, rounded),
                arith::DivUIOp::create(e, column, index(e, 2)));
  }

  const QuantBuffers &buffers;
  const QuantConstants &constants;
  const Segment &segment;
  ChunkSource source;
  const RowView &memo;
  EffectiveRule rule;
  QuantKeyAttr key;
  Value outputRow;
  RowView codes;
  int64_t group;
};

} // namespace

void cpu::quantizeRow(Emitter &e, const QuantBuffers &buffers,
                      const QuantConstants &constants, Value row,
                      const Segment &segment, ChunkSource source,
                      const RowView &memo) {
  RowQuantizer(e, buffers, constants, row, segment, source, memo).run(e);
}

Segment cpu::getWholeRow(Emitter &e, const QuantBuffers &buffers) {
  return {index(e, 0), buffers.width};
}

int64_t cpu::getSegmentWidth(const QuantBuffers &buffers, int64_t part) {
  QuantKeyAttr key = buffers.spec.key;
  if (key.isPerTensor())
    return part;
  int64_t whole = buffers.spec.getGroupSize(buffers.width);
  if (buffers.spec.getLayout() == ScaleLayout::PackedUE8M0)
    whole *= 4;
  int64_t segment = std::lcm(whole, part);
  return buffers.width % segment == 0 ? segment : buffers.width;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

void cpu::zeroScalePadding(Emitter &e, const QuantBuffers &buffers,
                           Value rows) {
  const QuantSpec &spec = buffers.spec;
  if (!spec.hasScaleResult() || spec.key.isPerTensor())
    return;
  ScaleLayout layout = spec.getLayout();
  bool isSwizzled = layout == ScaleLayout::Swizzled128x4;
  if (layout != ScaleLayout::TMAAligned && layout != ScaleLayout::PackedUE8M0 &&
      !isSwizzled)
    return;

  Value total = cpu::getRowCount(e, buffers.codes);
  Value end =
      buffers.rowOffset
          ? arith::AddIOp::create(e, rows, buffers.rowOffset).getResult()
          : rows;
  Value reachesEnd =
      arith::CmpIOp::create(e, arith::CmpIPredicate::uge, end, total);
  scf::IfOp::create(e, reachesEnd, [&](OpBuilder &builder, Location loc) {
    Emitter e(loc, builder);
    auto type = cast<MemRefType>(buffers.scales.getType());
    Value zero = arith::ConstantOp::create(
        e, cast<TypedAttr>(e.getZeroAttr(type.getElementType())));
    // Storage rows or columns that hold a whole tile of row padding.
    int64_t groups = buffers.width / spec.getGroupSize(buffers.width);
    int64_t outer = isSwizzled ? llvm::alignTo(groups, 4)
                    : layout == ScaleLayout::PackedUE8M0
                        ? llvm::divideCeil(groups, 4)
                        : groups;
    int64_t tile = isSwizzled ? 128 : 4;
    Value padded = arith::MulIOp::create(
        e, arith::CeilDivUIOp::create(e, total, index(e, tile)),
        index(e, tile));
    auto storeZero = [&](Emitter &e, Value row, Value group) {
      SmallVector<Value, 2> indices =
          isSwizzled ? getScaleIndices(e, layout, buffers.scales, row, group)
                     : SmallVector<Value, 2>{group, row};
      memref::StoreOp::create(e, zero, buffers.scales, indices);
    };
    serialFor(e, index(e, 0), index(e, outer), 1, [&](Emitter &e, Value group) {
      serialFor(e, total, padded, 1,
                [&](Emitter &e, Value row) { storeZero(e, row, group); });
    });
    scf::YieldOp::create(e);
  });
}
