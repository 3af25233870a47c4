//===- LatentAttention.cpp - CPU kernel of latent_attention ---------------===//
//
// One parallel item is one query position and some of its heads. It walks the
// keys in blocks of kBlockKeys: gathers and widens their cache rows once for
// all of its heads, then for a few heads at a time
//   s = scale * q K^T     m' = max(m, max s)     p = exp(s - m')
//   l = l * exp(m - m') + sum p                  o = o * exp(m - m') + p V
// and at the end o / l and m + ln l, all in f32. The order depends on the
// shapes and lengths alone: the same input gives the same bits.
//
//===----------------------------------------------------------------------===//

#include "CacheRow.h"
#include "Lowerings.h"
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
/// Heads and keys of a register tile of q K^T.
static constexpr int64_t kTileHeads = 4, kTileKeys = 4;
/// Heads of a parallel item, at most: they share the gathered keys.
static constexpr int64_t kItemHeads = 32;
/// Vectors of the latent width in a register tile of p V.
static constexpr int64_t kTileChunks = 4;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static int64_t getSize(Value buffer, int64_t dim) {
  return cast<MemRefType>(buffer.getType()).getDimSize(dim);
}

static Value constant(Emitter &e, double value) {
  return createFloat(e, e.getLoc(), e.getF32Type(), value);
}

static Value plus(Emitter &e, Value a, int64_t b) {
  return b == 0 ? a : arith::AddIOp::create(e, a, index(e, b)).getResult();
}

static Value loadIndex(Emitter &e, Value buffer, ValueRange indices) {
  return arith::IndexCastOp::create(e, e.getIndexType(),
                                    memref::LoadOp::create(e, buffer, indices));
}

static Value allocate(Emitter &e, ArrayRef<int64_t> shape) {
  return memref::AllocaOp::create(e, MemRefType::get(shape, e.getF32Type()),
                                  e.getI64IntegerAttr(64));
}

static Value load(Emitter &e, Value buffer, ValueRange indices) {
  return memref::LoadOp::create(e, buffer, indices);
}
static void store(Emitter &e, Value value, Value buffer, ValueRange indices) {
  memref::StoreOp::create(e, value, buffer, indices);
}

static Value maximum(Emitter &e, Value a, Value b) {
  return maxIgnoringNaN(e, e.getLoc(), a, b);
}

namespace {

class LatentAttentionKernel {
public:
  LatentAttentionKernel(LatentAttentionOp op)
      : op(op), latent(getSize(op.getOutputInit(), 3)),
        width(getSize(op.getQ(), 3)), heads(getSize(op.getQ(), 2)) {
    itemHeads = std::min(heads, kItemHeads);
    while (heads % itemHeads)
      --itemHeads;
  }

  void emit(Emitter &e) {
    cache = {op.getCache(), op.getCacheFormat(), latent, width - latent,
             Value()};
    if (op.getKScale())
      cache.kScale = loadScalar(e, op.getKScale());
    Value queries = memref::DimOp::create(e, op.getQ(), index(e, 1));
    Value positions = arith::MulIOp::create(
        e, memref::DimOp::create(e, op.getQ(), index(e, 0)), queries);
    int64_t parts = heads / itemHeads;
    Value items = arith::MulIOp::create(e, positions, index(e, parts));
    // Lengths are in memory: any item may be long.
    parallelFor(
        e, items, std::numeric_limits<int32_t>::max(),
        [&](Emitter &e, Value item) {
          Value position = arith::DivUIOp::create(e, item, index(e, parts));
          Value part = arith::RemUIOp::create(e, item, index(e, parts));
          Item at{arith::DivUIOp::create(e, position, queries),
                  arith::RemUIOp::create(e, position, queries),
                  arith::MulIOp::create(e, part, index(e, itemHeads)), queries};
          emitItem(e, at);
        });
  }

private:
  struct Item {
    Value request, query, firstHead, queries;
  };

