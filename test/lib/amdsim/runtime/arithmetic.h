/*===- arithmetic.h - operations of the vector and scalar units -*- C -*-===*/
#ifndef AMDSIM_ARITHMETIC_H
#define AMDSIM_ARITHMETIC_H

#include "extremes.h"
#include "wave.h"

#define TWO_PI 6.283185307179586

static inline i32 clamp_i32(i32 x, i32 low, i32 high) {
  return x < low ? low : x > high ? high : x;
}
static inline u64 bit_field(u64 x, u32 offset, u32 width) {
  return width == 0 ? 0 : x >> offset & lanes_below((int)width);
}
static inline i64 signed_bit_field(i64 x, u32 offset, u32 width, u32 size) {
  if (width == 0)
    return 0;
  if (width > size)
    width = size;
  return (i64)((u64)(x >> offset) << (64 - width)) >> (64 - width);
}
/* How many leading bits equal the sign; -1 if all do. */
static inline u32 sign_bits(i32 x) {
  return x == 0 || x == -1 ? ~0u : (u32)__builtin_clz((u32)(x < 0 ? ~x : x));
}
/* Each byte of `selector` picks one of the eight bytes (0 to 7), a sign (8 to
 * 11), 0 (12) or 255. */
static inline u32 permute_bytes(u32 high, u32 low, u32 selector) {
  u64 bytes = (u64)high << 32 | low;
  u32 result = 0;
  for (int i = 0; i < 4; i++) {
    u32 k = selector >> 8 * i & 255, x;
    if (k < 8)
      x = bytes >> 8 * k & 255;
    else if (k < 12)
      x = bytes >> (16 * (k - 8) + 15) & 1 ? 255 : 0;
    else
      x = k == 12 ? 0 : 255;
    result |= x << 8 * i;
  }
  return result;
}

static inline f64 maxnum64(f64 a, f64 b) {
  return a != a ? b : b != b ? a : a > b ? a : b;
}
static inline f64 minnum64(f64 a, f64 b) {
  return a != a ? b : b != b ? a : a < b ? a : b;
}
static inline f32 median(f32 a, f32 b, f32 c) {
  if (a != a || b != b || c != c)
    return minnum(minnum(a, b), c);
  return maxnum(minnum(a, b), minnum(maxnum(a, b), c));
}
static inline f32 clamp01(f32 x) { return x != x || x < 0 ? 0 : x > 1 ? 1 : x; }
static inline f32 fma32(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
static inline f16 fma16(f16 a, f16 b, f16 c) {
  return (f16)((f64)a * (f64)b + (f64)c);
}
static inline f32 fraction(f32 x) {
  f32 r = x - floorf(x);
  return r >= 1.0f ? 0x1.fffffep-1f : r;
}
static inline i32 exponent_of(f64 x) {
  int exponent = 0;
  if (x == 0 || x != x || isinf(x))
    return 0;
  frexp(x, &exponent);
  return exponent;
}
static inline f64 mantissa_of(f64 x) {
  int exponent;
  return x == 0 || x != x || isinf(x) ? x : frexp(x, &exponent);
}
/* Conversions to integers saturate; NaN gives 0. */
static inline i32 to_i32(f64 x) {
  if (x != x)
    return 0;
  if (x >= 2147483647.0)
    return 2147483647;
  return x <= -2147483648.0 ? (i32)0x80000000 : (i32)x;
}
static inline u32 to_u32(f64 x) {
  return x != x || x <= 0 ? 0 : x >= 4294967295.0 ? 0xffffffffu : (u32)x;
}
static inline u32 saturate_u8(f32 x) {
  return x != x || x < 0 ? 0 : x > 255 ? 255 : (u32)x;
}
/* Bits of an f16, rounded towards zero. */
static inline u32 truncate_f16(f32 x) {
  f16 h = (f16)x;
  if (x != x || isinf(x))
    return UH(h);
  if (isinf((f32)h))
    return (signbit(x) ? 0x8000u : 0) | 0x7bff;
  return fabsf((f32)h) > fabsf(x) ? UH(h) - 1 : UH(h);
}

/* v_cmp_class: bit k of `mask` asks for class k. */
static inline u32 classify(f64 x, int isDenormal, int isSignaling, u32 mask) {
  int negative = signbit(x), k;
  if (x != x)
    k = isSignaling ? 0 : 1;
  else if (isinf(x))
    k = negative ? 2 : 9;
  else if (x == 0)
    k = negative ? 5 : 6;
  else if (isDenormal)
    k = negative ? 4 : 7;
  else
    k = negative ? 3 : 8;
  return mask >> k & 1;
}
static inline u32 class16(u32 b, u32 mask) {
  return classify(H(b), (b & 0x7c00) == 0, !(b >> 9 & 1), mask);
}
static inline u32 class32(u32 b, u32 mask) {
  /* A denormal must not be flushed on the way. */
  if ((b & 0x7f800000) == 0 && (b & 0x7fffff) != 0)
    return mask >> (b >> 31 ? 4 : 7) & 1;
  return classify(F(b), 0, !(b >> 22 & 1), mask);
}
static inline u32 class64(u64 b, u32 mask) {
  return classify(D(b), (b >> 52 & 0x7ff) == 0, !(b >> 51 & 1), mask);
}

#endif
