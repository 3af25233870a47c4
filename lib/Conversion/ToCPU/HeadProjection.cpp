//===- HeadProjection.cpp - CPU kernels of per-head and plain products ----===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "MatrixTile.h"
#include "QuantizeRow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

static int64_t getSize(Value buffer, int64_t dim) {
  return cast<MemRefType>(buffer.getType()).getDimSize(dim);
}

static Value loadElement(Emitter &e, Value buffer, ValueRange indices) {
  Value element = memref::LoadOp::create(e, buffer, indices);
  return extendToF32(e, e.getLoc(), element);
}

//===----------------------------------------------------------------------===//
// head_projection
//===----------------------------------------------------------------------===//

namespace {

/// Rows of x and of the output under one block of the product.
class HeadProjectionKernel {
public:
  HeadProjectionKernel(HeadProjectionOp op)
      : op(op), heads(getSize(op.getW(), 0)), depth(getSize(op.getW(), 1)),
        width(getSize(op.getW(), 2)) {
    quant = {op.getOutputQuant(), heads * width,    op.getOutputInit(),
             op.getScaleInit(),   op.getScale(),    op.getScaleUb(),
             op.getGlobalScale(), op.getRowOffset()};
  }

  void emit(Emitter &e) {
    Value rows = getTokenRows(e);
    bool quantizes = static_cast<bool>(quant.spec);
    QuantConstants constants =
        quantizes ? loadConstants(e, quant) : QuantConstants();
    int64_t segment = quantizes ? getSegmentWidth(quant, width) : width;
    int64_t segmentHeads = segment / width;
    Value blocks = getRowBlockCount(e, rows);
    Value count =
        arith::MulIOp::create(e, blocks, index(e, heads / segmentHeads));
    parallelFor(
        e, count, kTileRows * segment * depth, [&](Emitter &e, Value item) {
          // Heads outermost: all rows meet a head's weight while it is cached.
          Value block = arith::RemUIOp::create(e, item, blocks);
          Value firstHead =
              arith::MulIOp::create(e, arith::DivUIOp::create(e, item, blocks),
                                    index(e, segmentHeads));
          emitRowBlock(e, rows, block,
                       [&](Emitter &e, Value first, int64_t size) {
                         if (quantizes)
                           emitQuantized(e, constants, firstHead, segmentHeads,
                                         first, size);
                         else
                           emitPlain(e, firstHead, first, size);
                       });
        });
    if (quantizes)
      zeroScalePadding(e, quant, getOutputRows(e));
  }

private:
  /// B * S: the rows that x gives.
  Value getOutputRows(Emitter &e) {
    Value batch = memref::DimOp::create(e, op.getX(), index(e, 0));
    Value queries = memref::DimOp::create(e, op.getX(), index(e, 1));
    return arith::MulIOp::create(e, batch, queries);
  }

  Value getTokenRows(Emitter &e) {
    Value rows = getOutputRows(e);
    if (!op.getNumActualTokens())
      return rows;
    Value actual = arith::IndexCastOp::create(
        e, e.getIndexType(), loadScalar(e, op.getNumActualTokens()));
    actual = arith::MaxSIOp::create(e, actual, index(e, 0));
    return arith::MinSIOp::create(e, actual, rows);
  }

  /// (request, query) of each row of a block.
  SmallVector<SmallVector<Value, 2>> getPositions(Emitter &e, Value first,
                                                  int64_t size) {
    Value queries = memref::DimOp::create(e, op.getX(), index(e, 1));
    SmallVector<SmallVector<Value, 2>> positions;
    for (int64_t i = 0; i < size; ++i) {
      Value row = arith::AddIOp::create(e, first, index(e, i));
      positions.push_back({arith::DivUIOp::create(e, row, queries),
                           arith::RemUIOp::create(e, row, queries)});
    }
    return positions;
  }

  void emitHead(Emitter &e, Value head,
                ArrayRef<SmallVector<Value, 2>> positions,
                function_ref<void(Emitter &, int64_t, Value, Value)> finish) {
    emitProduct(
        e,
        {static_cast<int64_t>(positions.size()), depth, index(e, 0), width,
         [&](Emitter &e, int64_t row, Value k) {
           return loadElement(e, op.getX(),
                              {positions[row][0], positions[row][1], head, k});
         },
         [&](Emitter &e, Value k, Value column, int64_t lanes) {
           RowView row{op.getW(), {head, k}};
           return row.loadF32(e, column, lanes);
         },
         nullptr, finish});
  }

  void emitPlain(Emitter &e, Value head, Value first, int64_t size) {
    auto positions = getPositions(e, first, size);
    Value output = op.getOutputInit();
    bool isRank4 = cast<MemRefType>(output.getType()).getRank() == 4;
    Value base = arith::MulIOp::create(e, head, index(e, width));
    emitHead(
        e, head, positions,
        [&](Emitter &e, int64_t row, Value sums, Value column) {
          if (isRank4) {
            RowView view{output, {positions[row][0], positions[row][1], head}};
            return view.storeRounded(e, sums, column);
          }
          Value outputRow = arith::AddIOp::create(e, first, index(e, row));
          if (op.getRowOffset())
            outputRow = arith::AddIOp::create(e, outputRow, op.getRowOffset());
          RowView view{output, {outputRow}};
          view.storeRounded(e, sums, arith::AddIOp::create(e, base, column));
        });
  }