  void emitItem(Emitter &e, const Item &at) {
    allocateState(e);
    serialFor(e, index(e, 0), index(e, itemHeads), 1,
              [&](Emitter &e, Value head) { initializeHead(e, at, head); });
    Value keys = getKeyCount(e, at);
    serialFor(e, index(e, 0), keys, kBlockKeys, [&](Emitter &e, Value first) {
      serialFor(e, index(e, 0), index(e, kBlockKeys), 1,
                [&](Emitter &e, Value i) {
                  gatherKey(e, at, keys, arith::AddIOp::create(e, first, i), i);
                });
      int64_t whole = itemHeads / kTileHeads * kTileHeads;
      if (whole)
        serialFor(
            e, index(e, 0), index(e, whole), kTileHeads,
            [&](Emitter &e, Value head) { attendBlock(e, head, kTileHeads); });
      if (whole != itemHeads)
        attendBlock(e, index(e, whole), itemHeads - whole);
    });
    serialFor(e, index(e, 0), index(e, itemHeads), 1,
              [&](Emitter &e, Value head) { finishHead(e, at, head); });
  }

  void allocateState(Emitter &e) {
    queryRows = allocate(e, {itemHeads, width});
    sums = allocate(e, {itemHeads, latent});
    maxima = allocate(e, {itemHeads});
    totals = allocate(e, {itemHeads});
    keyRows = allocate(e, {kBlockKeys, width});
    isKey = allocate(e, {kBlockKeys});
    weights = allocate(e, {kTileHeads, kBlockKeys});
  }

  void initializeHead(Emitter &e, const Item &at, Value head) {
    RowView source{
        op.getQ(),
        {at.request, at.query, arith::AddIOp::create(e, at.firstHead, head)}};
    RowView query{queryRows, {head}}, sum{sums, {head}};
    forEachChunk(e, index(e, 0), width,
                 [&](Emitter &e, Value column, int64_t lanes) {
                   query.store(e, source.loadF32(e, column, lanes), column);
                 });
    forEachChunk(e, index(e, 0), latent,
                 [&](Emitter &e, Value column, int64_t lanes) {
                   sum.store(e, splat(e, constant(e, 0), lanes), column);
                 });
    store(e, constant(e, -kInfinity), maxima, head);
    store(e, constant(e, 0), totals, head);
  }

  /// How many positions, or indices, the query looks at.
  Value getKeyCount(Emitter &e, const Item &at) {
    if (op.getIndices())
      return memref::DimOp::create(e, op.getIndices(), index(e, 2));
    // seq_len - S + 1 + i, and no more than the table names.
    Value length = loadIndex(e, op.getSeqLens(), at.request);
    Value visible = arith::AddIOp::create(
        e, arith::SubIOp::create(e, length, at.queries), plus(e, at.query, 1));
    Value pageSize = memref::DimOp::create(e, op.getCache(), index(e, 1));
    Value named = arith::MulIOp::create(
        e, memref::DimOp::create(e, op.getBlockTable(), index(e, 1)), pageSize);
    return arith::MinSIOp::create(
        e, arith::MaxSIOp::create(e, visible, index(e, 0)), named);
  }

  /// The slot of key number `key`, which is below the count.
  Value getSlot(Emitter &e, const Item &at, Value key) {
    if (op.getIndices())
      return loadIndex(e, op.getIndices(), {at.request, at.query, key});
    Value pageSize = memref::DimOp::create(e, op.getCache(), index(e, 1));
    Value page =
        loadIndex(e, op.getBlockTable(),
                  {at.request, arith::DivUIOp::create(e, key, pageSize)});
    return arith::AddIOp::create(e, arith::MulIOp::create(e, page, pageSize),
                                 arith::RemUIOp::create(e, key, pageSize));
  }

