//===- RowEmitter.cpp - loops and vectors over rows -----------------------===//

#include "RowEmitter.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "MLAFuse/Conversion/Schedule.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value cpu::index(Emitter &e, int64_t value) {
  return arith::ConstantIndexOp::create(e, value);
}

Value cpu::constant(Emitter &e, double value) {
  return createFloat(e, e.getLoc(), e.getF32Type(), value);
}

Value cpu::plus(Emitter &e, Value a, Value b) {
  return arith::AddIOp::create(e, a, b);
}

Value cpu::plus(Emitter &e, Value a, int64_t b) {
  return b == 0 ? a : plus(e, a, index(e, b));
}

Value cpu::minus(Emitter &e, Value a, Value b) {
  return arith::SubIOp::create(e, a, b);
}

Value cpu::times(Emitter &e, Value a, int64_t b) {
  return arith::MulIOp::create(e, a, index(e, b));
}

Value cpu::dividedBy(Emitter &e, Value a, int64_t b) {
  return arith::DivUIOp::create(e, a, index(e, b));
}

Value cpu::mul(Emitter &e, Value a, Value b) {
  return arith::MulFOp::create(e, a, b);
}

Value cpu::add(Emitter &e, Value a, Value b) {
  return arith::AddFOp::create(e, a, b);
}

Value cpu::maximum(Emitter &e, Value a, Value b) {
  return maxIgnoringNaN(e, e.getLoc(), a, b);
}

int64_t cpu::getSize(Value buffer, int64_t dim) {
  return cast<MemRefType>(buffer.getType()).getDimSize(dim);
}

int64_t cpu::getWidth(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getShape().back();
}

Value cpu::loadIndex(Emitter &e, Value buffer, ValueRange indices) {
  return arith::IndexCastOp::create(e, e.getIndexType(),
                                    memref::LoadOp::create(e, buffer, indices));
}

Value cpu::loadScalar(Emitter &e, Value buffer) {
  return memref::LoadOp::create(e, buffer, ValueRange{index(e, 0)});
}

