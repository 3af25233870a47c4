//===- RowView.cpp - rows of buffers --------------------------------------===//

#include "RowView.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::rows;

static SmallVector<Value, 4> getIndices(const RowView &row, Value column) {
  auto indices = llvm::to_vector<4>(row.leading);
  indices.push_back(column);
  return indices;
}

Value RowView::load(Emitter &e, Value column, int64_t lanes) const {
  return vector::LoadOp::create(e, VectorType::get({lanes}, getElementType()),
                                buffer, getIndices(*this, column),
                                /*nontemporal=*/false,
                                llvm::MaybeAlign(alignment));
}

void RowView::store(Emitter &e, Value value, Value column) const {
  vector::StoreOp::create(e, value, buffer, getIndices(*this, column),
                          /*nontemporal=*/false, llvm::MaybeAlign(alignment));
}

Value RowView::loadF32(Emitter &e, Value column, int64_t lanes) const {
  return extendToF32(e, e.getLoc(), load(e, column, lanes));
}

void RowView::storeRounded(Emitter &e, Value value, Value column) const {
  store(e, roundFromF32(e, e.getLoc(), value, getElementType()), column);
}

void RowView::storeExact(Emitter &e, Value value, Value column) const {
  if (!getElementType().isBF16())
    return storeRounded(e, value, column);
  auto as = [&](Type element) {
    return withElementType(value.getType(), element);
  };
  Location loc = e.getLoc();
  Value bits = arith::BitcastOp::create(e, as(e.getI32Type()), value);
  Value half =
      arith::ShRUIOp::create(e, bits, createInt(e, loc, bits.getType(), 16));
  half = arith::TruncIOp::create(e, as(e.getI16Type()), half);
  store(e, arith::BitcastOp::create(e, as(e.getBF16Type()), half), column);
}

/// Sizes of the leading dimensions.
static SmallVector<OpFoldResult> getLeadingSizes(Emitter &e, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank() - 1; ++dim) {
    if (type.isDynamicDim(dim))
      sizes.push_back(
          memref::DimOp::create(e, buffer, index(e, dim)).getResult());
    else
      sizes.push_back(e.getIndexAttr(type.getDimSize(dim)));
  }
  return sizes;
}

RowView rows::getRow(Emitter &e, Value buffer, Value row) {
  RowView view{buffer, {}};
  int64_t leading = cast<MemRefType>(buffer.getType()).getRank() - 1;
  if (leading == 1) {
    view.leading.push_back(row);
  } else if (leading > 1) {
    SmallVector<OpFoldResult> sizes = getLeadingSizes(e, buffer);
    // The outermost size bounds nothing: it is the quotient.
    sizes.erase(sizes.begin());
    auto indices = affine::AffineDelinearizeIndexOp::create(
        e, row, sizes, /*hasOuterBound=*/false);
    llvm::append_range(view.leading, indices.getResults());
  }
  return view;
}

Value rows::getRowCount(Emitter &e, Value buffer) {
  Value count = index(e, 1);
  for (OpFoldResult size : getLeadingSizes(e, buffer))
    count = arith::MulIOp::create(
        e, count, getValueOrCreateConstantIndexOp(e, e.getLoc(), size));
  return count;
}

Value rows::getActualRows(Emitter &e, Value rows, Value count) {
  if (!count)
    return rows;
  Value actual =
      arith::IndexCastOp::create(e, e.getIndexType(), loadScalar(e, count));
  actual = arith::MaxSIOp::create(e, actual, index(e, 0));
  return arith::MinSIOp::create(e, actual, rows);
}