  /// Widens key number `key` into row `i` of the block. A row without a key is
  /// zero, so that whatever its slot holds cannot leak through a zero weight.
  void gatherKey(Emitter &e, const Item &at, Value keys, Value key, Value i) {
    RowView target{keyRows, {i}};
    auto clear = [&](OpBuilder &builder, Location loc) {
      Emitter e(loc, builder);
      forEachChunk(e, index(e, 0), width,
                   [&](Emitter &e, Value column, int64_t lanes) {
                     target.store(e, splat(e, constant(e, 0), lanes), column);
                   });
      store(e, constant(e, 0), isKey, i);
      scf::YieldOp::create(e);
    };
    Value exists =
        arith::CmpIOp::create(e, arith::CmpIPredicate::ult, key, keys);
    scf::IfOp::create(
        e, exists,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Value slot = getSlot(e, at, key);
          // An index of -1, or a slot that the cache does not have, is no key.
          Value inCache = arith::CmpIOp::create(e, arith::CmpIPredicate::ult,
                                                slot, cache.getCapacity(e));
          scf::IfOp::create(
              e, inCache,
              [&](OpBuilder &builder, Location loc) {
                Emitter e(loc, builder);
                readCacheRow(e, cache, cache.getSlot(e, slot), target);
                store(e, constant(e, 1), isKey, i);
                scf::YieldOp::create(e);
              },
              clear);
          scf::YieldOp::create(e);
        },
        clear);
  }

  /// One block of keys for `count` heads from `head` on.
  void attendBlock(Emitter &e, Value head, int64_t count) {
    serialFor(
        e, index(e, 0), index(e, kBlockKeys), kTileKeys,
        [&](Emitter &e, Value key) { multiplyTile(e, head, count, key); });
    SmallVector<Value> rescale;
    for (int64_t i = 0; i < count; ++i)
      rescale.push_back(weighHead(e, plus(e, head, i), i));

    int64_t tile = kTileChunks * kLanes;
    int64_t whole = latent / tile * tile;
    if (whole)
      serialFor(e, index(e, 0), index(e, whole), tile,
                [&](Emitter &e, Value column) {
                  accumulate(e, head, count, rescale, column, tile);
                });
    if (whole != latent)
      accumulate(e, head, count, rescale, index(e, whole), latent - whole);
  }