Value cpu::splat(Emitter &e, Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(
      e, VectorType::get({lanes}, scalar.getType()), scalar);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static SmallVector<Value, 4> getIndices(const RowView &row, Value column) {
  auto indices = llvm::to_vector<4>(row.leading);
  indices.push_back(column);
  return indices;
}

Value RowView::load(Emitter &e, Value column, int64_t lanes) const {
  return vector::LoadOp::create(e, VectorType::get({lanes}, getElementType()),
                                buffer, getIndices(*this, column));
}

void RowView::store(Emitter &e, Value value, Value column) const {
  vector::StoreOp::create(e, value, buffer, getIndices(*this, column));
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

RowView cpu::getRow(Emitter &e, Value buffer, Value row) {
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

Value cpu::getRowCount(Emitter &e, Value buffer) {
  Value count = index(e, 1);
  for (OpFoldResult size : getLeadingSizes(e, buffer))
    count = arith::MulIOp::create(
        e, count, getValueOrCreateConstantIndexOp(e, e.getLoc(), size));
  return count;
}

Value cpu::getActualRows(Emitter &e, Value rows, Value count) {
  if (!count)
    return rows;
  Value actual =
      arith::IndexCastOp::create(e, e.getIndexType(), loadScalar(e, count));
  actual = arith::MaxSIOp::create(e, actual, index(e, 0));
  return arith::MinSIOp::create(e, actual, rows);
}

RowView cpu::allocateRow(Emitter &e, int64_t width) {
  auto type = MemRefType::get({width}, e.getF32Type());
  return {memref::AllocaOp::create(e, type, e.getI64IntegerAttr(64)), {}};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Elements below which handing a range to another thread costs more than the
/// work itself.
static constexpr int64_t kElementsPerRange = 32 * 1024;

void cpu::parallelFor(Emitter &e, Value count, int64_t rowWork,
                      function_ref<void(Emitter &, Value)> body) {
  auto loop = scf::ParallelOp::create(
      e, ValueRange{index(e, 0)}, ValueRange{count}, ValueRange{index(e, 1)},
      [&](OpBuilder &builder, Location loc, ValueRange indices) {
        Emitter inner(loc, builder);
        body(inner, indices[0]);
      });
  int64_t grain =
      llvm::divideCeil(kElementsPerRange, std::max<int64_t>(rowWork, 1));
  setParallelGrain(loop, grain);
}

void cpu::serialFor(Emitter &e, Value begin, Value end, int64_t step,
                    function_ref<void(Emitter &, Value)> body) {
  scf::ForOp::create(
      e, begin, end, index(e, step), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value iv, ValueRange) {
        Emitter inner(loc, builder);
        body(inner, iv);
        scf::YieldOp::create(inner);
      });
}

void cpu::forEachChunk(Emitter &e, Value begin, int64_t width,
                       function_ref<void(Emitter &, Value, int64_t)> body) {
  int64_t whole = width / kLanes * kLanes;
  if (whole == kLanes)
    body(e, begin, kLanes);
  else if (whole)
    serialFor(
        e, begin, plus(e, begin, whole), kLanes,
        [&](Emitter &inner, Value column) { body(inner, column, kLanes); });
  if (whole != width)
    body(e, plus(e, begin, whole), width - whole);
}

Value cpu::reduceLanes(Emitter &e, Value vector, Combine combine) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  if (lanes == 1)
    return vector::ExtractOp::create(e, vector, ArrayRef<int64_t>{0});
  auto slice = [&](int64_t from, int64_t size) -> Value {
    return vector::ExtractStridedSliceOp::create(
        e, vector, ArrayRef<int64_t>{from}, ArrayRef<int64_t>{size},
        ArrayRef<int64_t>{1});
  };
  int64_t half = lanes / 2;
  Value folded =
      reduceLanes(e, combine(e, slice(0, half), slice(half, half)), combine);
  if (lanes % 2 == 0)
    return folded;
  return combine(e, folded, reduceLanes(e, slice(lanes - 1, 1), combine));
}

Value cpu::reduceRow(Emitter &e, Value begin, int64_t width, Value init,
                     ChunkSource chunk, Combine combine) {
  constexpr int64_t kAccumulators = 4;
  constexpr int64_t kStep = kAccumulators * kLanes;
  Value start = splat(e, init, kLanes);
  SmallVector<Value> accumulators(std::min(width / kLanes, kAccumulators),
                                  start);
  int64_t done = width / kStep * kStep;
  if (done) {
    auto loop = scf::ForOp::create(
        e, begin, plus(e, begin, done), index(e, kStep), accumulators,
        [&](OpBuilder &builder, Location loc, Value column,
            ValueRange carried) {
          Emitter inner(loc, builder);
          SmallVector<Value> next;
          for (int64_t i = 0; i < kAccumulators; ++i)
            next.push_back(
                combine(inner, carried[i],
                        chunk(inner, plus(inner, column, i * kLanes), kLanes)));
          scf::YieldOp::create(inner, next);
        });
    accumulators.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (int64_t i = 0; done + kLanes <= width; ++i, done += kLanes)
    accumulators[i] =
        combine(e, accumulators[i], chunk(e, plus(e, begin, done), kLanes));

  Value result = init;
  if (!accumulators.empty()) {
    // Neighbours first, so that the fold is a tree here too.
    while (accumulators.size() > 1) {
      SmallVector<Value> folded;
      for (size_t i = 0; i + 1 < accumulators.size(); i += 2)
        folded.push_back(combine(e, accumulators[i], accumulators[i + 1]));
      if (accumulators.size() % 2)
        folded.push_back(accumulators.back());
      accumulators = folded;
    }
    result = reduceLanes(e, accumulators.front(), combine);
  }
  if (done != width) {
    int64_t rest = width - done;
    Value tail = reduceLanes(e, chunk(e, plus(e, begin, done), rest), combine);
    result = combine(e, result, tail);
  }
  return result;
}
