//===- CacheUpdate.cpp - GPU kernel of mla_cache_update -------------------===//
//
// One subgroup writes one token's row.
//
//===----------------------------------------------------------------------===//

#include "../Rows/CacheSpec.h"
#include "Alignment.h"
#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Elements of a chunk at most: 16 bytes of bf16.
static constexpr int64_t kMostLanes = 8;

namespace {

class CacheRowWriter {
public:
  CacheRowWriter(CacheUpdateOp op, const Chip &chip)
      : op(op),
        cache{op.getInits()[0], op.getCacheFormat(), getSize(op.getKvC(), 1),
              getSize(op.getKPe(), 1), Value()},
        rule(op.getScaleRuleAttr()),
        isTiled(cache.format == CacheFormat::FP8DSMLA) {
    SmallVector<int64_t> spans{cache.latent};
    if (isTiled)
      spans.push_back(CacheSpec::kTile);
    latent = makeShape(chip, cache.latent, chooseLanes(spans, kMostLanes));
    // In the other formats the rope columns follow the latent ones.
    spans = {cache.rope};
    if (!isTiled)
      spans.push_back(cache.latent);
    if (cache.rope)
      rope = makeShape(chip, cache.rope, chooseLanes(spans, kMostLanes));
    alignment.add(op.getKvC(), latent.lanes);
    if (cache.rope)
      alignment.add(op.getKPe(), rope.lanes);
    alignment.add(cache.buffer, getCacheAccess());
  }

  const Alignment &getAlignment() const { return alignment; }
  Alignment &getAlignment() { return alignment; }

  void write(Emitter &e, const Team &team, Value token) {
    if (op.getKScale())
      cache.kScale = loadScalar(e, op.getKScale());
    Value slot = loadIndex(e, op.getSlotMapping(), token);
    // -1, and any other slot that the cache does not have, is skipped.
    Value inCache = isLess(e, slot, cache.getCapacity(e));
    runIf(e, inCache, [&](Emitter &e) {
      RowView row = cache.getSlot(e, slot);
      row.alignment = alignment.getVector(cache.buffer).alignment;
      Tile latentTile(e, team, latent);
      RowView kvC = alignment.getRow(e, op.getKvC(), token);
      if (isTiled)
        writeTiles(e, latentTile, kvC, row);
      else
        writeColumns(e, latentTile, kvC, row, 0);
      if (!cache.rope)
        return;
      Tile ropeTile(e, team, rope);
      RowView kPe = alignment.getRow(e, op.getKPe(), token);
      if (isTiled)
        copyBytes(e, ropeTile, kPe, row);
      else
        writeColumns(e, ropeTile, kPe, row, cache.latent);
    });
  }

private:
  static TileShape makeShape(const Chip &chip, int64_t width, int64_t lanes) {
    return {width, lanes, chip.subgroupSize,
            static_cast<int64_t>(
                llvm::divideCeil(width, lanes * chip.subgroupSize))};
  }

  /// Elements of the cache that its narrowest access takes.
  int64_t getCacheAccess() const {
    if (!cache.rope)
      return latent.lanes;
    if (!isTiled)
      return std::min(latent.lanes, rope.lanes);
    int64_t access = std::min(latent.lanes, 2 * rope.lanes);
    // The rope part starts behind the scales.
    return chooseLanes({cache.getRopeOffset()}, access);
  }

  void writeColumns(Emitter &e, const Tile &tile, const RowView &from,
                    const RowView &row, int64_t first) const {
    for (auto [chunk, value] : llvm::enumerate(tile.load(e, from))) {
      if (cache.format == CacheFormat::FP8) {
        Value quotient = arith::DivFOp::create(
            e, toF32(e, value), splat(e, cache.kScale, tile.getShape().lanes));
        value = fromF32(e, quotient, row.getElementType());
      }
      runIf(e, tile.getInside(chunk),
            [&, chunk = chunk, value = value](Emitter &e) {
              row.store(e, value, plus(e, tile.getColumn(chunk), first));
            });
    }
  }

  static void storeBytes(Emitter &e, const RowView &row, Value values,
                         Value byte) {
    auto type = cast<VectorType>(values.getType());
    int64_t size = type.getElementTypeBitWidth() / 8;
    auto bytes = VectorType::get({type.getNumElements() * size}, e.getI8Type());
    row.store(e, vector::BitCastOp::create(e, bytes, values), byte);
  }

  /// Codes and scales of the latent part of an fp8_ds_mla row.
  void writeTiles(Emitter &e, const Tile &tile, const RowView &from,
                  const RowView &row) const {
    int64_t lanes = tile.getShape().lanes, run = CacheSpec::kTile / lanes;
    Type code = Float8E4M3FNType::get(e.getContext());
    for (auto [chunk, loaded] : llvm::enumerate(tile.load(e, from))) {
      Value value = toF32(e, loaded);
      Value most = reduceLanes(e, absF32(e, e.getLoc(), value), largest);
      most = largest(e, constant(e, 0), most);
      most = tile.getTeam().reduceRuns(e, most, run, largest);
      Value scale = computeTileScale(e, rule, most);
      Value quotient = arith::DivFOp::create(e, value, splat(e, scale, lanes));
      Value codes = fromF32(e, quotient, code);
      Value column = tile.getColumn(chunk);
      runIf(e, tile.getInside(chunk), [&](Emitter &e) {
        storeBytes(e, row, codes, column);
        Value isFirst =
            isEqual(e, modulo(e, tile.getTeam().getMember(), run), 0);
        runIf(e, isFirst, [&](Emitter &e) {
          Value number = dividedBy(e, column, CacheSpec::kTile);
          RowView scales{row.buffer, row.leading,
                         std::min<int64_t>(row.alignment, 4)};
          storeBytes(e, scales, splat(e, scale, 1),
                     plus(e, times(e, number, 4), cache.getScaleOffset()));
        });
      });
    }
  }

  /// The rope part of an fp8_ds_mla row, as it is.
  void copyBytes(Emitter &e, const Tile &tile, const RowView &from,
                 const RowView &row) const {
    for (auto [chunk, value] : llvm::enumerate(tile.load(e, from)))
      runIf(e, tile.getInside(chunk),
            [&, chunk = chunk, value = value](Emitter &e) {
              storeBytes(e, row, value,
                         plus(e, times(e, tile.getColumn(chunk), 2),
                              cache.getRopeOffset()));
            });
  }

  CacheUpdateOp op;
  CacheSpec cache;
  ScaleRuleAttr rule;
  bool isTiled;
  TileShape latent, rope;
  Alignment alignment;
};

} // namespace

LogicalResult kernel::lower(Emitter &e, const Chip &chip, CacheUpdateOp op) {
  CacheRowWriter writer(op, chip);
  Value tokens = memref::DimOp::create(e, op.getKvC(), rows::index(e, 0));
  RowLaunch launch{tokens, op.getNumActualTokens(), chip.subgroupSize, 1, {}};
  writer.getAlignment().dispatch(e, [&](Emitter &e) {
    launchRows(e, chip, launch,
               [&](Emitter &e, Team &team, Value token, Value) {
                 writer.write(e, team, token);
               });
  });
  return success();
}
