//===- NormRow.cpp - RMSNorm of one row -----------------------------------===//

#include "NormRow.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

LoadedRow cpu::loadRow(Emitter &e, const NormSpec &norm, Value row) {
  int64_t width = norm.getWidth();
  RowView input = getRow(e, norm.input, row);
  RowView residual, residualOut;
  if (norm.residual) {
    residual = getRow(e, norm.residual, row);
    residualOut = getRow(e, norm.residualOut, row);
  }
  LoadedRow loaded{allocateRow(e, width), {}};
  auto constant = [](Emitter &e, double value) {
    return createFloat(e, e.getLoc(), e.getF32Type(), value);
  };
  Value squares = reduceRow(
      e, index(e, 0), width, constant(e, 0),
      [&](Emitter &e, Value column, int64_t lanes) {
        Value chunk = input.loadF32(e, column, lanes);
        if (norm.residual) {
          chunk = add(e, chunk, residual.loadF32(e, column, lanes));
          residualOut.storeRounded(e, chunk, column);
        }
        loaded.values.store(e, chunk, column);
        return mul(e, chunk, chunk);
      },
      add);
  Value variance = arith::DivFOp::create(e, squares, constant(e, width));
  Value epsilon = createFloat(e, e.getLoc(), e.getF32Type(),
                              norm.epsilon.convertToDouble());
  loaded.inverseRms = emitInvSqrt(e, e.getLoc(), add(e, variance, epsilon));
  return loaded;
}

Value cpu::normalizeChunk(Emitter &e, const NormSpec &norm,
                          const LoadedRow &loaded, Value column,
                          int64_t lanes) {
  Location loc = e.getLoc();
  Value value = mul(e, loaded.values.load(e, column, lanes),
                    splat(e, loaded.inverseRms, lanes));
  if (norm.weight) {
    Type inputType = cast<MemRefType>(norm.input.getType()).getElementType();
    if (norm.rounding == Rounding::Normalized)
      value = roundThrough(e, loc, value, inputType);
    Value weight = RowView{norm.weight, {}}.loadF32(e, column, lanes);
    if (norm.weightOffset)
      weight = add(e, createFloat(e, loc, weight.getType(), 1), weight);
    value = mul(e, value, weight);
  }
  return roundThrough(e, loc, value, norm.resultType);
}
