//===- Prefill.cpp - CPU kernel of mla_prefill ----------------------------===//
//
// One parallel item is a block of query rows and the heads that share a scale.
// The rows of a block that belong to one sequence make one attention tile.
//
//===----------------------------------------------------------------------===//

#include "AttentionTile.h"
#include "Lowerings.h"
#include "OutputRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// Query rows of an item, at most.
static constexpr int64_t kItemRows = 32;
/// Elements of the rows that an item collects before it quantizes them.
static constexpr int64_t kItemElements = 64 * 1024;

/// Copies a row, widened, to `target` from column `first` on.
static void widenRow(Emitter &e, const RowView &source, int64_t width,
                     const RowView &target, int64_t first) {
  if (width)
    forEachChunk(e, index(e, 0), width,
                 [&](Emitter &e, Value column, int64_t lanes) {
                   target.store(e, source.loadF32(e, column, lanes),
                                plus(e, column, index(e, first)));
                 });
}

namespace {

/// Rows [firstQuery, endQuery) of a block, all of one sequence, and its keys.
struct Span {
  Value firstQuery, endQuery, sequenceEnd, firstKey, endKey;
};

class PrefillKernel {
public:
  PrefillKernel(PrefillOp op)
      : op(op), heads(getSize(op.getQ(), 1)), width(getSize(op.getQ(), 2)),
        valueWidth(getSize(op.getV(), 2)),
        output(OutputRows::getBuffers(op, heads * valueWidth),
               cast<MemRefType>(op.getQ().getType()).getElementType(), heads,
               valueWidth) {
    int64_t columns = output.getSegmentHeads() * valueWidth;
    itemRows = std::clamp<int64_t>(kItemElements / columns, 1, kItemRows);
  }

  void emit(Emitter &e) {
    Value tokens = memref::DimOp::create(e, op.getQ(), index(e, 0));
    Value rows = getActualRows(e, tokens, op.getNumActualTokens());
    output.prepare(e, rows);
    int64_t segments = heads / output.getSegmentHeads();
    Value blocks = arith::CeilDivUIOp::create(e, rows, index(e, itemRows));
    Value items = arith::MulIOp::create(e, blocks, index(e, segments));
    parallelFor(e, items, std::numeric_limits<int32_t>::max(),
                [&](Emitter &e, Value item) {
                  Value firstRow = arith::MulIOp::create(
                      e, arith::DivUIOp::create(e, item, index(e, segments)),
                      index(e, itemRows));
                  Value firstHead = arith::MulIOp::create(
                      e, arith::RemUIOp::create(e, item, index(e, segments)),
                      index(e, output.getSegmentHeads()));
                  Value endRow = arith::MinUIOp::create(
                      e, plus(e, firstRow, index(e, itemRows)), rows);
                  emitItem(e, firstRow, endRow, firstHead);
                });
    output.finishAll(e, tokens);
  }

private:
  /// The sequences that have rows in the block, each as a span.
  void emitItem(Emitter &e, Value firstRow, Value endRow, Value firstHead) {
    Value sequences =
        minus(e, memref::DimOp::create(e, op.getCuSeqlensQ(), index(e, 0)),
              index(e, 1));
    serialFor(e, index(e, 0), sequences, 1, [&](Emitter &e, Value sequence) {
      Value next = plus(e, sequence, index(e, 1));
      Value begin = loadIndex(e, op.getCuSeqlensQ(), sequence);
      Value end = loadIndex(e, op.getCuSeqlensQ(), next);
      Span span{arith::MaxSIOp::create(e, begin, firstRow),
                arith::MinSIOp::create(e, end, endRow), end,
                loadIndex(e, op.getCuSeqlensK(), sequence),
                loadIndex(e, op.getCuSeqlensK(), next)};
      Value hasRows = arith::CmpIOp::create(e, arith::CmpIPredicate::slt,
                                            span.firstQuery, span.endQuery);
      scf::IfOp::create(e, hasRows, [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        emitSpan(e, span, firstHead);
        scf::YieldOp::create(e);
      });
    });
  }

