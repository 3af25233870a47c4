//===- MergeStates.cpp - CPU kernel of merge_attn_states ------------------===//

#include "../Rows/MergeWeights.h"
#include "Lowerings.h"
#include "OutputRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// weight * values; nothing of an empty part, whatever it holds.
static Value weighChunk(Emitter &e, const MergeState &state,
                        const RowView &values, Value column, int64_t lanes) {
  Value chunk =
      mul(e, splat(e, state.weight, lanes), values.loadF32(e, column, lanes));
  Value zero = splat(e, constant(e, 0), lanes);
  return arith::SelectOp::create(e, state.isEmpty, zero, chunk);
}

void cpu::lower(Emitter &e, MergeAttnStatesOp op) {
  auto type = cast<MemRefType>(op.getOA().getType());
  int64_t heads = type.getDimSize(1), width = type.getDimSize(2);
  OutputRows output(OutputRows::getBuffers(op, heads * width),
                    type.getElementType(), heads, width);
  int64_t segmentHeads = output.getSegmentHeads();
  int64_t segments = heads / segmentHeads;
  Value tokens = memref::DimOp::create(e, op.getOA(), index(e, 0));
  Value rows = getActualRows(e, tokens, op.getNumActualTokens());
  output.prepare(e, rows);

  auto emitHead = [&](Emitter &e, const OutputRows::Part &part,
                      Value partHead) {
    Value head = arith::AddIOp::create(e, part.firstHead, partHead);
    MergeWeights weights = computeMergeWeights(e, op, part.firstRow, head);
    RowView a{op.getOA(), {part.firstRow, head}};
    RowView b{op.getOB(), {part.firstRow, head}};
    forEachChunk(
        e, index(e, 0), width, [&](Emitter &e, Value column, int64_t lanes) {
          Value sum = add(e, weighChunk(e, weights.a, a, column, lanes),
                          weighChunk(e, weights.b, b, column, lanes));
          output.store(
              e, part, index(e, 0), partHead, column,
              arith::DivFOp::create(e, sum, splat(e, weights.total, lanes)));
        });
    if (!op.getLseInit())
      return;
    memref::StoreOp::create(e, weights.getLse(e), op.getLseInit(),
                            ValueRange{part.firstRow, head});
  };

  Value items = arith::MulIOp::create(e, rows, index(e, segments));
  parallelFor(e, items, segmentHeads * width, [&](Emitter &e, Value item) {
    Value row = arith::DivUIOp::create(e, item, index(e, segments));
    Value firstHead = arith::MulIOp::create(
        e, arith::RemUIOp::create(e, item, index(e, segments)),
        index(e, segmentHeads));
    OutputRows::Part part = output.begin(e, row, firstHead, 1);
    serialFor(e, index(e, 0), index(e, segmentHeads), 1,
              [&](Emitter &e, Value head) { emitHead(e, part, head); });
    output.finish(e, part, index(e, 1));
  });
  output.finishAll(e, tokens);
}
