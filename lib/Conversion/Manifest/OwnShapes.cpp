//===- OwnShapes.cpp - sizes that ops of the dialect require equal --------===//
//
// One function per family; a new op gets a case here and, if it takes integers
// or scales, in ValueRanges.cpp.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "Shapes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlafuse;

namespace {

class OwnShapes {
public:
  explicit OwnShapes(DimSets &dims) : dims(dims) {}

  void relate(RMSNormOp op) { sameRows(op.getInput(), op.getInits()); }

  void relate(AddRMSNormOp op) {
    sameRows(op.getInput(), op.getInits());
    sameRows(op.getInput(), op.getResidual());
  }

  void relate(RMSNormQuantizeOp op) {
    quantized(op.getQuantSpec(), op.getInput(), op.getCodesInit(),
              op.getScaleInit(), op.getRowOffset());
    for (Value value :
         {op.getResidual(), op.getResidualInit(), op.getUnquantizedInit()})
      if (value)
        sameRows(op.getInput(), value);
  }

  void relate(DualRMSNormOp op) {
    sameRows(op.getQC(), op.getKvC());
    sameRows(op.getQC(), op.getInits());
  }

  void relate(DualRMSNormQuantizeOp op) {
    sameRows(op.getQC(), op.getKvC());
    side(op.getQQuantSpec(), op.getQC(), op.getQInits());
    side(op.getKvQuantSpec(), op.getKvC(), op.getKvInits());
  }

  void relate(QuantizeOp op) {
    quantized(op.getQuantSpec(), op.getInput(), op.getCodesInit(),
              op.getScaleInit(), op.getRowOffset());
  }

  void relate(DequantizeOp op) {
    sameRows(op.getInput(), op.getInits());
    QuantSpec spec = op.getQuantSpec();
    if (!spec.key.isDynamic())
      return;
    scales(spec, op.getScale(), dims.rows(op.getInits()[0]));
  }

  void relate(RopeOp op) {
    dims.equateShapes(op.getInput(), op.getInits()[0]);
    dims.equate(dims.of(op.getPositions(), 0), dims.of(op.getInput(), 0));
    dims.suggest(dims.of(op.getCosSin(), 0), "P");
    dims.suggest(dims.of(op.getInput(), 0), "T");
  }

  void relate(CacheUpdateOp op) {
    sameRows(op.getKvC(), op.getKPe());
    dims.equate(dims.of(op.getSlotMapping(), 0), dims.of(op.getKvC(), 0));
    cache(op.getInits()[0]);
  }

  void relate(LatentAttentionOp op) {
    leading(op.getQ(), op.getOutputInit(), 3);
    if (Value rope = op.getQPe())
      leading(op.getQ(), rope, 3);
    if (Value lse = op.getLseInit())
      leading(op.getQ(), lse, 3);
    paged(op, op.getQ());
  }

  void relate(HeadProjectionOp op) {
    batch(op.getX());
    if (cast<ShapedType>(op.getOutputInit().getType()).getRank() == 4)
      leading(op.getX(), op.getOutputInit(), 3);
    else
      output(op, batchRows(op.getX()));
  }

  void relate(DecodeOp op) {
    leading(op.getQNope(), op.getQPe(), 2);
    paged(op, op.getQNope());
    output(op, batchRows(op.getQNope()));
    if (Value lse = op.getLseInit())
      leading(op.getQNope(), lse, 2);
  }

  void relate(PrefillOp op) {
    packed(op);
    output(op, dims.of(op.getQ(), 0));
    if (Value lse = op.getLseInit())
      leading(op.getQ(), lse, 1);
  }

  void relate(MergeAttnStatesOp op) {
    for (Value other : {op.getOB(), op.getLseA(), op.getLseB()})
      leading(op.getOA(), other, 1);
    dims.suggest(dims.of(op.getOA(), 0), "T");
    output(op, dims.of(op.getOA(), 0));
    if (Value lse = op.getLseInit())
      leading(op.getOA(), lse, 1);
  }

  void relate(AttentionBatchOp op) {
    leading(op.getQNope(), op.getQPe(), 2);
    paged(op, op.getQNope());
    packed(op);
    Dim rows = dims.of(op.getOutputInit(), 0);
    dims.suggest(rows, "T");
    output(op, dims.sum({batchRows(op.getQNope()), dims.of(op.getQ(), 0)}));
  }

private:
  /// The first `count` dimensions of both are the same.
  void leading(Value a, Value b, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      dims.equate(dims.of(a, i), dims.of(b, i));
  }

