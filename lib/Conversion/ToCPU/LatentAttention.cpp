//===- LatentAttention.cpp - CPU kernel of latent_attention ---------------===//
//
// One parallel item is one query position and some of its heads: they look at
// the same cache rows.
//
//===----------------------------------------------------------------------===//

#include "AttentionTile.h"
#include "CacheRow.h"
#include "Lowerings.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// Heads of a parallel item, at most.
static constexpr int64_t kItemHeads = 32;

namespace {
/// A parallel item: (request, query) and its first head.
struct Item {
  Value request, query, firstHead, queries;
};
} // namespace

/// How many positions, or indices, the query looks at.
static Value getKeyCount(Emitter &e, LatentAttentionOp op, const Item &item) {
  if (op.getIndices())
    return memref::DimOp::create(e, op.getIndices(), index(e, 2));
  // seq_len - S + 1 + i, and no more than the table names.
  Value length = loadIndex(e, op.getSeqLens(), item.request);
  Value visible =
      arith::AddIOp::create(e, arith::SubIOp::create(e, length, item.queries),
                            arith::AddIOp::create(e, item.query, index(e, 1)));
  Value named = arith::MulIOp::create(
      e, memref::DimOp::create(e, op.getBlockTable(), index(e, 1)),
      memref::DimOp::create(e, op.getCache(), index(e, 1)));
  return arith::MinSIOp::create(
      e, arith::MaxSIOp::create(e, visible, index(e, 0)), named);
}

/// The slot of a key; one that the cache does not have (an index of -1) is
/// none.
static KeyLocation findSlot(Emitter &e, LatentAttentionOp op,
                            const CacheSpec &cache, const Item &item,
                            Value key) {
  Value slot;
  if (op.getIndices()) {
    slot = loadIndex(e, op.getIndices(), {item.request, item.query, key});
  } else {
    Value pageSize = memref::DimOp::create(e, op.getCache(), index(e, 1));
    Value page =
        loadIndex(e, op.getBlockTable(),
                  {item.request, arith::DivUIOp::create(e, key, pageSize)});
    slot = arith::AddIOp::create(e, arith::MulIOp::create(e, page, pageSize),
                                 arith::RemUIOp::create(e, key, pageSize));
  }
  Value exists = arith::CmpIOp::create(e, arith::CmpIPredicate::ult, slot,
                                       cache.getCapacity(e));
  return {exists, slot};
}

/// Widens a part of a query: the row of `queries` at `leading`, to `target`
/// from column `first` on.
static void readQueryPart(Emitter &e, Value queries, ArrayRef<Value> leading,
                          int64_t width, const RowView &target, int64_t first) {
  RowView source{queries, SmallVector<Value, 3>(leading)};
  forEachChunk(e, index(e, 0), width,
               [&](Emitter &e, Value column, int64_t lanes) {
                 Value to = arith::AddIOp::create(e, column, index(e, first));
                 target.store(e, source.loadF32(e, column, lanes), to);
               });
}

static void emitItem(Emitter &e, LatentAttentionOp op, const CacheSpec &cache,
                     const Item &item, int64_t heads) {
  auto getHead = [&](Emitter &e, Value row) -> Value {
    return arith::AddIOp::create(e, item.firstHead, row);
  };
  int64_t width = cache.latent + cache.rope;
  emitAttention(
      e,
      {heads, width, cache.latent,
       /*valuesAreKeys=*/true, op.getSoftmaxScale().convertToDouble(),
       getKeyCount(e, op, item),
       [&](Emitter &e, Value row, const RowView &target) {
         Value leading[] = {item.request, item.query, getHead(e, row)};
         int64_t first = getSize(op.getQ(), 3);
         readQueryPart(e, op.getQ(), leading, first, target, 0);
         if (Value rope = op.getQPe())
           readQueryPart(e, rope, leading, cache.rope, target, first);
       },
       nullptr,
       [&](Emitter &e, Value key) { return findSlot(e, op, cache, item, key); },
       [&](Emitter &e, Value slot, const RowView &key, const RowView &) {
         readCacheRow(e, cache, cache.getSlot(e, slot), key);
       },
       [&](Emitter &e, Value row, const AttentionRow &result) {
         RowView output{op.getOutputInit(),
                        {item.request, item.query, getHead(e, row)}};
         forEachChunk(e, index(e, 0), cache.latent,
                      [&](Emitter &e, Value column, int64_t lanes) {
                        output.storeRounded(e, result.load(e, column, lanes),
                                            column);
                      });
         if (op.getLseInit())
           memref::StoreOp::create(e, result.lse, op.getLseInit(),
                                   output.leading);
       }});
}

void cpu::lower(Emitter &e, LatentAttentionOp op) {
  CacheSpec cache{op.getCache(), op.getCacheFormat(), op.getLatentWidth(),
                  op.getRopeWidth(), Value()};
  if (op.getKScale())
    cache.kScale = loadScalar(e, op.getKScale());
  int64_t heads = getSize(op.getQ(), 2);
  int64_t itemHeads = std::min(heads, kItemHeads);
  while (heads % itemHeads)
    --itemHeads;

  int64_t parts = heads / itemHeads;
  Value queries = memref::DimOp::create(e, op.getQ(), index(e, 1));
  Value positions = getActualRows(
      e,
      arith::MulIOp::create(e, memref::DimOp::create(e, op.getQ(), index(e, 0)),
                            queries),
      op.getNumActualTokens());
  Value items = arith::MulIOp::create(e, positions, index(e, parts));
  // Lengths are in memory: any item may be long.
  parallelFor(
      e, items, std::numeric_limits<int32_t>::max(),
      [&](Emitter &e, Value number) {
        Value position = arith::DivUIOp::create(e, number, index(e, parts));
        Value part = arith::RemUIOp::create(e, number, index(e, parts));
        emitItem(e, op, cache,
                 {arith::DivUIOp::create(e, position, queries),
                  arith::RemUIOp::create(e, position, queries),
                  arith::MulIOp::create(e, part, index(e, itemHeads)), queries},
                 itemHeads);
      });
}
