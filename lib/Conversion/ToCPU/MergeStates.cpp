//===- MergeStates.cpp - CPU kernel of merge_attn_states ------------------===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "OutputRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// One partial result of a (token, head).
struct State {
  RowView values;
  Value lse, isEmpty, weight;
};
} // namespace

static State loadState(Emitter &e, Value values, Value lse, Value row,
                       Value head) {
  State state{{values, {row, head}},
              memref::LoadOp::create(e, lse, ValueRange{row, head}),
              Value(),
              Value()};
  state.isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, state.lse,
                                        constant(e, -kInfinity));
  return state;
}

/// weight * values; nothing of an empty part, whatever it holds.
static Value weighChunk(Emitter &e, const State &state, Value column,
                        int64_t lanes) {
  Value chunk = mul(e, splat(e, state.weight, lanes),
                    state.values.loadF32(e, column, lanes));
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
  Value rows =
      output.clampRows(e, getActualRows(e, tokens, op.getNumActualTokens()));
  output.prepare(e);

  auto emitHead = [&](Emitter &e, const OutputRows::Part &part,
                      Value partHead) {
    Location loc = e.getLoc();
    Value head = arith::AddIOp::create(e, part.firstHead, partHead);
    State a = loadState(e, op.getOA(), op.getLseA(), part.firstRow, head);
    State b = loadState(e, op.getOB(), op.getLseB(), part.firstRow, head);
    Value top = arith::MaximumFOp::create(e, a.lse, b.lse);
    Value isEmpty = arith::AndIOp::create(e, a.isEmpty, b.isEmpty);
    Value origin = arith::SelectOp::create(e, isEmpty, constant(e, 0), top);
    for (State *state : {&a, &b})
      state->weight =
          emitExp(e, loc, arith::SubFOp::create(e, state->lse, origin));
    Value total = arith::SelectOp::create(e, isEmpty, constant(e, 1),
                                          add(e, a.weight, b.weight));
    forEachChunk(
        e, index(e, 0), width, [&](Emitter &e, Value column, int64_t lanes) {
          Value sum = add(e, weighChunk(e, a, column, lanes),
                          weighChunk(e, b, column, lanes));
          output.store(e, part, index(e, 0), partHead, column,
                       arith::DivFOp::create(e, sum, splat(e, total, lanes)));
        });
    if (!op.getLseInit())
      return;
    Value lse = add(e, top, emitLog(e, loc, total));
    lse = arith::SelectOp::create(e, isEmpty, constant(e, -kInfinity), lse);
    memref::StoreOp::create(e, lse, op.getLseInit(),
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
