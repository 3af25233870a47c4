//===- Dequantization.cpp - scales of stored codes ------------------------===//

#include "Dequantization.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::rows;

Value rows::loadGroupScale(Emitter &e, DequantizeOp op, Value row, Value column,
                           Value inverseGlobal) {
  QuantSpec spec = op.getQuantSpec();
  QuantKeyAttr key = spec.key;
  Value scales = op.getScale();
  int64_t width = getWidth(op.getInits()[0]);
  if (key.isPerTensor())
    return loadScalar(e, scales);
  auto divideBy = [&](Value value, int64_t by) -> Value {
    return arith::DivUIOp::create(e, value, index(e, by));
  };
  Value group = divideBy(column, spec.getGroupSize(width));
  if (key.isWeightKey()) {
    RowView view = getRow(e, op.getInits()[0], row);
    // Codes of rank above 2 share one weight's scales.
    Value weightRow = view.leading.back();
    Value scaleRow = key.getGroupRows() == -1
                         ? index(e, 0)
                         : divideBy(weightRow, key.getGroupRows());
    return memref::LoadOp::create(e, scales, ValueRange{scaleRow, group});
  }
  Value stored = memref::LoadOp::create(
      e, scales, getScaleIndices(e, spec.getLayout(), scales, row, group));
  Location loc = e.getLoc();
  if (spec.getLayout() == ScaleLayout::PackedUE8M0) {
    Value byte = arith::RemUIOp::create(e, group, index(e, 4));
    Value shift = arith::IndexCastOp::create(
        e, e.getI32Type(), arith::MulIOp::create(e, byte, index(e, 8)));
    Value exponent =
        arith::AndIOp::create(e, arith::ShRUIOp::create(e, stored, shift),
                              createInt(e, loc, e.getI32Type(), 0xFF));
    return arith::BitcastOp::create(
        e, e.getF32Type(),
        arith::ShLIOp::create(e, exponent,
                              createInt(e, loc, e.getI32Type(), 23)));
  }
  Value scale = extendToF32(e, loc, stored);
  return inverseGlobal ? mul(e, scale, inverseGlobal) : scale;
}

bool rows::hasScalePerColumn(QuantKeyAttr key) {
  return key.isWeightKey() && key.getGroupRows() == -1 &&
         key.getGroupColumns() == 1;
}

int64_t rows::getScaleSpan(QuantKeyAttr key, int64_t width) {
  return key.getGroupColumns() == -1 ? width : key.getGroupColumns();
}