  /// Some heads of a few rows: their sums wait in one buffer a row, then each
  /// row's part is quantized.
  void emitQuantized(Emitter &e, const QuantConstants &constants,
                     Value firstHead, int64_t segmentHeads, Value first,
                     int64_t size) {
    Type model = cast<MemRefType>(op.getX().getType()).getElementType();
    bool isExact = op.getNumerics() == Numerics::Exact;
    auto positions = getPositions(e, first, size);
    SmallVector<RowView> sums;
    for (int64_t i = 0; i < size; ++i)
      sums.push_back(allocateRow(e, segmentHeads * width));
    serialFor(
        e, index(e, 0), index(e, segmentHeads), 1, [&](Emitter &e, Value i) {
          Value head = arith::AddIOp::create(e, firstHead, i);
          Value base = arith::MulIOp::create(e, i, index(e, width));
          emitHead(e, head, positions,
                   [&](Emitter &e, int64_t row, Value chunk, Value column) {
                     if (isExact)
                       chunk = roundThrough(e, e.getLoc(), chunk, model);
                     sums[row].store(e, chunk,
                                     arith::AddIOp::create(e, base, column));
                   });
        });
    Value begin = arith::MulIOp::create(e, firstHead, index(e, width));
    for (int64_t i = 0; i < size; ++i)
      quantizeRow(
          e, quant, constants, arith::AddIOp::create(e, first, index(e, i)),
          {begin, segmentHeads * width},
          [&](Emitter &e, Value column, int64_t lanes) {
            return sums[i].load(e, arith::SubIOp::create(e, column, begin),
                                lanes);
          },
          /*memo=*/RowView());
  }

  HeadProjectionOp op;
  int64_t heads, depth, width;
  QuantBuffers quant;
};

} // namespace

void cpu::lower(Emitter &e, HeadProjectionOp op) {
  HeadProjectionKernel(op).emit(e);
}

//===----------------------------------------------------------------------===//
// linalg.matmul
//===----------------------------------------------------------------------===//

/// Columns of one parallel item: enough to amortize the rows' reads, few enough
/// to keep all threads busy.
static constexpr int64_t kMatmulColumns = 256;

bool cpu::canLower(linalg::MatmulOp op) {
  if (!op.hasPureBufferSemantics() || op.hasUserDefinedMaps())
    return false;
  auto left = cast<MemRefType>(op.getInputs()[0].getType());
  auto right = cast<MemRefType>(op.getInputs()[1].getType());
  auto output = cast<MemRefType>(op.getOutputs()[0].getType());
  return output.getElementType().isF32() &&
         isExtendable(left.getElementType()) &&
         isExtendable(right.getElementType()) && !right.isDynamicDim(0) &&
         !right.isDynamicDim(1) && right.isLastDimUnitStride() &&
         output.isLastDimUnitStride();
}

void cpu::lower(Emitter &e, linalg::MatmulOp op) {
  Value left = op.getInputs()[0], right = op.getInputs()[1];
  Value output = op.getOutputs()[0];
  int64_t depth = getSize(right, 0), width = getSize(right, 1);
  Value rows = memref::DimOp::create(e, output, index(e, 0));
  Value blocks = getRowBlockCount(e, rows);
  int64_t whole = width / kMatmulColumns;
  bool hasRest = width % kMatmulColumns != 0;

  auto emitTile = [&](Emitter &e, Value block, Value begin, int64_t columns) {
    emitRowBlock(e, rows, block, [&](Emitter &e, Value first, int64_t size) {
      auto getOutputRow = [&](Emitter &e, int64_t row) {
        return RowView{output,
                       {arith::AddIOp::create(e, first, index(e, row))}};
      };
      emitProduct(
          e, {size, depth, begin, columns,
              [&](Emitter &e, int64_t row, Value k) {
                Value leftRow = arith::AddIOp::create(e, first, index(e, row));
                return loadElement(e, left, {leftRow, k});
              },
              [&](Emitter &e, Value k, Value column, int64_t lanes) {
                return RowView{right, {k}}.loadF32(e, column, lanes);
              },
              [&](Emitter &e, int64_t row, Value column, int64_t lanes) {
                return getOutputRow(e, row).loadF32(e, column, lanes);
              },
              [&](Emitter &e, int64_t row, Value sums, Value column) {
                getOutputRow(e, row).store(e, sums, column);
              }});
    });
  };
  auto emitTiles = [&](int64_t tiles, Value origin, int64_t columns) {
    Value count = arith::MulIOp::create(e, blocks, index(e, tiles));
    parallelFor(
        e, count, kTileRows * columns * depth, [&](Emitter &e, Value item) {
          Value block = arith::RemUIOp::create(e, item, blocks);
          Value tile = arith::DivUIOp::create(e, item, blocks);
          Value begin = arith::AddIOp::create(
              e, origin, arith::MulIOp::create(e, tile, index(e, columns)));
          emitTile(e, block, begin, columns);
        });
  };
  if (whole)
    emitTiles(whole, index(e, 0), kMatmulColumns);
  if (hasRest)
    emitTiles(1, index(e, whole * kMatmulColumns), width % kMatmulColumns);
}
