/*===- division.h - the steps of an exact division --------------*- C -*-===*/
/* v_div_scale, v_div_fmas and v_div_fixup: scaling keeps the steps in between
 * away from denormals and infinity, vcc says that the quotient is to be scaled
 * back. Where the ISA documents leave it open (or would give a wrong quotient),
 * what makes the compiler's sequence exact: AMD states that it is. */
#ifndef AMDSIM_DIVISION_H
#define AMDSIM_DIVISION_H

#include "arithmetic.h"

static inline i32 exponent_field32(f32 x) { return (i32)(U(x) >> 23 & 0xff); }
static inline i32 exponent_field64(f64 x) { return (i32)(UD(x) >> 52 & 0x7ff); }

/* Exponents to add. */
typedef struct {
  int denominator, numerator, vcc;
} Scaling;

/* `e1`, `e2`: the exponent fields; the numbers' and quotients' smallest normal
 * is `smallest`; `step` is what one scaling adds to an exponent, `far` a
 * difference of exponents from which on the quotient may overflow, `tiny` an
 * exponent below which a numerator's remainder is denormal. */
static inline Scaling chooseScaling(long double denominator, i32 e1,
                                    long double numerator, i32 e2,
                                    long double smallest, int step, int far,
                                    int tiny) {
  int tinyInverse = fabsl(1 / denominator) < smallest;
  int tinyQuotient = fabsl(numerator / denominator) < smallest;
  if (e2 - e1 >= far)
    return (Scaling){step, 0, 1};
  if (e1 == 0)
    return (Scaling){step, step, 0};
  if (tinyInverse)
    return tinyQuotient ? (Scaling){-step, 0, 1} : (Scaling){-step, -step, 0};
  if (tinyQuotient)
    return (Scaling){0, step, 1};
  return e2 <= tiny ? (Scaling){step, step, 0} : (Scaling){0, 0, 0};
}

/* `x`: the operand that is scaled, the denominator or the numerator. */
static inline f32 div_scale32(f32 x, f32 denominator, f32 numerator, int *vcc) {
  *vcc = 0;
  if (numerator == 0 || denominator == 0)
    return NAN;
  Scaling s =
      chooseScaling(denominator, exponent_field32(denominator), numerator,
                    exponent_field32(numerator), 0x1p-126L, 64, 96, 23);
  *vcc = s.vcc;
  return ldexpf(x, U(x) == U(denominator) ? s.denominator : s.numerator);
}
static inline f64 div_scale64(f64 x, f64 denominator, f64 numerator, int *vcc) {
  *vcc = 0;
  if (numerator == 0 || denominator == 0)
    return NAN;
  Scaling s =
      chooseScaling(denominator, exponent_field64(denominator), numerator,
                    exponent_field64(numerator), 0x1p-1022L, 128, 768, 53);
  *vcc = s.vcc;
  return ldexp(x, UD(x) == UD(denominator) ? s.denominator : s.numerator);
}

/* Scales back and rounds once, even if the result is denormal. */
static inline f32 div_fmas32(f32 a, f32 b, f32 c, int vcc) {
  if (!vcc)
    return fma32(a, b, c);
  f64 factor = exponent_field32(c) > 127 ? 0x1p64 : 0x1p-64;
  return (f32)(fma(a, b, c) * factor);
}
static inline f64 div_fmas64(f64 a, f64 b, f64 c, int vcc) {
  if (!vcc)
    return fma(a, b, c);
  __float128 factor = exponent_field64(c) > 1023 ? 0x1p128 : 0x1p-128;
  return (f64)(((__float128)a * b + c) * factor);
}

/* The quotient of special operands, and one that overflowed on the way. */
static inline f64 fixQuotient(f64 quotient, f64 denominator, f64 numerator) {
  f64 sign = signbit(denominator) != signbit(numerator) ? -1 : 1;
  if (numerator != numerator)
    return numerator;
  if (denominator != denominator)
    return denominator;
  if (numerator == 0 || isinf(denominator))
    return denominator == 0 || isinf(numerator) ? NAN : sign * 0.0;
  if (denominator == 0 || isinf(numerator) || quotient != quotient)
    return sign * INFINITY;
  return copysign(quotient, sign);
}
static inline f32 div_fixup32(f32 quotient, f32 denominator, f32 numerator) {
  i32 difference = exponent_field32(numerator) - exponent_field32(denominator);
  if (difference < -150 && numerator == numerator && denominator == denominator)
    quotient = 0;
  return (f32)fixQuotient(quotient, denominator, numerator);
}
static inline f64 div_fixup64(f64 quotient, f64 denominator, f64 numerator) {
  return fixQuotient(quotient, denominator, numerator);
}

#endif
