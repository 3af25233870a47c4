//===- Numerics.h - Exact narrow-float arithmetic as IR ---------*- C++ -*-===//
//
// Builders of the arithmetic that the lowerings share: conversions between f32
// and the narrow formats, quantization scales, exponential and logarithm. Each
// emits `arith`, `vector` and `math` operations that every target of LLVM with
// IEEE f32 and fused multiply-add lowers without a call (on x86 the floor is
// x86-64-v3: F16C and FMA).
//
// Conventions, unless a declaration says otherwise:
// - A value is a scalar or a fixed vector of any shape, and the result has the
//   shape of the operand. Operands of one call have one shape.
// - Results are exact to the bit and hold without fast-math flags, flush to
//   zero or denormals-are-zero. f32 subnormals are ordinary numbers.
// - A type that a function does not list is a programming error (asserted).
//
//===----------------------------------------------------------------------===//

#ifndef MLAFUSE_CONVERSION_NUMERICS_H
#define MLAFUSE_CONVERSION_NUMERICS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace mlafuse {

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

/// Returns `element` in the shape of `like`: a vector type if `like` is one,
/// else `element` itself.
mlir::Type withElementType(mlir::Type like, mlir::Type element);

/// A float constant of type `type` (a float type, or a vector of one: splat).
/// `value` is rounded to the element type, to nearest even.
mlir::Value createFloat(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                        double value);

/// An integer or index constant of type `type` (or a vector of one: splat).
/// `value` is taken modulo 2^width.
mlir::Value createInt(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                      int64_t value);

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// True for the element types that extendToF32 takes: f32, bf16, f16,
/// f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E8M0FNU, f4E2M1FN.
bool isExtendable(mlir::Type elementType);

/// True for the element types that roundFromF32 takes: those of isExtendable
/// without f8E8M0FNU, whose values come from mxExponent or exponentByte.
bool isRoundable(mlir::Type elementType);

/// Returns `v` as f32, exactly. NaN stays NaN; the payload is unspecified.
/// f8E8M0FNU x gives 2^(x - 127), the subnormal 2^-127 for 0, NaN for 255.
///
/// `elementType` is needed where `v` holds codes in i8: always for f4E2M1FN
/// (codes 0 to 15; the upper four bits are ignored), and for f8 types whose
/// bytes come from an i8 buffer. Left out, it is the element type of `v`.
mlir::Value extendToF32(mlir::OpBuilder &b, mlir::Location loc, mlir::Value v,
                        mlir::Type elementType = {});

/// Rounds the f32 `x` to `elementType`, to nearest, ties to even. The result
/// has that element type, but for f4E2M1FN it is i8 with codes 0 to 15.
///
/// | type       | too large | NaN              | zero                        |
/// |------------|-----------|------------------|-----------------------------|
/// | bf16       | Inf       | 0x7FC0           | signed                      |
/// | f16        | Inf       | a NaN            | signed                      |
/// | f8E4M3FN   | +-448     | 0x7F             | signed                      |
/// | f8E4M3FNUZ | +-240     | 0x80             | always 0x00                 |
/// | f8E5M2     | +-57344   | 0x7F             | signed                      |
/// | f4E2M1FN   | +-6       | 0x7 (that is +6) | signed                      |
///
/// An infinity counts as too large. Zero is also what underflow gives. f32 is
/// returned as it is.
///
/// `limit` (f8 and f4 only; positive, at most the largest number of the type)
/// also clamps: the result is that of roundFromF32(clampKeepNaN(x, limit)), at
/// no cost. It is what the 224 of f8E4M3FNUZ wants.
mlir::Value roundFromF32(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                         mlir::Type elementType,
                         std::optional<double> limit = std::nullopt);

/// extendToF32(roundFromF32(x, elementType)): the value that a store to
/// `elementType` and a load would give, as f32. For bf16 it takes no narrowing.
mlir::Value roundThrough(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                         mlir::Type elementType);

/// Packs i8 codes 0 to 15, vector<2n x i8>, two to a byte, the even-numbered
/// code in the low nibble: vector<n x i8>. `codes` has rank 1 and an even size.
/// The target must be little-endian, also for unpackNibbles.
mlir::Value packNibbles(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value codes);

/// The inverse of packNibbles: vector<n x i8> to vector<2n x i8>, codes 0..15.
mlir::Value unpackNibbles(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value bytes);

//===----------------------------------------------------------------------===//
// Magnitudes
//===----------------------------------------------------------------------===//

/// |x| of an f32; clears the sign of NaN too.
mlir::Value absF32(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// The larger of two f32, where a NaN in `x` is ignored: x > accumulator ? x :
/// accumulator. `accumulator` must not be NaN. Of zeros of two signs it returns
/// the accumulator. One instruction on x86.
mlir::Value maxIgnoringNaN(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value accumulator, mlir::Value x);

/// Limits the f32 `x` to [-limit, limit]; NaN stays. `limit` is positive, not
/// NaN, and an f32 of the shape of `x`. Two instructions on x86 if `limit` is a
/// constant.
mlir::Value clampKeepNaN(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                         mlir::Value limit);

//===----------------------------------------------------------------------===//
// Power-of-two scales
//===----------------------------------------------------------------------===//

/// Rounds the f32 `scale` up to a power of two, on its bits: the exponent field
/// plus one if any mantissa bit is set, the mantissa cleared. Inf stays Inf, a
/// number above 2^127 gives Inf, a subnormal 2^-126, +0 stays +0. `scale` is
/// neither negative nor NaN.
mlir::Value ue8m0RoundUp(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value scale);

/// The biased exponent of an f32, bits 23 to 30, as i32 in 0 to 255.
mlir::Value exponentByte(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// The biased exponent X + 127, as i32 in 0 to 254, of the OCP MX scale 2^X of
/// a block whose largest magnitude is the f32 `absMax`:
///   X = clamp(floor(log2(absMax)) - emax, -127, 127),
/// X = -127 for absMax = 0, and Inf counts as 2^128. `absMax` is neither
/// negative nor NaN. `emax` is the exponent of the largest number of the
/// element type, at least 1: 8 for f8E4M3FN, 15 for f8E5M2, 2 for f4E2M1FN.
mlir::Value mxExponent(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value absMax, int emax);

/// 2^-X as f32 of the i32 `biasedExponent` X + 127 in 0 to 254; exact, also the
/// subnormal 2^-127.
mlir::Value reciprocalOfPowerOfTwo(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value biasedExponent);

/// x / 2^X, correctly rounded (it rounds only if the quotient is subnormal), of
/// the f32 `x` and the i32 `biasedExponent` X + 127 in 0 to 254.
mlir::Value scaleByPowerOfTwo(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value x, mlir::Value biasedExponent);

//===----------------------------------------------------------------------===//
// Elementary functions
//===----------------------------------------------------------------------===//

/// f(1 / f(sqrt(x))) of an f32: two correctly rounded operations, not the
/// reciprocal square root of the machine.
mlir::Value emitInvSqrt(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// exp(x) of an f32, within 1 ulp (0.966 over all f32). Results below 2^-126 (x
/// < -87.3365) are flushed to +0; results above the largest f32 are Inf.
/// exp(-Inf) = 0, exp(+-0) = 1, NaN gives NaN.
mlir::Value emitExp(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// Natural logarithm of an f32, within 1 ulp (0.835 over all f32). log(+-0) =
/// -Inf, log(Inf) = Inf, log(1) = +0; negative numbers and NaN give NaN.
mlir::Value emitLog(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_NUMERICS_H
