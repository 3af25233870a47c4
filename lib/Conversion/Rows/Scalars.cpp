//===- Scalars.cpp - terse building of scalar arithmetic ------------------===//

#include "Scalars.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::rows;

Value rows::index(Emitter &e, int64_t value) {
  return arith::ConstantIndexOp::create(e, value);
}

Value rows::constant(Emitter &e, double value) {
  return createFloat(e, e.getLoc(), e.getF32Type(), value);
}

Value rows::plus(Emitter &e, Value a, Value b) {
  return arith::AddIOp::create(e, a, b);
}

Value rows::plus(Emitter &e, Value a, int64_t b) {
  return b == 0 ? a : plus(e, a, index(e, b));
}

Value rows::minus(Emitter &e, Value a, Value b) {
  return arith::SubIOp::create(e, a, b);
}

Value rows::times(Emitter &e, Value a, int64_t b) {
  return arith::MulIOp::create(e, a, index(e, b));
}

Value rows::dividedBy(Emitter &e, Value a, int64_t b) {
  return arith::DivUIOp::create(e, a, index(e, b));
}

Value rows::mul(Emitter &e, Value a, Value b) {
  return arith::MulFOp::create(e, a, b);
}

Value rows::add(Emitter &e, Value a, Value b) {
  return arith::AddFOp::create(e, a, b);
}

Value rows::maximum(Emitter &e, Value a, Value b) {
  return maxIgnoringNaN(e, e.getLoc(), a, b);
}

int64_t rows::getSize(Value buffer, int64_t dim) {
  return cast<MemRefType>(buffer.getType()).getDimSize(dim);
}

int64_t rows::getWidth(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getShape().back();
}

Value rows::loadIndex(Emitter &e, Value buffer, ValueRange indices) {
  return arith::IndexCastOp::create(e, e.getIndexType(),
                                    memref::LoadOp::create(e, buffer, indices));
}

Value rows::loadScalar(Emitter &e, Value buffer) {
  return memref::LoadOp::create(e, buffer, ValueRange{index(e, 0)});
}

Value rows::splat(Emitter &e, Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(
      e, VectorType::get({lanes}, scalar.getType()), scalar);
}

Value rows::reduceLanes(Emitter &e, Value vector, Combine combine) {
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
