//===- CacheRow.cpp - rows of the paged latent cache ----------------------===//

#include "CacheRow.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// Byte `first + scale * column` of a row.
static Value byteOf(Emitter &e, Value column, int64_t scale, int64_t first) {
  return plus(e, arith::MulIOp::create(e, column, index(e, scale)), first);
}

/// Loads and stores `lanes` elements of another type in a row of bytes.
static Value loadAs(Emitter &e, const RowView &row, Value byte, Type element,
                    int64_t lanes) {
  int64_t size = element.getIntOrFloatBitWidth() / 8;
  return vector::BitCastOp::create(e, VectorType::get({lanes}, element),
                                   row.load(e, byte, lanes * size));
}
static void storeAs(Emitter &e, const RowView &row, Value values, Value byte) {
  auto type = cast<VectorType>(values.getType());
  int64_t size = type.getElementTypeBitWidth() / 8;
  auto bytes = VectorType::get({type.getNumElements() * size}, e.getI8Type());
  row.store(e, vector::BitCastOp::create(e, bytes, values), byte);
}

/// The f32 scale of a tile of an fp8_ds_mla row.
static Value getScaleByte(Emitter &e, const CacheSpec &cache, Value tile) {
  return byteOf(e, tile, 4, cache.getScaleOffset());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static void readDSMLARow(Emitter &e, const CacheSpec &cache, const RowView &row,
                         const RowView &target) {
  Location loc = e.getLoc();
  Type code = Float8E4M3FNType::get(e.getContext());
  Type bf16 = e.getBF16Type();
  serialFor(
      e, index(e, 0), index(e, cache.latent / CacheSpec::kTile), 1,
      [&](Emitter &e, Value tile) {
        Value scale = vector::ExtractOp::create(
            e, loadAs(e, row, getScaleByte(e, cache, tile), e.getF32Type(), 1),
            ArrayRef<int64_t>{0});
        Value begin =
            arith::MulIOp::create(e, tile, index(e, CacheSpec::kTile));
        forEachChunk(
            e, begin, CacheSpec::kTile,
            [&](Emitter &e, Value column, int64_t lanes) {
              Value codes =
                  extendToF32(e, loc, row.load(e, column, lanes), code);
              Value value = mul(e, codes, splat(e, scale, lanes));
              target.store(e, roundThrough(e, loc, value, bf16), column);
            });
      });
  if (cache.rope)
    forEachChunk(e, index(e, 0), cache.rope,
                 [&](Emitter &e, Value column, int64_t lanes) {
                   Value byte = byteOf(e, column, 2, cache.getRopeOffset());
                   Value value =
                       extendToF32(e, loc, loadAs(e, row, byte, bf16, lanes));
                   target.store(e, value, plus(e, column, cache.latent));
                 });
}

void cpu::readCacheRow(Emitter &e, const CacheSpec &cache, const RowView &row,
                       const RowView &target) {
  if (cache.format == CacheFormat::FP8DSMLA)
    return readDSMLARow(e, cache, row, target);
  forEachChunk(e, index(e, 0), cache.latent + cache.rope,
               [&](Emitter &e, Value column, int64_t lanes) {
                 Value value = row.loadF32(e, column, lanes);
                 if (cache.format == CacheFormat::FP8)
                   value = mul(e, value, splat(e, cache.kScale, lanes));
                 target.store(e, value, column);
               });
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeDSMLATile(Emitter &e, const CacheSpec &cache,
                           ScaleRuleAttr rule, const RowView &latent,
                           const RowView &row, Value tile) {
  Location loc = e.getLoc();
  Value begin = arith::MulIOp::create(e, tile, index(e, CacheSpec::kTile));
  Value absMax = reduceRow(
      e, begin, CacheSpec::kTile, constant(e, 0),
      [&](Emitter &e, Value column, int64_t lanes) {
        Value chunk = absF32(e, e.getLoc(), latent.loadF32(e, column, lanes));
        return maximum(e, splat(e, constant(e, 0), lanes), chunk);
      },
      maximum);
  Value scale = computeTileScale(e, rule, absMax);
  storeAs(e, row, splat(e, scale, 1), getScaleByte(e, cache, tile));
  Type code = Float8E4M3FNType::get(e.getContext());
  forEachChunk(
      e, begin, CacheSpec::kTile, [&](Emitter &e, Value column, int64_t lanes) {
        Value quotient = arith::DivFOp::create(
            e, latent.loadF32(e, column, lanes), splat(e, scale, lanes));
        storeAs(e, row,
                roundFromF32(e, loc, quotient, code, CacheSpec::kCodeMax),
                column);
      });
}

void cpu::writeCacheRow(Emitter &e, const CacheSpec &cache, ScaleRuleAttr rule,
                        const RowView &latent, const RowView &rope,
                        const RowView &row) {
  Location loc = e.getLoc();
  if (cache.format == CacheFormat::FP8DSMLA) {
    serialFor(e, index(e, 0), index(e, cache.latent / CacheSpec::kTile), 1,
              [&](Emitter &e, Value tile) {
                writeDSMLATile(e, cache, rule, latent, row, tile);
              });
    if (cache.rope)
      forEachChunk(e, index(e, 0), cache.rope,
                   [&](Emitter &e, Value column, int64_t lanes) {
                     storeAs(e, row, rope.load(e, column, lanes),
                             byteOf(e, column, 2, cache.getRopeOffset()));
                   });
    return;
  }
  auto writePart = [&](const RowView &part, int64_t width, int64_t first) {
    if (width == 0)
      return;
    forEachChunk(
        e, index(e, 0), width, [&](Emitter &e, Value column, int64_t lanes) {
          Value target = plus(e, column, first);
          if (cache.format == CacheFormat::BF16)
            return row.store(e, part.load(e, column, lanes), target);
          Value quotient = arith::DivFOp::create(
              e, part.loadF32(e, column, lanes), splat(e, cache.kScale, lanes));
          row.store(e,
                    roundFromF32(e, loc, quotient, row.getElementType(),
                                 CacheSpec::kCodeMax),
                    target);
        });
  };
  writePart(latent, cache.latent, 0);
  writePart(rope, cache.rope, cache.latent);
}
