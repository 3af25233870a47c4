//===- NarrowFloatsSoftware.cpp - Narrow floats without instructions ------===//

#include "MLAFuse/Conversion/Numerics.h"
#include "NarrowFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlafuse;

namespace {

/// f4E2M1FN eight values at a time, by few instructions and most of them on
/// floats: on NVIDIA's chips before sm_100 this is what bounds a kernel.
///
/// The code of x >= 0 is g(x), rounded to an integer, ties to even, where g is
/// the polygon through the numbers of the format: 2x up to 2, x + 2 up to 4,
/// x/2 + 4 up to 6, and 7. It is concave, so g is the least of the four; and
/// rounding is monotonic, so each may be rounded first, by an addition of
/// 1.5 * 2^23 in one rounding with the rest of its expression.
class F4Encoder {
public:
  explicit F4Encoder(ImplicitLocOpBuilder &b) : b(b) {}

  /// The codes of up to eight values as nibbles of an i32, the first lowest.
  Value encodeWord(ArrayRef<Value> x) {
    Value codes, signs;
    uint32_t bias = 0;
    for (Value value : llvm::reverse(x)) {
      // NaN becomes +6 here.
      Value atMost = arith::MinNumFOp::create(b, value, f32(6.0));
      Value code = bits(round(math::AbsFOp::create(b, atMost)));
      Value top = arith::ShRUIOp::create(b, bits(atMost), i32(28));
      codes = codes ? arith::AddIOp::create(b, shiftLeft4(codes), code) : code;
      signs = signs ? arith::OrIOp::create(b, shiftLeft4(signs), top) : top;
      bias = (bias << 4) + kRounderBits;
    }
    codes = arith::SubIOp::create(b, codes, i32(bias));
    signs = arith::AndIOp::create(b, signs, i32(0x88888888));
    return arith::OrIOp::create(b, codes, signs);
  }

private:
  static constexpr double kRounder = 0x1.8p23;
  static constexpr uint32_t kRounderBits = 0x4B400000;

  /// kRounder plus the code of `x`, which is not negative.
  Value round(Value x) {
    Value below2 = math::FmaOp::create(b, x, f32(2.0), f32(kRounder));
    Value below4 = arith::AddFOp::create(b, x, f32(kRounder + 2));
    Value below6 = math::FmaOp::create(b, x, f32(0.5), f32(kRounder + 4));
    Value least = arith::MinNumFOp::create(b, below2, below4);
    least = arith::MinNumFOp::create(b, least, below6);
    return arith::MinNumFOp::create(b, least, f32(kRounder + 7));
  }

  Value f32(double value) {
    return createFloat(b, b.getLoc(), b.getF32Type(), value);
  }
  Value i32(uint32_t value) {
    return createInt(b, b.getLoc(), b.getI32Type(), value);
  }
  Value bits(Value v) { return arith::BitcastOp::create(b, b.getI32Type(), v); }
  Value shiftLeft4(Value v) { return arith::ShLIOp::create(b, v, i32(4)); }

  ImplicitLocOpBuilder &b;
};

} // namespace

Value software::encode(ImplicitLocOpBuilder &b, Value x, Type element) {
  if (isa<Float4E2M1FNType>(element)) {
    SmallVector<Value> values = getElements(b, x), words;
    for (ArrayRef<Value> left = values; !left.empty();) {
      words.push_back(F4Encoder(b).encodeWord(left.take_front(8)));
      left = left.drop_front(std::min<size_t>(8, left.size()));
    }
    Value bytes = viewAs(b, fromElements(b, words), b.getI8Type());
    return slice(b, bytes, 0, values.size() / 2);
  }
  Value codes = roundFromF32(b, b.getLoc(), x, element);
  return arith::BitcastOp::create(
      b, withElementType(x.getType(), b.getI8Type()), codes);
}

Value software::decode(ImplicitLocOpBuilder &b, Value bytes, Type element) {
  if (isa<Float4E2M1FNType>(element))
    bytes = unpackNibbles(b, b.getLoc(), bytes);
  return extendToF32(b, b.getLoc(), bytes, element);
}
