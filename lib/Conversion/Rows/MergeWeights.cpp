//===- MergeWeights.cpp - weights of two partial results ------------------===//

#include "MergeWeights.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::rows;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static MergeState loadState(Emitter &e, Value lse, Value row, Value head) {
  MergeState state;
  state.lse = memref::LoadOp::create(e, lse, ValueRange{row, head});
  state.isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, state.lse,
                                        constant(e, -kInfinity));
  return state;
}

MergeWeights rows::computeMergeWeights(Emitter &e, MergeAttnStatesOp op,
                                       Value row, Value head) {
  MergeWeights weights;
  MergeState &a = weights.a, &b = weights.b;
  a = loadState(e, op.getLseA(), row, head);
  b = loadState(e, op.getLseB(), row, head);
  weights.top = arith::MaximumFOp::create(e, a.lse, b.lse);
  weights.isEmpty = arith::AndIOp::create(e, a.isEmpty, b.isEmpty);
  Value origin =
      arith::SelectOp::create(e, weights.isEmpty, constant(e, 0), weights.top);
  for (MergeState *state : {&a, &b})
    state->weight =
        emitExp(e, e.getLoc(), arith::SubFOp::create(e, state->lse, origin));
  weights.total = arith::SelectOp::create(e, weights.isEmpty, constant(e, 1),
                                          add(e, a.weight, b.weight));
  return weights;
}

Value MergeWeights::getLse(Emitter &e) const {
  Value lse = add(e, top, emitLog(e, e.getLoc(), total));
  return arith::SelectOp::create(e, isEmpty, constant(e, -kInfinity), lse);
}
