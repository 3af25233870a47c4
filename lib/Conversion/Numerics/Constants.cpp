//===- Constants.cpp - Scalar and splat constants -------------------------===//

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// Makes `element`, an attribute of the element type, a constant of `type`.
static Value createConstant(OpBuilder &b, Location loc, Type type,
                            TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type))
    element = DenseElementsAttr::get(vector, element);
  return arith::ConstantOp::create(b, loc, element);
}

Type mlafuse::withElementType(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

Value mlafuse::createFloat(OpBuilder &b, Location loc, Type type,
                           double value) {
  return createConstant(b, loc, type,
                        b.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value mlafuse::createInt(OpBuilder &b, Location loc, Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  if (isa<IndexType>(element))
    return createConstant(b, loc, type, b.getIndexAttr(value));
  APInt bits(64, static_cast<uint64_t>(value), /*isSigned=*/true);
  return createConstant(
      b, loc, type,
      b.getIntegerAttr(element,
                       bits.sextOrTrunc(element.getIntOrFloatBitWidth())));
}
