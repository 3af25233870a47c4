//===- AttenderSoftmax.cpp - scores to probabilities ----------------------===//

#include "AttenderSoftmax.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::Registers;
using ptx::SwizzledTile;

/// What scores may exceed their maxima by, in powers of two.
static constexpr double kSlack = 8;

static double getSoftmaxScale(const AttentionProblem &problem) {
  LatentAttentionOp op = problem.op;
  return op.getSoftmaxScale().convertToDouble() * llvm::numbers::log2e;
}

AttenderSoftmax::AttenderSoftmax(Emitter &e, const AttenderThread &thread)
    : AttenderThread(thread),
      softmaxScale(getSoftmaxScale(inputs.getProblem())),
      scale(constant(e, softmaxScale > 0 ? softmaxScale : 1)) {}

void AttenderSoftmax::scaleFirst(Emitter &e, Registers &scores) {
  if (keyScale)
    for (Value &score : scores)
      score = mul(e, score, keyScale);
  if (softmaxScale <= 0)
    for (Value &score : scores)
      score = mul(e, score, constant(e, softmaxScale));
}

Value AttenderSoftmax::lacksKeys(Emitter &e) {
  Registers flags =
      ptx::loadShared(e, block.getMissing(e, attender), e.getI32Type(),
                      WarpgroupBlock::kGroupWarps);
  Value flag = flags[0];
  for (Value other : ArrayRef(flags).drop_front())
    flag = arith::OrIOp::create(e, flag, other);
  return arith::CmpIOp::create(e, arith::CmpIPredicate::ne, flag,
                               ptx::i32(e, 0));
}

void AttenderSoftmax::hideMissing(Emitter &e, Value lacksKeys,
                                  Registers &scores) {
  changeScores(e, lacksKeys, scores, [&](Emitter &e, Registers &scores) {
    ptx::Address bias =
        block.getBias(e, attender).advance(e, ptx::timesI(e, quad, 8));
    for (int64_t column = 0; column < WarpgroupBlock::kBlockKeys; column += 8) {
      Registers pair = ptx::loadShared(e, bias + column * 4, e.getF32Type(), 2);
      for (int64_t i = column / 2; i < column / 2 + 4; ++i)
        scores[i] = add(e, scores[i], pair[i % 2]);
    }
  });
}

void AttenderSoftmax::hideUnseen(Emitter &e, const Part &part, Value number,
                                 Registers &scores) {
  Value begin = ptx::timesI(e, number, WarpgroupBlock::kBlockKeys);
  Value end = ptx::plusI(e, begin, WarpgroupBlock::kBlockKeys);
  Value firstRow = ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows);
  Value isAny = inputs.mayHide(e, part.length, firstRow, end);
  if (!isAny)
    return;
  changeScores(e, isAny, scores, [&](Emitter &e, Registers &scores) {
    Value firstColumn = ptx::plusI(e, begin, ptx::timesI(e, quad, 2));
    Value tileRow = ptx::plusI(e, firstRow, row);
    Value seen[kRows];
    for (int64_t i = 0; i < kRows; ++i)
      seen[i] = visible(e, part, tileRow, i);
    for (int64_t i = 0; i < kScores; ++i) {
      Value column = ptx::plusI(e, firstColumn, getThreadColumn(i));
      scores[i] = select(e, ptx::isLessI(e, column, seen[getThreadRow(i)]),
                         scores[i], minusInfinity(e));
    }
  });
}

void AttenderSoftmax::changeScores(
    Emitter &e, Value condition, Registers &scores,
    function_ref<void(Emitter &, Registers &)> change) {
  Registers before = scores;
  auto branch = scf::IfOp::create(
      e, condition,
      [&](OpBuilder &builder, Location loc) {
        Emitter inner(loc, builder);
        Registers changed = before;
        change(inner, changed);
        scf::YieldOp::create(inner, changed);
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, before);
      });
  scores = Registers(branch.getResults());
}

Value AttenderSoftmax::visible(Emitter &e, const Part &part, Value tileRow,
                               int64_t i) {
  return inputs.getVisibleKeys(e, part.length, ptx::plusI(e, tileRow, i * 8));
}

