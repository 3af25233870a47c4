//===- OutputRows.cpp - rows of heads, stored or quantized ----------------===//

#include "OutputRows.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

OutputRows::OutputRows(QuantBuffers quant, Type model, int64_t heads,
                       int64_t width)
    : quant(quant), model(model), width(width), segmentHeads(1) {
  if (quant.spec)
    segmentHeads = getSegmentWidth(quant, width) / width;
}

void OutputRows::prepare(Emitter &e, Value rows) {
  if (quant.rowOffset)
    storedRows = clampRows(e, quant, rows);
  if (quant.spec)
    constants = loadConstants(e, quant);
}

OutputRows::Part OutputRows::begin(Emitter &e, Value firstRow, Value firstHead,
                                   int64_t rows) {
  Part part{firstRow, firstHead, Value()};
  if (quant.spec)
    part.buffer = memref::AllocaOp::create(
        e, MemRefType::get({rows, segmentHeads * width}, e.getF32Type()),
        e.getI64IntegerAttr(64));
  return part;
}

void OutputRows::store(Emitter &e, const Part &part, Value row, Value head,
                       Value column, Value chunk) {
  if (part.buffer) {
    if (quant.spec.numerics == Numerics::Exact)
      chunk = roundThrough(e, e.getLoc(), chunk, model);
    RowView{part.buffer, {row}}.store(e, chunk,
                                      plus(e, times(e, head, width), column));
    return;
  }
  Value outputRow = plus(e, part.firstRow, row);
  auto storeRow = [&](Emitter &e, Value target) {
    Value firstColumn = times(e, plus(e, part.firstHead, head), width);
    RowView{quant.codes, {target}}.storeRounded(e, chunk,
                                                plus(e, firstColumn, column));
  };
  if (!storedRows)
    return storeRow(e, outputRow);
  Value isStored = arith::CmpIOp::create(e, arith::CmpIPredicate::ult,
                                         outputRow, storedRows);
  scf::IfOp::create(e, isStored, [&](OpBuilder &builder, Location loc) {
    Emitter e(loc, builder);
    storeRow(e, plus(e, outputRow, quant.rowOffset));
    scf::YieldOp::create(e);
  });
}

void OutputRows::finish(Emitter &e, const Part &part, Value rowCount) {
  if (!part.buffer)
    return;
  Value begin = times(e, part.firstHead, width);
  if (storedRows) {
    Value last =
        arith::MinUIOp::create(e, plus(e, part.firstRow, rowCount), storedRows);
    rowCount =
        minus(e, arith::MaxUIOp::create(e, last, part.firstRow), part.firstRow);
  }
  serialFor(e, index(e, 0), rowCount, 1, [&](Emitter &e, Value row) {
    quantizeRow(
        e, quant, constants, plus(e, part.firstRow, row),
        {begin, segmentHeads * width},
        [&](Emitter &e, Value column, int64_t lanes) {
          return RowView{part.buffer, {row}}.load(
              e, arith::SubIOp::create(e, column, begin), lanes);
        },
        /*memo=*/RowView());
  });
}

void OutputRows::finishAll(Emitter &e, Value rows) {
  if (quant.spec)
    zeroScalePadding(e, quant, rows);
}
