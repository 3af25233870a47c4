/*===- formats.h - FP8, FP6 and FP4 of any flavour --------------*- C -*-===*/
#ifndef AMDSIM_FORMATS_H
#define AMDSIM_FORMATS_H

#include "values.h"

/* What a format does with its codes that are no numbers. */
typedef enum {
  FORMAT_FNUZ,   /* -0 is NaN; no infinity. */
  FORMAT_FN,     /* The largest code is NaN; no infinity. */
  FORMAT_IEEE,   /* Infinities and NaNs at the largest exponent. */
  FORMAT_FINITE, /* Numbers only. */
} FormatKind;
typedef struct {
  int exponentBits, mantissaBits, bias;
  FormatKind kind;
} Format;

static inline f32 decode(const Format *f, u32 code) {
  int magnitudeBits = f->exponentBits + f->mantissaBits;
  u32 sign = code >> magnitudeBits & 1;
  u32 maxExponent = (1u << f->exponentBits) - 1;
  u32 maxMantissa = (1u << f->mantissaBits) - 1;
  u32 e = code >> f->mantissaBits & maxExponent, m = code & maxMantissa;
  if (f->kind == FORMAT_FNUZ && sign && !e && !m)
    return NAN;
  if (f->kind == FORMAT_FN && e == maxExponent && m == maxMantissa)
    return NAN;
  if (f->kind == FORMAT_IEEE && e == maxExponent)
    return m ? NAN : sign ? -INFINITY : INFINITY;
  int scale = (int)(e ? e : 1) - f->bias - f->mantissaBits;
  f32 r = ldexpf((f32)(e ? m + maxMantissa + 1 : m), scale);
  return sign ? -r : r;
}

/* Rounds to nearest even, or towards zero. What is beyond the largest number
 * becomes infinity, or NaN where there is none; with `saturate`, and where the
 * format has neither, the largest number. */
static inline u32 encode(const Format *f, f64 x, int saturate, int truncated) {
  int magnitudeBits = f->exponentBits + f->mantissaBits;
  u32 sign = (u32)(signbit(x) != 0) << magnitudeBits;
  u32 all = (1u << magnitudeBits) - 1;
  u32 infinity = ((1u << f->exponentBits) - 1) << f->mantissaBits;
  u32 largest = f->kind == FORMAT_FN     ? all - 1
                : f->kind == FORMAT_IEEE ? infinity - 1
                                         : all;
  u32 nan = f->kind == FORMAT_FNUZ ? all + 1
            : f->kind == FORMAT_FN ? sign | all
            : f->kind == FORMAT_IEEE
                ? sign | infinity | 1u << (f->mantissaBits - 1)
                : sign | largest;
  u32 overflow = saturate || f->kind == FORMAT_FINITE ? sign | largest
                 : f->kind == FORMAT_IEEE             ? sign | infinity
                                                      : nan;
  if (x != x)
    return nan;
  if (isinf(x))
    return overflow;
  if (x == 0)
    return f->kind == FORMAT_FNUZ ? 0 : sign;
  int exponent;
  frexp(x, &exponent);
  exponent = MAX(exponent - 1, 1 - f->bias);
  f64 scaled = ldexp(fabs(x), f->mantissaBits - exponent);
  scaled = truncated ? floor(scaled) : rint(scaled);
  u32 code = (u32)scaled + ((u32)(exponent + f->bias - 1) << f->mantissaBits);
  if (code > largest)
    return overflow;
  return f->kind == FORMAT_FNUZ && code == 0 ? 0 : sign | code;
}

#endif
