//===- AttenderThread.cpp - a thread of an attender -----------------------===//

#include "AttenderThread.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static constexpr int64_t kWarpRows = 16, kLanes = 32, kQuad = 4;

AttenderThread::AttenderThread(Emitter &e, const WarpgroupBlock &block,
                               const AttentionInputs &inputs,
                               const SplitPlan &plan, Value attender,
                               Value thread)
    : block(block), inputs(inputs), plan(plan),
      elements(inputs.getProblem().elements), attender(attender),
      other(arith::XOrIOp::create(e, attender, ptx::i32(e, 1))),
      lane(ptx::moduloI(e, thread, kLanes)),
      warpRow(ptx::timesI(e, ptx::dividedByI(e, thread, kLanes), kWarpRows)),
      quad(ptx::moduloI(e, lane, kQuad)),
      row(ptx::plusI(e, warpRow, ptx::dividedByI(e, lane, kQuad))),
      matrixRow(ptx::plusI(e, warpRow, ptx::moduloI(e, lane, kWarpRows))),
      matrixChunk(ptx::dividedByI(e, lane, kWarpRows)) {
  LatentAttentionOp op = inputs.getProblem().op;
  if (op.getKScale())
    keyScale = inputs.loadKScale(e);
}

AttenderState AttenderState::create(Emitter &e) {
  AttenderState state;
  state.outputs.assign(AttenderThread::kOutputs, constant(e, 0));
  for (Value &most : state.maxima)
    most = minusInfinity(e);
  for (Value &sum : state.sums)
    sum = constant(e, 0);
  return state;
}

ptx::Registers AttenderState::pack() const {
  ptx::Registers all(outputs);
  llvm::append_range(all, maxima);
  llvm::append_range(all, sums);
  return all;
}

AttenderState AttenderState::unpack(ValueRange all) {
  AttenderState state;
  llvm::append_range(state.outputs, all.take_front(AttenderThread::kOutputs));
  ValueRange rows = all.drop_front(AttenderThread::kOutputs);
  for (int64_t i = 0; i < AttenderThread::kRows; ++i)
    state.maxima[i] = rows[i];
  for (int64_t i = 0; i < kSums; ++i)
    state.sums[i] = rows[AttenderThread::kRows + i];
  return state;
}
