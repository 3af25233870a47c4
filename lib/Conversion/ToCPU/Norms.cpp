//===- Norms.cpp - CPU kernels of the norms, bare and quantized -----------===//
//
// Every norm is the same three steps: read the row and its sum of squares,
// scale it chunk by chunk, and either store the chunks or quantize them. The
// fused ops therefore give the bits of the unfused ones.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "NormRow.h"
#include "QuantizeRow.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

namespace {

/// One norm, with where its result goes: to `unquantized`, to codes, or both.
struct NormSide {
  NormSpec norm;
  Value unquantized;  ///< May be null with a key.
  QuantBuffers quant; ///< A null key: not quantized.
};

} // namespace

static Type getElementType(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

/// Stores one row's result, from what `loadRow` left.
static void finishRow(Emitter &e, const NormSide &side,
                      const QuantConstants &constants, const LoadedRow &loaded,
                      Value row) {
  RowView unquantized;
  if (side.unquantized)
    unquantized = getRow(e, side.unquantized, row);
  auto produce = [&](Emitter &e, Value column, int64_t lanes) {
    Value chunk = normalizeChunk(e, side.norm, loaded, column, lanes);
    if (side.unquantized) {
      if (unquantized.getElementType() == side.norm.resultType)
        unquantized.storeExact(e, chunk, column);
      else
        unquantized.storeRounded(e, chunk, column);
    }
    return chunk;
  };
  if (side.quant.spec)
    return quantizeRow(e, side.quant, constants, row,
                       getWholeRow(e, side.quant), produce, loaded.values);
  forEachChunk(e, index(e, 0), side.norm.getWidth(),
               [&](Emitter &e, Value column, int64_t lanes) {
                 produce(e, column, lanes);
               });
}

/// The kernel of one or two sides over the same rows.
static void emitNorm(Emitter &e, ArrayRef<NormSide> sides, Value count) {
  Value input = sides.front().norm.input;
  Value rows = getActualRows(e, getRowCount(e, input), count);
  for (const NormSide &side : sides)
    if (side.quant.spec)
      rows = clampRows(e, side.quant, rows);
  SmallVector<QuantConstants> constants;
  int64_t work = 0;
  for (const NormSide &side : sides) {
    constants.push_back(side.quant.spec ? loadConstants(e, side.quant)
                                        : QuantConstants());
    work += side.norm.getWidth();
  }
  parallelFor(e, rows, work, [&](Emitter &e, Value row) {
    // All sides are read before one is written: a destination may be the memory
    // of either side's input.
    SmallVector<LoadedRow> loaded;
    for (const NormSide &side : sides)
      loaded.push_back(loadRow(e, side.norm, row));
    for (auto [side, constant, values] : llvm::zip(sides, constants, loaded))
      finishRow(e, side, constant, values, row);
  });
  for (const NormSide &side : sides)
    if (side.quant.spec)
      zeroScalePadding(e, side.quant, getRowCount(e, input));
}

/// What a fused norm's value is rounded to ahead of the codes.
static Type getQuantizedType(Value input, Numerics numerics) {
  return numerics == Numerics::Exact
             ? getElementType(input)
             : Type(Float32Type::get(input.getContext()));
}

void cpu::lower(Emitter &e, RMSNormOp op) {
  Value output = op.getInits()[0];
  NormSide side{{op.getInput(), op.getWeight(), Value(), Value(),
                 op.getEpsilon(), op.getRounding(), op.getWeightOffset(),
                 getElementType(output)},
                output,
                {}};
  emitNorm(e, side, op.getNumActualTokens());
}

void cpu::lower(Emitter &e, AddRMSNormOp op) {
  Value output = op.getInits()[0];
  NormSide side{{op.getInput(), op.getWeight(), op.getResidual(),
                 op.getInits()[1], op.getEpsilon(), op.getRounding(),
                 op.getWeightOffset(), getElementType(output)},
                output,
                {}};
  emitNorm(e, side, op.getNumActualTokens());
}

void cpu::lower(Emitter &e, RMSNormQuantizeOp op) {
  NormSide side{{op.getInput(), op.getWeight(), op.getResidual(),
                 op.getResidualInit(), op.getEpsilon(), op.getRounding(),
                 op.getWeightOffset(),
                 getQuantizedType(op.getInput(), op.getNumerics())},
                op.getUnquantizedInit(),
                {}};
  side.quant = {op.getQuantSpec(),   side.norm.getWidth(), op.getCodesInit(),
                op.getScaleInit(),   op.getScale(),        op.getScaleUb(),
                op.getGlobalScale(), op.getRowOffset()};
  emitNorm(e, side, op.getNumActualTokens());
}

void cpu::lower(Emitter &e, DualRMSNormOp op) {
  auto makeSide = [&](Value input, Value weight, Value output,
                      APFloat epsilon) {
    return NormSide{{input, weight, Value(), Value(), epsilon, op.getRounding(),
                     op.getWeightOffset(), getElementType(output)},
                    output,
                    {}};
  };
  emitNorm(e,
           {makeSide(op.getQC(), op.getQWeight(), op.getInits()[0],
                     op.getQEpsilon()),
            makeSide(op.getKvC(), op.getKvWeight(), op.getInits()[1],
                     op.getKvEpsilon())},
           op.getNumActualTokens());
}

void cpu::lower(Emitter &e, DualRMSNormQuantizeOp op) {
  auto makeSide = [&](Value input, Value weight, APFloat epsilon,
                      const QuantSpec &spec, const DualSideInits &inits,
                      Value scale, Value scaleUb, Value globalScale) {
    Type result = spec ? getQuantizedType(input, op.getNumerics())
                       : getElementType(inits.unquantized);
    NormSide side{{input, weight, Value(), Value(), epsilon, op.getRounding(),
                   op.getWeightOffset(), result},
                  inits.unquantized,
                  {}};
    side.quant = {
        spec,    side.norm.getWidth(), inits.codes, inits.scale, scale,
        scaleUb, globalScale,          Value()};
    return side;
  };
  emitNorm(e,
           {makeSide(op.getQC(), op.getQWeight(), op.getQEpsilon(),
                     op.getQQuantSpec(), op.getQInits(), op.getQScale(),
                     op.getQScaleUb(), op.getQGlobalScale()),
            makeSide(op.getKvC(), op.getKvWeight(), op.getKvEpsilon(),
                     op.getKvQuantSpec(), op.getKvInits(), op.getKvScale(),
                     op.getKvScaleUb(), op.getKvGlobalScale())},
           op.getNumActualTokens());
}
