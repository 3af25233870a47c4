//===- Quantize.cpp - CPU kernels of quantize and dequantize --------------===//

#include "../Rows/Dequantization.h"
#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "QuantizeRow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

/// The dynamic scale of a whole tensor, stored and returned: every row raises
/// one maximum, which the scale buffer holds meanwhile.
static Value emitTensorScale(Emitter &e, QuantizeOp op, Value rows,
                             Value scaleUb) {
  EffectiveRule rule = op.getQuantSpec().getEffectiveRule();
  Value scales = op.getScaleInit();
  int64_t width = getWidth(op.getInput());
  memref::StoreOp::create(e, constant(e, rule.floorOnScale ? 0 : rule.floor),
                          scales, ValueRange{index(e, 0)});
  parallelFor(e, rows, width, [&](Emitter &e, Value row) {
    RowView input = getRow(e, op.getInput(), row);
    Value absMax = reduceRow(
        e, index(e, 0), width, constant(e, 0),
        [&](Emitter &e, Value column, int64_t lanes) {
          Value chunk = absF32(e, e.getLoc(), input.loadF32(e, column, lanes));
          return maximum(e, splat(e, constant(e, 0), lanes), chunk);
        },
        maximum);
    memref::AtomicRMWOp::create(e, arith::AtomicRMWKind::maximumf, absMax,
                                scales, ValueRange{index(e, 0)});
  });
  Value scale = computeScale(e, rule, loadScalar(e, scales), scaleUb);
  memref::StoreOp::create(e, scale, scales, ValueRange{index(e, 0)});
  return scale;
}

void cpu::lower(Emitter &e, QuantizeOp op) {
  QuantBuffers buffers{op.getQuantSpec(),   getWidth(op.getInput()),
                       op.getCodesInit(),   op.getScaleInit(),
                       op.getScale(),       op.getScaleUb(),
                       op.getGlobalScale(), op.getRowOffset()};
  Value rows = clampRows(
      e, buffers,
      getActualRows(e, getRowCount(e, op.getInput()), op.getNumActualTokens()));
  QuantConstants constants = loadConstants(e, buffers);
  if (op.getKey().isPerTensor() && op.getKey().isDynamic()) {
    constants.scale = emitTensorScale(e, op, rows, constants.scaleUb);
    constants.inverseScale =
        arith::DivFOp::create(e, constant(e, 1), constants.scale);
  }
  parallelFor(e, rows, buffers.width, [&](Emitter &e, Value row) {
    RowView input = getRow(e, op.getInput(), row);
    quantizeRow(
        e, buffers, constants, row, getWholeRow(e, buffers),
        [&](Emitter &e, Value column, int64_t lanes) {
          return input.loadF32(e, column, lanes);
        },
        /*memo=*/RowView());
  });
  zeroScalePadding(e, buffers, getRowCount(e, op.getInput()));
}

//===----------------------------------------------------------------------===//
// dequantize
//===----------------------------------------------------------------------===//

void cpu::lower(Emitter &e, DequantizeOp op) {
  Value output = op.getInits()[0];
  QuantKeyAttr key = op.getKey();
  int64_t width = getWidth(output);
  int64_t span = std::min(getScaleSpan(key, width), width);
  Value inverseGlobal;
  if (op.getGlobalScale())
    inverseGlobal = arith::DivFOp::create(e, constant(e, 1),
                                          loadScalar(e, op.getGlobalScale()));

  parallelFor(e, getRowCount(e, output), width, [&](Emitter &e, Value row) {
    Location loc = e.getLoc();
    RowView codes = getRow(e, op.getInput(), row);
    RowView values = getRow(e, output, row);
    auto decode = [&](Emitter &e, Value column, int64_t lanes) -> Value {
      if (!key.isFP4())
        return codes.loadF32(e, column, lanes);
      Value byte = arith::DivUIOp::create(e, column, index(e, 2));
      return extendToF32(e, loc,
                         unpackNibbles(e, loc, codes.load(e, byte, lanes / 2)),
                         key.getDataType());
    };
    auto runSpan = [&](Emitter &e, Value begin, int64_t size) {
      Value scale = loadGroupScale(e, op, row, begin, inverseGlobal);
      forEachChunk(
          e, begin, size, [&](Emitter &e, Value column, int64_t lanes) {
            Value value =
                mul(e, decode(e, column, lanes), splat(e, scale, lanes));
            values.storeRounded(e, value, column);
          });
    };
    if (hasScalePerColumn(key)) {
      RowView scaleRow{op.getScale(), {index(e, 0)}};
      return forEachChunk(
          e, index(e, 0), width, [&](Emitter &e, Value column, int64_t lanes) {
            Value value = mul(e, decode(e, column, lanes),
                              scaleRow.loadF32(e, column, lanes));
            values.storeRounded(e, value, column);
          });
    }
    if (width / span > 1)
      serialFor(e, index(e, 0), index(e, width / span * span), span,
                [&](Emitter &e, Value begin) { runSpan(e, begin, span); });
    else
      runSpan(e, index(e, 0), span);
    if (width > span && width % span)
      runSpan(e, index(e, width / span * span), width % span);
  });
}
