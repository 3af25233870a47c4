//===- MergeStates.cpp - GPU kernel of merge_attn_states ------------------===//
//
// A token's heads are one row. A chunk lies in one head, whose weights its
// thread computes for itself.
//
//===----------------------------------------------------------------------===//

#include "../Rows/MergeWeights.h"
#include "Alignment.h"
#include "Lowerings.h"
#include "QuantizeTile.h"
#include "Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// weight * values; nothing of an empty part, whatever it holds.
static Value weigh(Emitter &e, const MergeState &state, Value values) {
  int64_t lanes = cast<VectorType>(values.getType()).getNumElements();
  Value product = mul(e, splat(e, state.weight, lanes), toF32(e, values));
  return arith::SelectOp::create(e, state.isEmpty,
                                 splat(e, constant(e, 0), lanes), product);
}

namespace {

class StateMerger {
public:
  StateMerger(Emitter &e, const Chip &chip, MergeAttnStatesOp op) : op(op) {
    auto type = cast<MemRefType>(op.getOA().getType());
    model = type.getElementType();
    headWidth = type.getDimSize(2);
    buffers = {op.getOutputQuant(), type.getDimSize(1) * headWidth,
               op.getOutputInit(),  op.getScaleInit(),
               op.getScale(),       op.getScaleUb(),
               op.getGlobalScale(), op.getRowOffset()};
    shape = chooseQuantizeTile(chip, buffers, headWidth);
    alignment.add(op.getOA(), shape.lanes);
    alignment.add(op.getOB(), shape.lanes);
    alignment.add(buffers.codes,
                  buffers.spec ? getCodeLanes(buffers, shape) : shape.lanes);
  }

  LogicalResult launch(Emitter &e, const Chip &chip) {
    if (failed(verifyQuantizeTile(op, chip, buffers, shape)))
      return failure();
    Value tokens = memref::DimOp::create(e, op.getOA(), rows::index(e, 0));
    ScalePadding padding(e, buffers, tokens);
    if (buffers.rowOffset)
      storedRows = clampRows(e, buffers, tokens);
    RowLaunch launch{tokens, op.getNumActualTokens(), shape.threads,
                     shape.getSegments(), padding};
    alignment.dispatch(e, [&](Emitter &e) {
      launchRows(e, chip, launch,
                 [&](Emitter &e, Team &team, Value row, Value segment) {
                   merge(e, Tile(e, team, shape, segment), row);
                 });
    });
    return success();
  }

private:
  void merge(Emitter &e, const Tile &tile, Value row) {
    Tile::Values values;
    Value zero = splat(e, constant(e, 0), shape.lanes);
    for (int64_t chunk = 0; chunk < shape.chunks; ++chunk)
      values.push_back(valueIf(e, tile.getInside(chunk), zero, [&](Emitter &e) {
        return mergeChunk(e, row, tile.getColumn(chunk));
      }));
    if (buffers.spec && buffers.spec.numerics == Numerics::Exact)
      for (Value &value : values)
        value = roundTo(e, value, model);
    Value isStored = storedRows ? isLess(e, row, storedRows) : Value();
    runIf(e, isStored, [&](Emitter &e) {
      if (buffers.spec)
        quantizeTile(e, buffers, loadConstants(e, buffers), alignment, row,
                     tile, values);
      else
        store(e, tile, row, values);
    });
  }

  /// The merged values of a chunk; the first of a head stores its lse.
  Value mergeChunk(Emitter &e, Value row, Value column) {
    Value head = dividedBy(e, column, headWidth);
    Value headColumn = modulo(e, column, headWidth);
    auto load = [&](Value buffer) {
      RowView view = alignment.getVector(buffer);
      view.leading = {row, head};
      return view.load(e, headColumn, shape.lanes);
    };
    Value a = load(op.getOA()), b = load(op.getOB());
    MergeWeights weights = computeMergeWeights(e, op, row, head);
    if (op.getLseInit())
      runIf(e, isEqual(e, headColumn, 0), [&](Emitter &e) {
        memref::StoreOp::create(e, weights.getLse(e), op.getLseInit(),
                                ValueRange{row, head});
      });
    Value sum = add(e, weigh(e, weights.a, a), weigh(e, weights.b, b));
    return arith::DivFOp::create(e, sum, splat(e, weights.total, shape.lanes));
  }

  void store(Emitter &e, const Tile &tile, Value row,
             ArrayRef<Value> values) const {
    Value outputRow = buffers.rowOffset ? plus(e, row, buffers.rowOffset) : row;
    RowView output = alignment.getRow(e, buffers.codes, outputRow);
    for (auto [chunk, value] : llvm::enumerate(values))
      tile.store(e, chunk, output, fromF32(e, value, output.getElementType()));
  }

  MergeAttnStatesOp op;
  Type model;
  int64_t headWidth;
  QuantBuffers buffers;
  Value storedRows; ///< That the codes have room for; null: all.
  TileShape shape;
  Alignment alignment;
};

} // namespace

LogicalResult kernel::lower(Emitter &e, const Chip &chip,
                            MergeAttnStatesOp op) {
  return StateMerger(e, chip, op).launch(e, chip);
}
