/*===- arithmetic.h - operations of one thread ------------------*- C -*-===*/
#ifndef PTXSIM_ARITHMETIC_H
#define PTXSIM_ARITHMETIC_H

#include "extremes.h"
#include "formats.h"

static const Format fp8 = {4, 3, 7, FORMAT_FN};
static const Format bf8 = {5, 2, 15, FORMAT_IEEE};
static const Format fp4 = {2, 1, 1, FORMAT_FINITE};

/* Saturating conversions; NaN is the largest number where there is no NaN. */
static inline u32 to_fp8(f64 x) { return encode(&fp8, x, 1, 0); }
static inline u32 to_bf8(f64 x) { return encode(&bf8, x, 1, 0); }
static inline u32 to_fp4(f64 x) { return x != x ? 7 : encode(&fp4, x, 1, 0); }

static inline f64 saturate(f64 x) {
  return x != x || x < 0 ? 0 : x > 1 ? 1 : x;
}

/* The magnitude is the larger, the sign the product's. */
static inline f32 maxnum_xorsign(f32 a, f32 b) {
  f32 sign = (signbit(a) != 0) != (signbit(b) != 0) ? -1 : 1;
  return copysignf(maxnum(fabsf(a), fabsf(b)), sign);
}
static inline f32 minnum_xorsign(f32 a, f32 b) {
  f32 sign = (signbit(a) != 0) != (signbit(b) != 0) ? -1 : 1;
  return copysignf(minnum(fabsf(a), fabsf(b)), sign);
}

/* To the nearest bf16, ties to even: towards zero to f32 first, whose last bit
 * then says that something was cut off. */
static inline u32 roundBF16(f64 x) {
  if (x != x)
    return 0x7fff;
  f32 y = (f32)x;
  if ((f64)y != x && !isinf(x)) {
    if (fabs((f64)y) > fabs(x))
      y = nextafterf(y, 0);
    y = F(U(y) | 1);
  }
  u32 b = U(y);
  return (b + 0x7fff + (b >> 16 & 1)) >> 16;
}

/* Towards zero; a NaN stays one. */
static inline f32 truncateBF16(f32 x) { return x != x ? x : B(U(x) >> 16); }

/* Powers of two, 127 is 1. */
static inline f32 from_ue8m0(u32 code) {
  return code == 255 ? NAN : (f32)ldexp(1.0, (int)code - 127);
}
static inline u32 to_ue8m0(f32 x, int up) {
  if (x != x)
    return 255;
  int exponent;
  f64 fraction = frexp(fabs((f64)x), &exponent);
  if (x == 0)
    return 0;
  if (isinf(x))
    return 254;
  int code = exponent - 1 + 127 + (up && fraction != 0.5);
  return (u32)(code < 0 ? 0 : code > 254 ? 254 : code);
}

/* Of floats that are whole already, and of integers; beyond the range its ends,
 * NaN is 0. */
#define DEFINE_TO(type, c, low, high)                                          \
  static inline c to_##type(f64 x) {                                           \
    return x != x ? 0 : x <= (f64)low ? low : x >= (f64)high ? high : (c)x;    \
  }                                                                            \
  static inline c clamp_##type(__int128 x) {                                   \
    return x < low ? low : x > high ? high : (c)x;                             \
  }
DEFINE_TO(s8, i8, INT8_MIN, INT8_MAX)
DEFINE_TO(u8, u8, 0, UINT8_MAX)
DEFINE_TO(s16, i16, INT16_MIN, INT16_MAX)
DEFINE_TO(u16, u16, 0, UINT16_MAX)
DEFINE_TO(s32, i32, INT32_MIN, INT32_MAX)
DEFINE_TO(u32, u32, 0, UINT32_MAX)
DEFINE_TO(s64, i64, INT64_MIN, INT64_MAX)
DEFINE_TO(u64, u64, 0, UINT64_MAX)

/* prmt: each digit of the selector picks one of eight bytes, or its sign. */
static inline u32 permute(u32 a, u32 b, u32 selector) {
  u64 bytes = (u64)b << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; i++) {
    u32 digit = selector >> 4 * i & 15;
    u32 byte = bytes >> 8 * (digit & 7) & 255;
    if (digit & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
static inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 k = 0; k < 8; k++)
    if (table >> k & 1)
      result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return result;
}

#define DEFINE_BITS(bits)                                                      \
  static inline u##bits bfe_u##bits(u##bits a, u##bits position,               \
                                    u##bits length) {                          \
    u32 p = position & 255, n = length & 255;                                  \
    u##bits shifted = p >= bits ? 0 : a >> p;                                  \
    return n >= bits ? shifted : shifted & (((u##bits)1 << n) - 1);            \
  }                                                                            \
  static inline i##bits bfe_s##bits(i##bits a, i##bits position,               \
                                    i##bits length) {                          \
    u32 p = position & 255, n = length & 255, end = MIN(p + n, (u32)bits);     \
    if (n == 0)                                                                \
      return 0;                                                                \
    i##bits sign = a >> (end - 1) & 1 ? -1 : 0;                                \
    i##bits shifted = p >= bits ? sign : a >> p;                               \
    if (n >= bits)                                                             \
      return shifted;                                                          \
    u##bits mask = ((u##bits)1 << n) - 1;                                      \
    return (i##bits)(((u##bits)shifted & mask) | ((u##bits)sign & ~mask));     \
  }                                                                            \
  static inline u##bits bfi_b##bits(u##bits a, u##bits b, u##bits position,    \
                                    u##bits length) {                          \
    u32 p = position & 255, n = length & 255;                                  \
    if (p >= bits || n == 0)                                                   \
      return b;                                                                \
    u##bits mask = n >= bits ? ~(u##bits)0 : ((u##bits)1 << n) - 1;            \
    return (b & ~(mask << p)) | (a & mask) << p;                               \
  }                                                                            \
  static inline u##bits brev_b##bits(u##bits a) {                              \
    return __builtin_bitreverse##bits(a);                                      \
  }
DEFINE_BITS(32)
DEFINE_BITS(64)
static inline u32 popc_32(u32 a) { return (u32)__builtin_popcount(a); }
static inline u32 popc_64(u64 a) { return (u32)__builtin_popcountll(a); }
static inline u32 clz_32(u32 a) { return a ? (u32)__builtin_clz(a) : 32; }
static inline u32 clz_64(u64 a) { return a ? (u32)__builtin_clzll(a) : 64; }
static inline u32 bfind_u32(u32 a) { return 31 - clz_32(a); }
static inline u32 bfind_s32(i32 a) { return bfind_u32((u32)(a < 0 ? ~a : a)); }
static inline u32 bfind_u64(u64 a) { return 63 - clz_64(a); }
static inline u32 bfind_s64(i64 a) { return bfind_u64((u64)(a < 0 ? ~a : a)); }

#endif
