//===- Round.cpp - f32 to narrow formats ----------------------------------===//
//
// The f8 and f4 conversions let the machine round: for 2^e <= |x| < 2^(e+1)
// and a format with m mantissa bits, adding C = 2^(e + 23 - m) to |x| puts the
// last place of the sum at 2^(e - m), the spacing of the format there, and the
// addition rounds to nearest even. Keeping e at or above the smallest normal
// exponent of the format does the same for its subnormals. The mantissa of the
// sum then is |x| in units of the spacing (2^m to 2^(m+1), or less for a
// subnormal), and the code is that plus 2^m times the exponent above the
// smallest one. A carry of the rounding is a carry into the exponent. This is
// the well-known addition of 1.5 * 2^23 that rounds to an integer, with a
// constant for each binade.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlafuse;

namespace {

struct NarrowFormat {
  unsigned mantissaBits;
  int bias;
  double largest;
  /// The code of NaN, of either sign.
  unsigned nan;
  /// Bit of the sign in the code.
  unsigned signBit;
  bool hasNegativeZero;
};

} // namespace

static std::optional<NarrowFormat> getNarrowFormat(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return NarrowFormat{3, 7, 448.0, 0x7F, 7, true};
  if (isa<Float8E4M3FNUZType>(type))
    return NarrowFormat{3, 8, 240.0, 0x80, 7, false};
  if (isa<Float8E5M2Type>(type))
    return NarrowFormat{2, 15, 57344.0, 0x7F, 7, true};
  if (isa<Float4E2M1FNType>(type))
    return NarrowFormat{1, 1, 6.0, 0x7, 3, true};
  return std::nullopt;
}

/// Returns the codes as i8.
static Value roundNarrow(OpBuilder &b, Location loc, Value x,
                         const NarrowFormat &format, double limit) {
  assert(limit > 0 && limit <= format.largest && "limit out of range");
  Emit e(b, loc, x);
  const int64_t exponentShift = 23 - format.mantissaBits;
  // The f32 exponent field of the smallest normal number of the format.
  const int64_t smallest = 128 - format.bias;
  // Only the low byte of the code is kept, so what rebases the exponent may
  // sit in the low byte of C. It is even, hence does not disturb ties.
  const int64_t rebase = -(smallest << format.mantissaBits) & 0xFF;

  Value bits = e.bits(x);
  Value magnitude =
      e.minUnsigned(e.bitAnd(bits, 0x7FFFFFFF),
                    llvm::bit_cast<uint32_t>(static_cast<float>(limit)));
  Value exponent =
      e.maxUnsigned(e.bitAnd(magnitude, 0x7F800000), smallest << 23);
  Value binade = e.float32(e.add(exponent, (exponentShift << 23) + rebase));
  Value sum = e.bits(e.addf(e.float32(magnitude), binade));
  Value code = e.add(sum, e.shrUnsigned(exponent, exponentShift));

  Value sign = e.bitAnd(e.shrUnsigned(bits, 31 - format.signBit),
                        int64_t(1) << format.signBit);
  if (!format.hasNegativeZero) {
    // What rounds to zero: up to half the smallest subnormal, a tie included.
    const int64_t half = smallest - format.mantissaBits - 1;
    sign = e.select(e.isGreater(magnitude, half << 23), sign, e.i32(0));
  }
  code = e.select(e.isNaN(x), e.i32(format.nan), e.bitOr(code, sign));
  return e.trunc(code, 8);
}

/// Rounds to bf16 in the upper half of the i32 result; the lower half is noise.
static Value roundBF16InPlace(Emit &e, Value x) {
  // NaN first: the addition below would carry large payloads over to zero. Last
  // would do as well, but LLVM moves a select there behind the conversion to
  // bf16, and x86 has no select of bf16: it goes element by element.
  Value bits = e.select(e.isNaN(x), e.i32(0x7FC00000), e.bits(x));
  // Half a unit less one, plus the last bit kept: ties go to even. Overflow
  // carries into the exponent and gives Inf.
  Value odd = e.bitAnd(e.shrUnsigned(bits, 16), 1);
  return e.add(e.add(bits, 0x7FFF), odd);
}

bool mlafuse::isRoundable(Type type) {
  return isa<Float32Type, BFloat16Type, Float16Type>(type) ||
         getNarrowFormat(type);
}

Value mlafuse::roundFromF32(OpBuilder &b, Location loc, Value x, Type type,
                            std::optional<double> limit) {
  Emit e(b, loc, x);
  if (std::optional<NarrowFormat> format = getNarrowFormat(type)) {
    Value code =
        roundNarrow(b, loc, x, *format, limit.value_or(format->largest));
    return isa<Float4E2M1FNType>(type) ? code : e.bitcast(code, type);
  }
  assert(!limit && "only f8 and f4 take a limit");
  if (isa<Float32Type>(type))
    return x;
  if (isa<Float16Type>(type))
    return arith::TruncFOp::create(b, loc, withElementType(x.getType(), type),
                                   x);
  if (isa<BFloat16Type>(type))
    return e.bitcast(e.trunc(e.shrUnsigned(roundBF16InPlace(e, x), 16), 16),
                     type);
  llvm_unreachable("roundFromF32: element type is not roundable");
}

Value mlafuse::roundThrough(OpBuilder &b, Location loc, Value x, Type type) {
  if (isa<BFloat16Type>(type)) {
    Emit e(b, loc, x);
    return e.float32(e.bitAnd(roundBF16InPlace(e, x), 0xFFFF0000));
  }
  return extendToF32(b, loc, roundFromF32(b, loc, x, type), type);
}