  /// weights[i][key ..] = scale * q K^T of a tile, -inf where there is no key.
  void multiplyTile(Emitter &e, Value head, int64_t count, Value key) {
    auto loadTile = [&](Emitter &e, Value column, int64_t lanes,
                        SmallVectorImpl<Value> &q, SmallVectorImpl<Value> &k) {
      for (int64_t i = 0; i < count; ++i)
        q.push_back(
            RowView{queryRows, {plus(e, head, i)}}.load(e, column, lanes));
      for (int64_t j = 0; j < kTileKeys; ++j)
        k.push_back(RowView{keyRows, {plus(e, key, j)}}.load(e, column, lanes));
    };
    int64_t whole = width / kLanes * kLanes;
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
    SmallVector<Value> qRest, kRest;
    if (whole != width)
      loadTile(e, index(e, whole), width - whole, qRest, kRest);
    Value scale = constant(e, op.getSoftmaxScale().convertToDouble());
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < kTileKeys; ++j) {
        Value dot = reduceLanes(e, dots[i * kTileKeys + j], add);
        if (!qRest.empty())
          dot = add(e, dot, reduceLanes(e, mul(e, qRest[i], kRest[j]), add));
        Value at = plus(e, key, j);
        Value exists = arith::CmpFOp::create(
            e, arith::CmpFPredicate::OGT, load(e, isKey, at), constant(e, 0));
        Value logit = arith::SelectOp::create(e, exists, mul(e, scale, dot),
                                              constant(e, -kInfinity));
        store(e, logit, weights, {index(e, i), at});
      }
  }

  /// Turns row `i` of the logits into weights, and updates the maximum and the
  /// total of `head`. Returns the factor of what was summed before.
  Value weighHead(Emitter &e, Value head, int64_t i) {
    Location loc = e.getLoc();
    RowView row{weights, {index(e, i)}};
    SmallVector<Value> logits;
    Value top;
    for (int64_t column = 0; column < kBlockKeys; column += kLanes) {
      logits.push_back(row.load(e, index(e, column), kLanes));
      top = maximum(e, top ? top : splat(e, constant(e, -kInfinity), kLanes),
                    logits.back());
    }
    Value before = load(e, maxima, head);
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
      row.store(e, weight, index(e, chunk * kLanes));
      total = total ? add(e, total, weight) : weight;
    }
    Value rescale = emitExp(e, loc, arith::SubFOp::create(e, before, origin));
    store(e, after, maxima, head);
    store(e,
          add(e, mul(e, load(e, totals, head), rescale),
              reduceLanes(e, total, add)),
          totals, head);
    return rescale;
  }

  /// sums[head ..][column ..] = sums * rescale + p V over the block.
  void accumulate(Emitter &e, Value head, int64_t count,
                  ArrayRef<Value> rescale, Value column, int64_t columns) {
    SmallVector<int64_t> lanes;
    for (int64_t left = columns; left > 0; left -= kLanes)
      lanes.push_back(std::min(left, kLanes));
    auto at = [&](Emitter &e, size_t chunk) {
      return plus(e, column, chunk * kLanes);
    };
    SmallVector<Value> start;
    for (int64_t i = 0; i < count; ++i)
      for (auto [chunk, size] : llvm::enumerate(lanes))
        start.push_back(mul(
            e, RowView{sums, {plus(e, head, i)}}.load(e, at(e, chunk), size),
            splat(e, rescale[i], size)));
    auto loop = scf::ForOp::create(
        e, index(e, 0), index(e, kBlockKeys), index(e, 1), start,
        [&](OpBuilder &builder, Location loc, Value key, ValueRange carried) {
          Emitter e(loc, builder);
          SmallVector<Value> values, next;
          for (auto [chunk, size] : llvm::enumerate(lanes))
            values.push_back(
                RowView{keyRows, {key}}.load(e, at(e, chunk), size));
          for (int64_t i = 0; i < count; ++i) {
            Value weight = load(e, weights, {index(e, i), key});
            for (auto [chunk, size] : llvm::enumerate(lanes))
              next.push_back(
                  math::FmaOp::create(e, splat(e, weight, size), values[chunk],
                                      carried[i * lanes.size() + chunk]));
          }
          scf::YieldOp::create(e, next);
        });
    for (int64_t i = 0; i < count; ++i)
      for (size_t chunk = 0; chunk < lanes.size(); ++chunk)
        RowView{sums, {plus(e, head, i)}}.store(
            e, loop.getResult(i * lanes.size() + chunk), at(e, chunk));
  }

  void finishHead(Emitter &e, const Item &at, Value head) {
    Location loc = e.getLoc();
    Value total = load(e, totals, head);
    Value zero = constant(e, 0);
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
    Value outputHead = arith::AddIOp::create(e, at.firstHead, head);
    RowView output{op.getOutputInit(), {at.request, at.query, outputHead}};
    RowView sum{sums, {head}};
    // The sums of an empty query are zero, and 0 / 1 is too.
    Value divisor = arith::SelectOp::create(e, isEmpty, constant(e, 1), total);
    forEachChunk(e, index(e, 0), latent,
                 [&](Emitter &e, Value column, int64_t lanes) {
                   output.storeRounded(
                       e,
                       arith::DivFOp::create(e, sum.load(e, column, lanes),
                                             splat(e, divisor, lanes)),
                       column);
                 });
    if (!op.getLseInit())
      return;
    Value lse = add(e, load(e, maxima, head), emitLog(e, loc, divisor));
    lse = arith::SelectOp::create(e, isEmpty, constant(e, -kInfinity), lse);
    store(e, lse, op.getLseInit(), {at.request, at.query, outputHead});
  }

  LatentAttentionOp op;
  int64_t latent, width, heads, itemHeads = 1;
  CacheSpec cache;
  // f32, one set for each item: queries, sums of p V, running maxima and
  // totals, the block's keys, 1 where it has one, and the tile's weights.
  Value queryRows, sums, maxima, totals, keyRows, isKey, weights;
};

} // namespace

void cpu::lower(Emitter &e, LatentAttentionOp op) {
  LatentAttentionKernel(op).emit(e);
}
