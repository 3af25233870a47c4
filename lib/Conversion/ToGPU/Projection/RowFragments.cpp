//===- RowFragments.cpp - rows of x in registers --------------------------===//

#include "RowFragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

Value projection::getWeightRow(Emitter &e, Value k) {
  // k = 32 b + 8 lane + 4 product + 2 half + odd is used as row
  // 32 b + 16 product + 8 half + 2 lane + odd.
  auto move = [&](int64_t mask, int64_t shift) -> Value {
    Value bits = arith::AndIOp::create(e, k, ptx::i32(e, mask));
    if (shift > 0)
      return arith::ShLIOp::create(e, bits, ptx::i32(e, shift));
    return arith::ShRUIOp::create(e, bits, ptx::i32(e, -shift));
  };
  Value kept = arith::AndIOp::create(e, k, ptx::i32(e, ~int64_t(30)));
  Value lane = move(24, -2), product = move(4, 2), half = move(2, 2);
  return arith::OrIOp::create(e, arith::OrIOp::create(e, kept, lane),
                              arith::OrIOp::create(e, product, half));
}

RowFragments::RowFragments(Emitter &e, const Projection &projection, Value lane,
                           Value head, Value firstRow, Value rows)
    : projection(projection) {
  column = ptx::timesI(e, ptx::moduloI(e, lane, 4), kChunk);
  Value last = ptx::plusI(e, rows, -1);
  Value row = ptx::plusI(e, firstRow, ptx::dividedByI(e, lane, 4));
  Value buffer = projection.x;
  for (auto [i, view] : llvm::enumerate(views)) {
    Value read = arith::MinUIOp::create(e, ptx::plusI(e, row, 8 * i), last);
    view = projection.alignment.getVector(buffer);
    view.leading = getPosition(e, buffer, read);
    view.leading.push_back(head);
  }
}

ptx::Registers RowFragments::load(Emitter &e, int64_t slice) const {
  auto type = VectorType::get({4}, e.getI32Type());
  int64_t begin = slice * projection.schedule.tileDepth;
  ptx::Registers registers;
  for (int64_t k = begin, end = begin + projection.getSliceDepth(slice);
       k < end; k += kInterleave) {
    // The padding of K is zero on both sides: NaN times zero would not be.
    int64_t depth = projection.depth;
    Value first = ptx::plusI(e, column, k), isInside;
    if (k + kInterleave > depth) {
      isInside = ptx::isLessI(e, first, ptx::i32(e, depth));
      first = arith::MinUIOp::create(e, first, ptx::i32(e, depth - kChunk));
    }
    first = ptx::toIndex(e, first);
    Value chunks[2];
    for (auto [chunk, view] : llvm::zip_equal(chunks, views)) {
      chunk = vector::BitCastOp::create(e, type, view.load(e, first, kChunk));
      if (isInside) {
        Value zero =
            arith::ConstantOp::create(e, cast<TypedAttr>(e.getZeroAttr(type)));
        chunk = arith::SelectOp::create(e, isInside, chunk, zero);
      }
    }
    for (int64_t product = 0; product < kInterleave / kProductDepth; ++product)
      for (int64_t half = 0; half < 2; ++half)
        for (Value chunk : chunks)
          registers.push_back(
              vector::ExtractOp::create(e, chunk, 2 * product + half));
  }
  return registers;
}
