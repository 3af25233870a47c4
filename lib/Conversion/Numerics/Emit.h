//===- Emit.h - Terse building of arithmetic --------------------*- C++ -*-===//
//
// Shared by the files of this library only: an OpBuilder that knows the shape
// it works in, so that formulas read as formulas.
//
//===----------------------------------------------------------------------===//

#ifndef MLAFUSE_LIB_CONVERSION_NUMERICS_EMIT_H
#define MLAFUSE_LIB_CONVERSION_NUMERICS_EMIT_H

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlafuse {

/// Emits elementwise operations in the shape of one value. Integer literals
/// become constants of the type of the other operand.
class Emit {
public:
  Emit(mlir::OpBuilder &b, mlir::Location loc, mlir::Value like)
      : b(b), loc(loc), shape(like.getType()) {}

  using Value = mlir::Value;

  Value f32(double value) {
    return createFloat(b, loc, withElementType(shape, b.getF32Type()), value);
  }
  Value i32(int64_t value) {
    return createInt(b, loc, withElementType(shape, b.getI32Type()), value);
  }

  Value bitcast(Value v, mlir::Type element) {
    mlir::Type type = withElementType(shape, element);
    if (v.getType() == type)
      return v;
    return mlir::arith::BitcastOp::create(b, loc, type, v);
  }
  /// The bits of an f32 as i32, and back.
  Value bits(Value f) { return bitcast(f, b.getI32Type()); }
  Value float32(Value i) { return bitcast(i, b.getF32Type()); }

  Value zext(Value v, unsigned width) {
    return mlir::arith::ExtUIOp::create(b, loc, integer(width), v);
  }
  Value trunc(Value v, unsigned width) {
    return mlir::arith::TruncIOp::create(b, loc, integer(width), v);
  }

  Value add(Value v, int64_t c) { return add(v, like(v, c)); }
  Value add(Value x, Value y) {
    return mlir::arith::AddIOp::create(b, loc, x, y);
  }
  Value sub(Value x, Value y) {
    return mlir::arith::SubIOp::create(b, loc, x, y);
  }
  Value bitAnd(Value v, int64_t c) {
    return mlir::arith::AndIOp::create(b, loc, v, like(v, c));
  }
  Value bitOr(Value x, Value y) {
    return mlir::arith::OrIOp::create(b, loc, x, y);
  }
  Value shl(Value v, int64_t c) {
    return c ? mlir::arith::ShLIOp::create(b, loc, v, like(v, c)).getResult()
             : v;
  }
  Value shrUnsigned(Value v, int64_t c) {
    return mlir::arith::ShRUIOp::create(b, loc, v, like(v, c));
  }
  Value shrSigned(Value v, int64_t c) {
    return c ? mlir::arith::ShRSIOp::create(b, loc, v, like(v, c)).getResult()
             : v;
  }
  Value minUnsigned(Value v, int64_t c) {
    return mlir::arith::MinUIOp::create(b, loc, v, like(v, c));
  }
  Value maxUnsigned(Value v, int64_t c) {
    return mlir::arith::MaxUIOp::create(b, loc, v, like(v, c));
  }
  Value maxSigned(Value v, int64_t c) {
    return mlir::arith::MaxSIOp::create(b, loc, v, like(v, c));
  }
  Value isEqual(Value v, int64_t c) {
    return mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::eq,
                                       v, like(v, c));
  }

  /// Signed comparison with a constant.
  Value isGreater(Value v, int64_t c) {
    return mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::sgt,
                                       v, like(v, c));
  }

  Value addf(Value x, Value y) {
    return mlir::arith::AddFOp::create(b, loc, x, y);
  }
  Value subf(Value x, Value y) {
    return mlir::arith::SubFOp::create(b, loc, x, y);
  }
  Value mulf(Value x, Value y) {
    return mlir::arith::MulFOp::create(b, loc, x, y);
  }
  Value divf(Value x, Value y) {
    return mlir::arith::DivFOp::create(b, loc, x, y);
  }
  /// x * y + z in one rounding.
  Value fma(Value x, Value y, Value z) {
    return mlir::math::FmaOp::create(b, loc, x, y, z);
  }
  Value compare(mlir::arith::CmpFPredicate predicate, Value x, Value y) {
    return mlir::arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  Value isNaN(Value x) {
    return compare(mlir::arith::CmpFPredicate::UNO, x, x);
  }
  Value select(Value condition, Value yes, Value no) {
    return mlir::arith::SelectOp::create(b, loc, condition, yes, no);
  }

private:
  mlir::Type integer(unsigned width) {
    return withElementType(shape, b.getIntegerType(width));
  }
  Value like(Value v, int64_t c) { return createInt(b, loc, v.getType(), c); }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type shape;
};

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_NUMERICS_EMIT_H