  void emitSpan(Emitter &e, const Span &span, Value firstHead) {
    Value rowCount = minus(e, span.endQuery, span.firstQuery);
    OutputRows::Part part =
        output.begin(e, span.firstQuery, firstHead, itemRows);
    auto emitHead = [&](Emitter &e, Value head) {
      emitTile(e, span, rowCount, part, head);
    };
    if (output.getSegmentHeads() == 1)
      emitHead(e, index(e, 0));
    else
      serialFor(e, index(e, 0), index(e, output.getSegmentHeads()), 1,
                emitHead);
    output.finish(e, part, rowCount);
  }

  /// Keys that a query sees: all, or (causal, aligned at the end) those up to
  /// its own distance from the sequence's end.
  Value getLimit(Emitter &e, const Span &span, Value query) {
    Value keys = minus(e, span.endKey, span.firstKey);
    if (!op.getCausal())
      return keys;
    Value after = minus(e, minus(e, span.sequenceEnd, query), index(e, 1));
    return arith::MaxSIOp::create(e, minus(e, keys, after), index(e, 0));
  }

  void emitTile(Emitter &e, const Span &span, Value rowCount,
                const OutputRows::Part &part, Value partHead) {
    Value head = plus(e, part.firstHead, partHead);
    Value last = minus(e, span.endQuery, index(e, 1));
    // Rows past the span repeat its last one, and are not stored.
    auto getQuery = [&](Emitter &e, Value row) -> Value {
      return arith::MinUIOp::create(e, plus(e, span.firstQuery, row), last);
    };
    int64_t ropeWidth = op.getKPe() ? getSize(op.getKPe(), 1) : 0;
    auto rowLimit = [&](Emitter &e, Value row) {
      return getLimit(e, span, getQuery(e, row));
    };
    emitAttention(
        e,
        {itemRows, width, valueWidth,
         /*valuesAreKeys=*/false, op.getSoftmaxScale().convertToDouble(),
         getLimit(e, span, last),
         [&](Emitter &e, Value row, const RowView &target) {
           widenRow(e, {op.getQ(), {getQuery(e, row), head}}, width, target, 0);
         },
         op.getCausal() ? function_ref<Value(Emitter &, Value)>(rowLimit)
                        : nullptr,
         [&](Emitter &e, Value key) {
           Value yes = arith::ConstantIntOp::create(e, 1, 1);
           return KeyLocation{yes, plus(e, span.firstKey, key)};
         },
         [&](Emitter &e, Value source, const RowView &key,
             const RowView &value) {
           int64_t own = width - ropeWidth;
           widenRow(e, {op.getK(), {source, head}}, own, key, 0);
           if (ropeWidth)
             widenRow(e, {op.getKPe(), {source}}, ropeWidth, key, own);
           widenRow(e, {op.getV(), {source, head}}, valueWidth, value, 0);
         },
         [&](Emitter &e, Value row, const AttentionRow &result) {
           Value isReal = arith::CmpIOp::create(e, arith::CmpIPredicate::ult,
                                                row, rowCount);
           scf::IfOp::create(e, isReal, [&](OpBuilder &builder, Location loc) {
             Emitter e(loc, builder);
             storeRow(e, part, row, partHead, result);
             scf::YieldOp::create(e);
           });
         }});
  }

  void storeRow(Emitter &e, const OutputRows::Part &part, Value row,
                Value partHead, const AttentionRow &result) {
    forEachChunk(e, index(e, 0), valueWidth,
                 [&](Emitter &e, Value column, int64_t lanes) {
                   output.store(e, part, row, partHead, column,
                                result.load(e, column, lanes));
                 });
    if (op.getLseInit())
      memref::StoreOp::create(e, result.lse, op.getLseInit(),
                              ValueRange{plus(e, part.firstRow, row),
                                         plus(e, part.firstHead, partHead)});
  }

  PrefillOp op;
  int64_t heads, width, valueWidth, itemRows = 1;
  OutputRows output;
};

} // namespace

void cpu::lower(Emitter &e, PrefillOp op) { PrefillKernel(op).emit(e); }
