//===- AttentionTile.cpp - softmax(q K^T) V for a few query rows ----------===//

#include "AttentionTile.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

static constexpr int64_t kBlockKeys = 32;
/// Query rows and keys of a register tile of q K^T: its sixteen dot products
/// fold into one vector.
static constexpr int64_t kTileRows = 4, kTileKeys = 4;
static_assert(kTileRows * kTileKeys == kLanes);
/// Vectors of the value width in a register tile of p V.
static constexpr int64_t kTileChunks = 4;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static Value allocate(Emitter &e, ArrayRef<int64_t> shape, Type element) {
  return memref::AllocaOp::create(e, MemRefType::get(shape, element),
                                  e.getI64IntegerAttr(64));
}

static Value load(Emitter &e, Value buffer, ValueRange indices) {
  return memref::LoadOp::create(e, buffer, indices);
}
static void store(Emitter &e, Value value, Value buffer, ValueRange indices) {
  memref::StoreOp::create(e, value, buffer, indices);
}

static void clearRow(Emitter &e, const RowView &row, int64_t width) {
  forEachChunk(e, index(e, 0), width,
               [&](Emitter &e, Value column, int64_t lanes) {
                 row.store(e, splat(e, constant(e, 0), lanes), column);
               });
}

Value AttentionRow::load(Emitter &e, Value column, int64_t lanes) const {
  return arith::DivFOp::create(e, sums.load(e, column, lanes),
                               splat(e, total, lanes));
}

/// Adds up the lanes of kLanes vectors: lane i of the result is the sum of
/// vector i. Each level halves the lanes that hold one sum.
static Value reduceTogether(Emitter &e, SmallVector<Value> vectors) {
  vectors.resize(kLanes, splat(e, constant(e, 0), kLanes));
  for (int64_t half = kLanes / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < 2 * kLanes; lane += 2 * half)
      for (int64_t i = 0; i < half; ++i) {
        low.push_back(lane + i);
        high.push_back(lane + half + i);
      }
    SmallVector<Value> next;
    for (size_t i = 0; i < vectors.size(); i += 2)
      next.push_back(
          add(e, vector::ShuffleOp::create(e, vectors[i], vectors[i + 1], low),
              vector::ShuffleOp::create(e, vectors[i], vectors[i + 1], high)));
    vectors = next;
  }
  return vectors.front();
}

namespace {

class TileEmitter {
public:
  explicit TileEmitter(const AttentionTile &tile) : tile(tile) {}

  void emit(Emitter &e) {
    allocateState(e);
    serialFor(e, index(e, 0), index(e, tile.rows), 1,
              [&](Emitter &e, Value row) { initializeRow(e, row); });
    serialFor(e, index(e, 0), tile.keyCount, kBlockKeys,
              [&](Emitter &e, Value first) { emitBlock(e, first); });
    serialFor(e, index(e, 0), index(e, tile.rows), 1,
              [&](Emitter &e, Value row) { finishRow(e, row); });
  }

private:
  void allocateState(Emitter &e) {
    Type f32 = e.getF32Type();
    queries = allocate(e, {tile.rows, tile.width}, f32);
    sums = allocate(e, {tile.rows, tile.valueWidth}, f32);
    maxima = allocate(e, {tile.rows}, f32);
    totals = allocate(e, {tile.rows}, f32);
    keys = allocate(e, {kBlockKeys, tile.width}, f32);
    values = tile.valuesAreKeys
                 ? keys
                 : allocate(e, {kBlockKeys, tile.valueWidth}, f32);
    isKey = allocate(e, {kBlockKeys}, f32);
    weights = allocate(e, {kTileRows, kBlockKeys}, f32);
    if (tile.getRowLimit)
      limits = allocate(e, {tile.rows}, e.getIndexType());
  }

  void initializeRow(Emitter &e, Value row) {
    tile.readQuery(e, row, {queries, {row}});
    clearRow(e, {sums, {row}}, tile.valueWidth);
    store(e, constant(e, -kInfinity), maxima, row);
    store(e, constant(e, 0), totals, row);
    if (limits)
      store(e, tile.getRowLimit(e, row), limits, row);
  }

