//===- Extend.cpp - Narrow formats to f32 ---------------------------------===//
//
// bf16 is the upper half of f32. The f8 and f4 formats are moved into the bit
// positions of f16, whose conversion every machine has: the exponent fields of
// the formats are no wider than that of f16, so subnormals turn into f16
// subnormals, and one multiplication by a power of two mends the bias. Nothing
// on the way depends on how f32 subnormals are treated.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlafuse;

namespace {

/// How the code of a format becomes an f16: shifted left to bring its sign to
/// bit 15, arithmetically right to bring its exponent to bit 10, and masked to
/// drop the copies of the sign.
struct F16Layout {
  unsigned left;
  unsigned right;
  unsigned mask;
  /// 2^(15 - bias of the format).
  double scale;
  /// The f16 that NaN becomes by that: without its sign, or as a whole if the
  /// format has a NaN of one sign only.
  std::optional<unsigned> nan;
  bool nanHasOneSign;
};

} // namespace

static std::optional<F16Layout> getF16Layout(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return F16Layout{8, 1, 0xBFFF, 0x1p8, 0x3F80, false};
  if (isa<Float8E4M3FNUZType>(type))
    return F16Layout{8, 1, 0xBFFF, 0x1p7, 0x8000, true};
  if (isa<Float8E5M2Type>(type))
    return F16Layout{8, 0, 0xFFFF, 1.0, std::nullopt, false};
  if (isa<Float4E2M1FNType>(type))
    return F16Layout{12, 3, 0x8E00, 0x1p14, std::nullopt, false};
  return std::nullopt;
}

static Value extendF16(OpBuilder &b, Location loc, Value v) {
  return arith::ExtFOp::create(b, loc,
                               withElementType(v.getType(), b.getF32Type()), v);
}

static Value extendThroughF16(OpBuilder &b, Location loc, Value v,
                              const F16Layout &layout) {
  Emit e(b, loc, v);
  Value code = e.zext(e.bitcast(v, b.getI8Type()), 16);
  Value half = e.shrSigned(e.shl(code, layout.left), layout.right);
  half = e.bitAnd(half, layout.mask);
  if (layout.nan) {
    Value key = layout.nanHasOneSign ? half : e.bitAnd(half, 0x7FFF);
    half = e.select(e.isEqual(key, *layout.nan),
                    createInt(b, loc, half.getType(), 0x7E00), half);
  }
  Value f32 = extendF16(b, loc, e.bitcast(half, b.getF16Type()));
  return layout.scale == 1.0 ? f32 : e.mulf(f32, e.f32(layout.scale));
}

static Value extendBF16(OpBuilder &b, Location loc, Value v) {
  Emit e(b, loc, v);
  return e.float32(e.shl(e.zext(e.bitcast(v, b.getI16Type()), 32), 16));
}

static Value extendE8M0(OpBuilder &b, Location loc, Value v) {
  Emit e(b, loc, v);
  Value code = e.zext(e.bitcast(v, b.getI8Type()), 32);
  // Code 0 is 2^-127, whose only bit is the upper one of the mantissa.
  Value bits = e.maxUnsigned(e.shl(code, 23), 0x00400000);
  return e.float32(e.select(e.isEqual(code, 255), e.i32(0x7FC00000), bits));
}

bool mlafuse::isExtendable(Type type) {
  return isa<Float32Type, BFloat16Type, Float16Type, Float8E8M0FNUType>(type) ||
         getF16Layout(type);
}

Value mlafuse::extendToF32(OpBuilder &b, Location loc, Value v, Type type) {
  if (!type)
    type = getElementTypeOrSelf(v);
  if (isa<Float32Type>(type))
    return v;
  if (isa<BFloat16Type>(type))
    return extendBF16(b, loc, v);
  if (isa<Float16Type>(type))
    return extendF16(b, loc, v);
  if (isa<Float8E8M0FNUType>(type))
    return extendE8M0(b, loc, v);
  if (std::optional<F16Layout> layout = getF16Layout(type))
    return extendThroughF16(b, loc, v, *layout);
  llvm_unreachable("extendToF32: element type is not extendable");
}
