//===- Cache.cpp - CPU kernels of rope and mla_cache_update ---------------===//

#include "CacheRow.h"
#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// Tokens of `buffer`'s outermost dimension, no more than the device-side
/// count.
static Value getTokens(Emitter &e, Value buffer, Value count) {
  return getActualRows(e, memref::DimOp::create(e, buffer, index(e, 0)), count);
}

//===----------------------------------------------------------------------===//
// rope
//===----------------------------------------------------------------------===//

namespace {
/// The pairs that one chunk of angles rotates.
struct Pairs {
  Value first, second;
};
} // namespace

static Pairs loadPairs(Emitter &e, RopeStyle style, const RowView &row,
                       Value angle, int64_t lanes, int64_t half) {
  if (style == RopeStyle::Neox)
    return {
        row.loadF32(e, angle, lanes),
        row.loadF32(e, arith::AddIOp::create(e, angle, index(e, half)), lanes)};
  Value column = arith::MulIOp::create(e, angle, index(e, 2));
  Value both = row.loadF32(e, column, 2 * lanes);
  auto split = vector::DeinterleaveOp::create(e, both);
  return {split.getRes1(), split.getRes2()};
}

static void storePairs(Emitter &e, RopeStyle style, const RowView &row,
                       const Pairs &pairs, Value angle, int64_t half) {
  if (style == RopeStyle::Neox) {
    row.storeRounded(e, pairs.first, angle);
    row.storeRounded(e, pairs.second,
                     arith::AddIOp::create(e, angle, index(e, half)));
    return;
  }
  row.storeRounded(e,
                   vector::InterleaveOp::create(e, pairs.first, pairs.second),
                   arith::MulIOp::create(e, angle, index(e, 2)));
}

void cpu::lower(Emitter &e, RopeOp op) {
  int64_t width = getSize(op.getInput(), 2), half = width / 2;
  Value output = op.getInits()[0];
  Value heads = memref::DimOp::create(e, op.getInput(), index(e, 1));
  Value tokens = getTokens(e, op.getInput(), op.getNumActualTokens());
  parallelFor(e, tokens, width, [&](Emitter &e, Value token) {
    RowView angles{op.getCosSin(), {loadIndex(e, op.getPositions(), token)}};
    serialFor(e, index(e, 0), heads, 1, [&](Emitter &e, Value head) {
      RowView input{op.getInput(), {token, head}};
      RowView rotated{output, {token, head}};
      forEachChunk(
          e, index(e, 0), half, [&](Emitter &e, Value angle, int64_t lanes) {
            Value cosine = angles.loadF32(e, angle, lanes);
            Value sine = angles.loadF32(
                e, arith::AddIOp::create(e, angle, index(e, half)), lanes);
            auto [a, b] =
                loadPairs(e, op.getStyle(), input, angle, lanes, half);
            Pairs result{
                arith::SubFOp::create(e, mul(e, a, cosine), mul(e, b, sine)),
                add(e, mul(e, b, cosine), mul(e, a, sine))};
            storePairs(e, op.getStyle(), rotated, result, angle, half);
          });
    });
  });
}

//===----------------------------------------------------------------------===//
// mla_cache_update
//===----------------------------------------------------------------------===//

void cpu::lower(Emitter &e, CacheUpdateOp op) {
  CacheSpec cache{op.getInits()[0], op.getCacheFormat(),
                  getSize(op.getKvC(), 1), getSize(op.getKPe(), 1), Value()};
  if (op.getKScale())
    cache.kScale = loadScalar(e, op.getKScale());
  Value capacity = cache.getCapacity(e);
  Value tokens = getTokens(e, op.getKvC(), op.getNumActualTokens());
  parallelFor(
      e, tokens, cache.latent + cache.rope, [&](Emitter &e, Value token) {
        Value slot = loadIndex(e, op.getSlotMapping(), token);
        // -1, and any other slot that the cache does not have, is skipped.
        Value inCache =
            arith::CmpIOp::create(e, arith::CmpIPredicate::ult, slot, capacity);
        scf::IfOp::create(e, inCache, [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          writeCacheRow(e, cache, op.getScaleRuleAttr(), {op.getKvC(), {token}},
                        {op.getKPe(), {token}}, cache.getSlot(e, slot));
          scf::YieldOp::create(e);
        });
      });
}