  void emitBlock(Emitter &e, Value first) {
    serialFor(e, index(e, 0), index(e, kBlockKeys), 1,
              [&](Emitter &e, Value i) {
                gatherKey(e, arith::AddIOp::create(e, first, i), i);
              });
    int64_t whole = tile.rows / kTileRows * kTileRows;
    if (whole)
      serialFor(
          e, index(e, 0), index(e, whole), kTileRows,
          [&](Emitter &e, Value row) { attend(e, first, row, kTileRows); });
    if (whole != tile.rows)
      attend(e, first, index(e, whole), tile.rows - whole);
  }

  /// Widens key number `key` into row `i` of the block. A row without a key is
  /// zero, so that whatever its slot holds cannot leak through a zero weight.
  void gatherKey(Emitter &e, Value key, Value i) {
    Value inRange =
        arith::CmpIOp::create(e, arith::CmpIPredicate::ult, key, tile.keyCount);
    auto found = scf::IfOp::create(
        e, inRange,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          KeyLocation location = tile.findKey(e, key);
          scf::YieldOp::create(e, ValueRange{location.exists, location.source});
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Value none = createInt(e, loc, e.getI1Type(), 0);
          scf::YieldOp::create(e, ValueRange{none, index(e, 0)});
        });
    scf::IfOp::create(
        e, found.getResult(0),
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          tile.readKey(e, found.getResult(1), {keys, {i}}, {values, {i}});
          store(e, constant(e, 1), isKey, i);
          scf::YieldOp::create(e);
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          clearRow(e, {keys, {i}}, tile.width);
          if (!tile.valuesAreKeys)
            clearRow(e, {values, {i}}, tile.valueWidth);
          store(e, constant(e, 0), isKey, i);
          scf::YieldOp::create(e);
        });
  }

  /// The block from key `first` on, for `count` rows from `row` on.
  void attend(Emitter &e, Value first, Value row, int64_t count) {
    SmallVector<Value> rowLimits;
    if (limits)
      for (int64_t i = 0; i < count; ++i)
        rowLimits.push_back(load(e, limits, plus(e, row, i)));
    serialFor(e, index(e, 0), index(e, kBlockKeys), kTileKeys,
              [&](Emitter &e, Value key) {
                multiply(e, row, count, first, key, rowLimits);
              });
    SmallVector<Value> rescale;
    for (int64_t i = 0; i < count; ++i)
      rescale.push_back(weigh(e, plus(e, row, i), i));

    // Limits, counted from the block's first key.
    for (Value &limit : rowLimits) {
      Value rest = arith::SubIOp::create(e, limit, first);
      rest = arith::MaxSIOp::create(e, rest, index(e, 0));
      limit = arith::MinSIOp::create(e, rest, index(e, kBlockKeys));
    }
    constexpr int64_t kTileColumns = kTileChunks * kLanes;
    int64_t whole = tile.valueWidth / kTileColumns * kTileColumns;
    if (whole)
      serialFor(e, index(e, 0), index(e, whole), kTileColumns,
                [&](Emitter &e, Value column) {
                  accumulate(e, row, count, rescale, rowLimits, column,
                             kTileColumns);
                });
    if (whole != tile.valueWidth)
      accumulate(e, row, count, rescale, rowLimits, index(e, whole),
                 tile.valueWidth - whole);
  }

  /// weights[i][key ..] = scale * q K^T of a register tile, -inf where the row
  /// sees no key.
  void multiply(Emitter &e, Value row, int64_t count, Value first, Value key,
                ArrayRef<Value> rowLimits) {
    auto loadTile = [&](Emitter &e, Value column, int64_t lanes,
                        SmallVectorImpl<Value> &q, SmallVectorImpl<Value> &k) {
      for (int64_t i = 0; i < count; ++i)
        q.push_back(RowView{queries, {plus(e, row, i)}}.load(e, column, lanes));
      for (int64_t j = 0; j < kTileKeys; ++j)
        k.push_back(RowView{keys, {plus(e, key, j)}}.load(e, column, lanes));
    };
    int64_t whole = tile.width / kLanes * kLanes;
    SmallVector<Value> dots(count * kTileKeys,
                            splat(e, constant(e, 0), kLanes));
    if (whole) {
      auto loop = scf::ForOp::create(
          e, index(e, 0), index(e, whole), index(e, kLanes), dots,
          [&](OpBuilder &builder, Location loc, Value column,
              ValueRange carried) {
            Emitter e(loc, builder);
            SmallVector<Value> q, k, next;
            loadTile(e, column, kLanes, q, k);
            for (int64_t i = 0; i < count; ++i)
              for (int64_t j = 0; j < kTileKeys; ++j)
                next.push_back(math::FmaOp::create(e, q[i], k[j],
                                                   carried[i * kTileKeys + j]));
            scf::YieldOp::create(e, next);
          });
      dots.assign(loop.getResults().begin(), loop.getResults().end());
    }
    Value dot = reduceTogether(e, dots);
    if (whole != tile.width) {
      SmallVector<Value> q, k, rest;
      loadTile(e, index(e, whole), tile.width - whole, q, k);
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        int64_t i = lane / kTileKeys, j = lane % kTileKeys;
        rest.push_back(i < count ? reduceLanes(e, mul(e, q[i], k[j]), add)
                                 : constant(e, 0));
      }
      auto type = VectorType::get({kLanes}, e.getF32Type());
      dot = add(e, dot, vector::FromElementsOp::create(e, type, rest));
    }
    Value scaled =
        mul(e, splat(e, constant(e, tile.softmaxScale), kLanes), dot);
    Value logits =
        arith::SelectOp::create(e, getVisible(e, first, key, rowLimits), scaled,
                                splat(e, constant(e, -kInfinity), kLanes));
    for (int64_t i = 0; i < count; ++i) {
      Value part = vector::ExtractStridedSliceOp::create(
          e, logits, ArrayRef<int64_t>{i * kTileKeys},
          ArrayRef<int64_t>{kTileKeys}, ArrayRef<int64_t>{1});
      RowView{weights, {index(e, i)}}.store(e, part, key);
    }
  }

  /// Which of a register tile's (row, key) pairs there are, as kLanes of i1.
  Value getVisible(Emitter &e, Value first, Value key,
                   ArrayRef<Value> rowLimits) {
    SmallVector<int64_t> repeat;
    for (int64_t lane = 0; lane < kLanes; ++lane)
      repeat.push_back(lane % kTileKeys);
    Value flags = RowView{isKey, {}}.load(e, key, kTileKeys);
    flags = vector::ShuffleOp::create(e, flags, flags, repeat);
    Value visible = arith::CmpFOp::create(e, arith::CmpFPredicate::OGT, flags,
                                          splat(e, constant(e, 0), kLanes));
    if (rowLimits.empty())
      return visible;
    SmallVector<Value> positions, ends;
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      size_t i = lane / kTileKeys;
      positions.push_back(
          plus(e, arith::AddIOp::create(e, first, key), lane % kTileKeys));
      ends.push_back(rowLimits[std::min(i, rowLimits.size() - 1)]);
    }
    auto type = VectorType::get({kLanes}, e.getIndexType());
    Value inLimit = arith::CmpIOp::create(
        e, arith::CmpIPredicate::slt,
        vector::FromElementsOp::create(e, type, positions),
        vector::FromElementsOp::create(e, type, ends));
    return arith::AndIOp::create(e, visible, inLimit);
  }

  /// Turns row `i` of the logits into weights, and updates the maximum and the
  /// total of query `row`. Returns the factor of what was summed before.
  Value weigh(Emitter &e, Value row, int64_t i) {
    Location loc = e.getLoc();
    RowView weightRow{weights, {index(e, i)}};
    SmallVector<Value> logits;
    Value top = splat(e, constant(e, -kInfinity), kLanes);
    for (int64_t column = 0; column < kBlockKeys; column += kLanes) {
      logits.push_back(weightRow.load(e, index(e, column), kLanes));
      top = maximum(e, top, logits.back());
    }
    Value before = load(e, maxima, row);
    Value after = maximum(e, before, reduceLanes(e, top, maximum));
    // Without a key so far, exp(-inf - 0) gives the zero that exp(-inf + inf)
    // would not.
    Value isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, after,
                                          constant(e, -kInfinity));
    Value origin = arith::SelectOp::create(e, isEmpty, constant(e, 0), after);
    Value total;
    for (auto [chunk, logit] : llvm::enumerate(logits)) {
      Value weight = emitExp(
          e, loc, arith::SubFOp::create(e, logit, splat(e, origin, kLanes)));
      weightRow.store(e, weight, index(e, chunk * kLanes));
      total = total ? add(e, total, weight) : weight;
    }
    Value rescale = emitExp(e, loc, arith::SubFOp::create(e, before, origin));
    store(e, after, maxima, row);
    store(e,
          add(e, mul(e, load(e, totals, row), rescale),
              reduceLanes(e, total, add)),
          totals, row);
    return rescale;
  }

  /// sums[row ..][column ..] = sums * rescale + p V over the block.
  void accumulate(Emitter &e, Value row, int64_t count, ArrayRef<Value> rescale,
                  ArrayRef<Value> rowLimits, Value column, int64_t columns) {
    SmallVector<int64_t> lanes;
    for (int64_t left = columns; left > 0; left -= kLanes)
      lanes.push_back(std::min(left, kLanes));
    auto at = [&](Emitter &e, size_t chunk) {
      return plus(e, column, chunk * kLanes);
    };
    SmallVector<Value> carried;
    for (int64_t i = 0; i < count; ++i)
      for (auto [chunk, size] : llvm::enumerate(lanes))
        carried.push_back(
            mul(e, RowView{sums, {plus(e, row, i)}}.load(e, at(e, chunk), size),
                splat(e, rescale[i], size)));

    auto addKeys = [&](Value begin, Value end, bool isMasked) {
      auto loop = scf::ForOp::create(
          e, begin, end, index(e, 1), carried,
          [&](OpBuilder &builder, Location loc, Value key, ValueRange from) {
            Emitter e(loc, builder);
            SmallVector<Value> rowValues, next;
            for (auto [chunk, size] : llvm::enumerate(lanes))
              rowValues.push_back(
                  RowView{values, {key}}.load(e, at(e, chunk), size));
            for (int64_t i = 0; i < count; ++i) {
              Value weight = load(e, weights, {index(e, i), key});
              Value isSeen;
              if (isMasked)
                isSeen = arith::CmpIOp::create(e, arith::CmpIPredicate::slt,
                                               key, rowLimits[i]);
              for (auto [chunk, size] : llvm::enumerate(lanes)) {
                Value sum = from[i * lanes.size() + chunk];
                Value added = math::FmaOp::create(e, splat(e, weight, size),
                                                  rowValues[chunk], sum);
                next.push_back(
                    isMasked ? arith::SelectOp::create(e, isSeen, added, sum)
                                   .getResult()
                             : added);
              }
            }
            scf::YieldOp::create(e, next);
          });
      carried.assign(loop.getResults().begin(), loop.getResults().end());
    };
    if (rowLimits.empty()) {
      addKeys(index(e, 0), index(e, kBlockKeys), /*isMasked=*/false);
    } else {
      // A key past a row's limit has weight zero there, but its value may be
      // NaN.
      Value common = rowLimits.front(), any = rowLimits.front();
      for (Value limit : rowLimits.drop_front()) {
        common = arith::MinSIOp::create(e, common, limit);
        any = arith::MaxSIOp::create(e, any, limit);
      }
      addKeys(index(e, 0), common, /*isMasked=*/false);
      addKeys(common, any, /*isMasked=*/true);
    }
    for (int64_t i = 0; i < count; ++i)
      for (size_t chunk = 0; chunk < lanes.size(); ++chunk)
        RowView{sums, {plus(e, row, i)}}.store(
            e, carried[i * lanes.size() + chunk], at(e, chunk));
  }

  void finishRow(Emitter &e, Value row) {
    Value total = load(e, totals, row);
    Value isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total,
                                          constant(e, 0));
    // The sums of a query that saw nothing are zero, and 0 / 1 is too.
    Value divisor = arith::SelectOp::create(e, isEmpty, constant(e, 1), total);
    Value lse = add(e, load(e, maxima, row), emitLog(e, e.getLoc(), divisor));
    lse = arith::SelectOp::create(e, isEmpty, constant(e, -kInfinity), lse);
    tile.finish(e, row, {{sums, {row}}, divisor, lse});
  }

  const AttentionTile &tile;
  // f32: queries, sums of p V, running maxima and totals, the block's keys and
  // values, 1 where it has a key, the register tile's weights. Indices: how
  // many keys each row sees.
  Value queries, sums, maxima, totals, keys, values, isKey, weights, limits;
};

} // namespace

void cpu::emitAttention(Emitter &e, const AttentionTile &tile) {
  TileEmitter(tile).emit(e);
}