  void sameRows(Value a, ValueRange others) {
    unsigned rank = cast<ShapedType>(a.getType()).getRank();
    for (Value other : others)
      leading(a, other, rank - 1);
    if (rank > 1)
      dims.suggest(dims.of(a, 0), rank == 2 ? "T" : "B");
  }

  /// Scales of `rows` rows, stored as `spec` says.
  void scales(const QuantSpec &spec, Value storage, Dim rows) {
    if (spec.key.isPerTensor())
      return;
    switch (spec.getLayout()) {
    case ScaleLayout::RowMajor:
      return dims.equate(dims.of(storage, 0), rows);
    case ScaleLayout::ColumnMajor:
      return dims.equate(dims.of(storage, 1), rows);
    case ScaleLayout::TMAAligned:
    case ScaleLayout::PackedUE8M0:
      return dims.equate(dims.of(storage, 1), dims.align(rows, 4));
    case ScaleLayout::Swizzled128x4:
      return dims.equate(dims.of(storage, 0), dims.align(rows, 128));
    }
    llvm_unreachable("unknown scale layout");
  }

  /// With a row offset the codes are a whole buffer, which has the scales'
  /// rows.
  void quantized(const QuantSpec &spec, Value data, Value codes, Value scale,
                 Value rowOffset) {
    if (!rowOffset)
      sameRows(data, codes);
    if (scale)
      scales(spec, scale, dims.rows(codes));
  }

  void side(const QuantSpec &spec, Value data, const DualSideInits &inits) {
    if (spec)
      quantized(spec, data, inits.codes, inits.scale, Value());
    if (inits.unquantized)
      sameRows(data, inits.unquantized);
  }

  /// The quantizable output [rows, ...] of an attention op.
  template <typename OpT>
  void output(OpT op, Dim rows) {
    Value output = op.getOutputInit();
    if (!op.getRowOffset())
      dims.equate(dims.of(output, 0), rows);
    if (Value scale = op.getScaleInit())
      scales(op.getOutputQuant(), scale, dims.of(output, 0));
  }

  void batch(Value queries) {
    dims.suggest(dims.of(queries, 0), "B");
    dims.suggest(dims.of(queries, 1), "S");
  }

  Dim batchRows(Value queries) {
    return dims.product({dims.of(queries, 0), dims.of(queries, 1)});
  }

  void cache(Value cache) {
    dims.suggest(dims.of(cache, 0), "pages");
    dims.suggest(dims.of(cache, 1), "page_size");
  }

  template <typename OpT>
  void paged(OpT op, Value queries) {
    batch(queries);
    cache(op.getCache());
    if (Value table = op.getBlockTable()) {
      dims.equate(dims.of(table, 0), dims.of(queries, 0));
      dims.suggest(dims.of(table, 1), "table");
    }
    if (Value lengths = op.getSeqLens())
      dims.equate(dims.of(lengths, 0), dims.of(queries, 0));
    if (Value indices = op.getIndices()) {
      leading(queries, indices, 2);
      dims.suggest(dims.of(indices, 2), "topk");
    }
  }

  template <typename OpT>
  void packed(OpT op) {
    dims.suggest(dims.of(op.getQ(), 0), "Tq");
    dims.suggest(dims.of(op.getK(), 0), "Tk");
    leading(op.getK(), op.getV(), 1);
    if (Value kPe = op.getKPe())
      leading(op.getK(), kPe, 1);
    leading(op.getCuSeqlensQ(), op.getCuSeqlensK(), 1);
    dims.suggest(dims.of(op.getCuSeqlensQ(), 0), "sequences_plus_1");
  }

  DimSets &dims;
};

} // namespace

void mlafuse::relateOwnShapes(Operation *op, DimSets &dims) {
  OwnShapes shapes(dims);
  TypeSwitch<Operation *>(op)
      .Case<RMSNormOp, AddRMSNormOp, RMSNormQuantizeOp, DualRMSNormOp,
            DualRMSNormQuantizeOp, QuantizeOp, DequantizeOp, RopeOp,
            CacheUpdateOp, LatentAttentionOp, HeadProjectionOp, DecodeOp,
            PrefillOp, MergeAttnStatesOp, AttentionBatchOp>(
          [&](auto concrete) { shapes.relate(concrete); });
}
