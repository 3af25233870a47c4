//===- HeadProjection.cpp - CPU kernels of per-head and plain products ----===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "MatrixTile.h"
#include "OutputRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

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
        width(getSize(op.getW(), 2)),
        output(OutputRows::getBuffers(op, heads * width),
               cast<MemRefType>(op.getX().getType()).getElementType(), heads,
               width) {}

  void emit(Emitter &e) {
    Value rows = getActualRows(e, getOutputRows(e), op.getNumActualTokens());
    output.prepare(e, rows);
    int64_t segmentHeads = output.getSegmentHeads();
    Value blocks = getRowBlockCount(e, rows);
    Value count =
        arith::MulIOp::create(e, blocks, index(e, heads / segmentHeads));
    parallelFor(e, count, kTileRows * segmentHeads * width * depth,
                [&](Emitter &e, Value item) {
                  // Heads outermost: all rows meet a head's weight while it is
                  // cached.
                  Value block = arith::RemUIOp::create(e, item, blocks);
                  Value firstHead = arith::MulIOp::create(
                      e, arith::DivUIOp::create(e, item, blocks),
                      index(e, segmentHeads));
                  emitRowBlock(e, rows, block,
                               [&](Emitter &e, Value first, int64_t size) {
                                 emitBlock(e, firstHead, first, size);
                               });
                });
    output.finishAll(e, getOutputRows(e));
  }

private:
  /// (request, query) of a row.
  using Position = SmallVector<Value, 2>;

  /// B * S: the rows that x gives.
  Value getOutputRows(Emitter &e) {
    Value batch = memref::DimOp::create(e, op.getX(), index(e, 0));
    Value queries = memref::DimOp::create(e, op.getX(), index(e, 1));
    return arith::MulIOp::create(e, batch, queries);
  }

  SmallVector<Position> getPositions(Emitter &e, Value first, int64_t size) {
    Value queries = memref::DimOp::create(e, op.getX(), index(e, 1));
    SmallVector<Position> positions;
    for (int64_t i = 0; i < size; ++i) {
      Value row = arith::AddIOp::create(e, first, index(e, i));
      positions.push_back({arith::DivUIOp::create(e, row, queries),
                           arith::RemUIOp::create(e, row, queries)});
    }
    return positions;
  }

  void emitBlock(Emitter &e, Value firstHead, Value first, int64_t size) {
    auto positions = getPositions(e, first, size);
    // One part, and so one buffer, for each row: none is larger than a row.
    SmallVector<OutputRows::Part> parts;
    for (int64_t i = 0; i < size; ++i)
      parts.push_back(output.begin(e, plus(e, first, i), firstHead, 1));
    auto emitHead = [&](Emitter &e, Value head) {
      emitProduct(
          e, {size, depth, index(e, 0), width,
              [&](Emitter &e, int64_t row, Value k) {
                return loadElement(e, op.getX(),
                                   {positions[row][0], positions[row][1],
                                    globalHead(e, firstHead, head), k});
              },
              [&](Emitter &e, Value k, Value column, int64_t lanes) {
                RowView row{op.getW(), {globalHead(e, firstHead, head), k}};
                return row.loadF32(e, column, lanes);
              },
              nullptr,
              [&](Emitter &e, int64_t row, Value sums, Value column) {
                if (!isPerHead())
                  return output.store(e, parts[row], index(e, 0), head, column,
                                      sums);
                RowView view{op.getOutputInit(),
                             {positions[row][0], positions[row][1],
                              globalHead(e, firstHead, head)}};
                view.storeRounded(e, sums, column);
              }});
    };
    if (output.getSegmentHeads() == 1)
      emitHead(e, index(e, 0));
    else
      serialFor(e, index(e, 0), index(e, output.getSegmentHeads()), 1,
                emitHead);
    for (const OutputRows::Part &part : parts)
      output.finish(e, part, index(e, 1));
  }

  Value globalHead(Emitter &e, Value firstHead, Value head) {
    return arith::AddIOp::create(e, firstHead, head);
  }

  /// The destination is [B, S, H, N], not rows of H * N.
  bool isPerHead() {
    return cast<MemRefType>(op.getOutputInit().getType()).getRank() == 4;
  }

  HeadProjectionOp op;
  int64_t heads, depth, width;
  OutputRows output;
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
