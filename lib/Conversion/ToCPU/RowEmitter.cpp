//===- RowEmitter.cpp - loops and vectors over rows -----------------------===//

#include "RowEmitter.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "MLAFuse/Conversion/ParallelGrain.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

RowView cpu::allocateRow(Emitter &e, int64_t width) {
  auto type = MemRefType::get({width}, e.getF32Type());
  return {memref::AllocaOp::create(e, type, e.getI64IntegerAttr(64)), {}};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Elements below which handing a range to another thread costs more than the
/// work itself.
static constexpr int64_t kElementsPerRange = 32 * 1024;

void cpu::parallelFor(Emitter &e, Value count, int64_t rowWork,
                      function_ref<void(Emitter &, Value)> body) {
  auto loop = scf::ParallelOp::create(
      e, ValueRange{index(e, 0)}, ValueRange{count}, ValueRange{index(e, 1)},
      [&](OpBuilder &builder, Location loc, ValueRange indices) {
        Emitter inner(loc, builder);
        body(inner, indices[0]);
      });
  int64_t grain =
      llvm::divideCeil(kElementsPerRange, std::max<int64_t>(rowWork, 1));
  setParallelGrain(loop, grain);
}

void cpu::serialFor(Emitter &e, Value begin, Value end, int64_t step,
                    function_ref<void(Emitter &, Value)> body) {
  scf::ForOp::create(
      e, begin, end, index(e, step), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value iv, ValueRange) {
        Emitter inner(loc, builder);
        body(inner, iv);
        scf::YieldOp::create(inner);
      });
}

void cpu::forEachChunk(Emitter &e, Value begin, int64_t width,
                       function_ref<void(Emitter &, Value, int64_t)> body) {
  int64_t whole = width / kLanes * kLanes;
  if (whole == kLanes)
    body(e, begin, kLanes);
  else if (whole)
    serialFor(
        e, begin, plus(e, begin, whole), kLanes,
        [&](Emitter &inner, Value column) { body(inner, column, kLanes); });
  if (whole != width)
    body(e, plus(e, begin, whole), width - whole);
}

Value cpu::reduceRow(Emitter &e, Value begin, int64_t width, Value init,
                     ChunkSource chunk, Combine combine) {
  constexpr int64_t kAccumulators = 4;
  constexpr int64_t kStep = kAccumulators * kLanes;
  Value start = splat(e, init, kLanes);
  SmallVector<Value> accumulators(std::min(width / kLanes, kAccumulators),
                                  start);
  int64_t done = width / kStep * kStep;
  if (done) {
    auto loop = scf::ForOp::create(
        e, begin, plus(e, begin, done), index(e, kStep), accumulators,
        [&](OpBuilder &builder, Location loc, Value column,
            ValueRange carried) {
          Emitter inner(loc, builder);
          SmallVector<Value> next;
          for (int64_t i = 0; i < kAccumulators; ++i)
            next.push_back(
                combine(inner, carried[i],
                        chunk(inner, plus(inner, column, i * kLanes), kLanes)));
          scf::YieldOp::create(inner, next);
        });
    accumulators.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (int64_t i = 0; done + kLanes <= width; ++i, done += kLanes)
    accumulators[i] =
        combine(e, accumulators[i], chunk(e, plus(e, begin, done), kLanes));

  Value result = init;
  if (!accumulators.empty()) {
    // Neighbours first, so that the fold is a tree here too.
    while (accumulators.size() > 1) {
      SmallVector<Value> folded;
      for (size_t i = 0; i + 1 < accumulators.size(); i += 2)
        folded.push_back(combine(e, accumulators[i], accumulators[i + 1]));
      if (accumulators.size() % 2)
        folded.push_back(accumulators.back());
      accumulators = folded;
    }
    result = reduceLanes(e, accumulators.front(), combine);
  }
  if (done != width) {
    int64_t rest = width - done;
    Value tail = reduceLanes(e, chunk(e, plus(e, begin, done), rest), combine);
    result = combine(e, result, tail);
  }
  return result;
}
