//===- Dequantize.cpp - GPU kernel of dequantize --------------------------===//

#include "../Rows/Dequantization.h"
#include "Alignment.h"
#include "Lowerings.h"
#include "Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Elements of a chunk at most: 16 bytes of FP8 codes.
static constexpr int64_t kMostLanes = 16;

LogicalResult kernel::lower(Emitter &e, const Chip &chip, DequantizeOp op) {
  QuantKeyAttr key = op.getKey();
  // Weight scales are found by the indices of the rank that the op has.
  bool isCollapsed = !key.isWeightKey();
  Value input = isCollapsed ? collapseRows(e, op.getInput()) : op.getInput();
  Value output = op.getInits()[0];
  Value values = isCollapsed ? collapseRows(e, output) : output;
  int64_t width = getWidth(output);
  int64_t span = std::min(getScaleSpan(key, width), width);
  bool isPerColumn = hasScalePerColumn(key);
  SmallVector<int64_t, 2> spans{width};
  if (!isPerColumn)
    spans.push_back(span);
  int64_t lanes = chooseLanes(spans, kMostLanes);
  int64_t codeLanes = key.isFP4() ? lanes / 2 : lanes;
  TileShape shape = chooseSegmentTile(chip, width, lanes);

  Alignment alignment;
  alignment.add(input, codeLanes);
  alignment.add(values, lanes);
  if (isPerColumn)
    alignment.add(op.getScale(), lanes);
  RowLaunch launch{rows::getRowCount(e, values),
                   Value(),
                   shape.threads,
                   shape.getSegments(),
                   {}};
  alignment.dispatch(e, [&](Emitter &e) {
    launchRows(
        e, chip, launch, [&](Emitter &e, Team &team, Value row, Value segment) {
          Value inverseGlobal;
          if (op.getGlobalScale())
            inverseGlobal = arith::DivFOp::create(
                e, constant(e, 1), loadScalar(e, op.getGlobalScale()));
          Tile tile(e, team, shape, segment);
          RowView codes = alignment.getRow(e, input, row);
          RowView target = alignment.getRow(e, values, row);
          auto decode = [&](Emitter &e, Value column) {
            if (!key.isFP4())
              return toF32(e, codes.load(e, column, lanes));
            Value bytes = codes.load(e, dividedBy(e, column, 2), codeLanes);
            return toF32(
                e, vector::BitCastOp::create(
                       e, VectorType::get({lanes}, key.getDataType()), bytes));
          };
          auto scaleOf = [&](Emitter &e, Value column) {
            if (!isPerColumn)
              return splat(e, loadGroupScale(e, op, row, column, inverseGlobal),
                           lanes);
            RowView scales =
                alignment.getRow(e, op.getScale(), rows::index(e, 0));
            return toF32(e, scales.load(e, column, lanes));
          };
          for (int64_t chunk = 0; chunk < shape.chunks; ++chunk)
            runIf(e, tile.getInside(chunk), [&](Emitter &e) {
              Value column = tile.getColumn(chunk);
              Value value = mul(e, decode(e, column), scaleOf(e, column));
              target.store(e, fromF32(e, value, target.getElementType()),
                           column);
            });
        });
  });
  return success();
}