void AttenderSoftmax::raise(Emitter &e, ValueRange scores,
                            AttenderState &state) {
  auto exceeds = [&](Emitter &e, Value score, int64_t i) -> Value {
    Value limit = add(e, state.maxima[i], constant(e, kSlack));
    return arith::CmpFOp::create(e, arith::CmpFPredicate::OGT, score, limit);
  };
  // Lanes ask each other only where one of them has to.
  Value most[kRows], any;
  for (int64_t i = 0; i < kRows; ++i) {
    most[i] = mul(e, findLargestOfLane(e, scores, i), scale);
    Value here = exceeds(e, most[i], i);
    any = any ? arith::OrIOp::create(e, any, here).getResult() : here;
  }
  change(e, ptx::holdsInAnyLane(e, any), state, [&](Emitter &e) {
    Value maxima[kRows];
    for (int64_t i = 0; i < kRows; ++i) {
      Value ofRow = foldRow(e, most[i], largest);
      maxima[i] = select(e, exceeds(e, ofRow, i), ofRow, state.maxima[i]);
    }
    return getRelative(e, state, maxima);
  });
}

void AttenderSoftmax::exponentiate(Emitter &e, Registers &scores,
                                   const AttenderState &state) {
  Value shifts[kRows];
  for (int64_t i = 0; i < kRows; ++i)
    shifts[i] = arith::NegFOp::create(e, finiteOrZero(e, state.maxima[i]));
  scores = kernel::exponentiate(e, scores, scale, shifts);
}

void AttenderSoftmax::store(Emitter &e, ValueRange pairs, int64_t first) {
  SwizzledTile tile = block.getProbabilities(e, attender);
  for (int64_t i = 0, key = first, size = pairs.size(); i < size;
       i += kDepthPairs, key += kDepth) {
    Value chunk = ptx::plusI(e, matrixChunk, key / 8);
    ptx::storeMatrices(e, tile.getChunk(e, matrixRow, chunk),
                       pairs.slice(i, kDepthPairs), /*transposed=*/false);
  }
}

void AttenderSoftmax::storeMaxima(Emitter &e, const AttenderState &state) {
  runIf(e, ptx::isEqualI(e, quad, 0), [&](Emitter &e) {
    for (int64_t i = 0; i < kRows; ++i)
      ptx::storeShared(e, getRowPlace(e, block.getMaxima(), i),
                       state.maxima[i]);
  });
}

void AttenderSoftmax::publish(Emitter &e) {
  ptx::fenceMatrixUnits(e);
  block.getPublished(e, attender).arrive(e);
}

void AttenderSoftmax::rescale(Emitter &e, AttenderState &state,
                              ArrayRef<Value> maxima) {
  change(e, differInAnyLane(e, maxima, state.maxima), state,
         [&](Emitter &e) { return getRelative(e, state, maxima); });
}

AttenderState AttenderSoftmax::getRelative(Emitter &e,
                                           const AttenderState &state,
                                           ArrayRef<Value> maxima) {
  AttenderState relative;
  Value factors[kRows];
  for (int64_t i = 0; i < kRows; ++i) {
    factors[i] =
        ptx::exp2Fast(e, arith::SubFOp::create(e, state.maxima[i],
                                               finiteOrZero(e, maxima[i])));
    relative.maxima[i] = maxima[i];
  }
  relative.outputs = scaleRows(e, state.outputs, factors);
  for (int64_t i = 0; i < AttenderState::kSums; ++i)
    relative.sums[i] = mul(e, state.sums[i], factors[i % kRows]);
  return relative;
}

void AttenderSoftmax::change(Emitter &e, Value condition, AttenderState &state,
                             function_ref<AttenderState(Emitter &)> getNext) {
  Registers before = state.pack();
  auto branch = scf::IfOp::create(
      e, condition,
      [&](OpBuilder &builder, Location loc) {
        Emitter inner(loc, builder);
        scf::YieldOp::create(inner, getNext(inner).pack());
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, before);
      });
  state = AttenderState::unpack(branch.getResults());
}
