//===- NormRow.cpp - RMSNorm of one row -----------------------------------===//

#include "NormRow.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// Asks for the next row while this one is computed on: the arithmetic between
/// two rows' reads is as long as the reads, and hardware does not look that far
/// ahead. A row past the end is an address that nothing reads.
static void prefetchRow(Emitter &e, Value buffer, Value row, int64_t width) {
  constexpr int64_t kLineBytes = 64;
  auto type = cast<MemRefType>(buffer.getType());
  RowView view = getRow(e, buffer, row);
  serialFor(e, index(e, 0), index(e, width),
            kLineBytes * 8 / type.getElementTypeBitWidth(),
            [&](Emitter &e, Value column) {
              SmallVector<Value> indices(view.leading.begin(),
                                         view.leading.end());
              indices.push_back(column);
              memref::PrefetchOp::create(e, buffer, indices,
                                         /*isWrite=*/false,
                                         /*localityHint=*/3,
                                         /*isDataCache=*/true);
            });
}

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
  Value next = plus(e, row, 1);
  prefetchRow(e, norm.input, next, width);
  if (norm.residual)
    prefetchRow(e, norm.residual, next, width);
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
