/*===- small_floats.h - FP8, FP6 and FP4 ------------------------*- C -*-===*/
#ifndef AMDSIM_SMALL_FLOATS_H
#define AMDSIM_SMALL_FLOATS_H

#include "formats.h"
#include "wave.h"

#ifdef FNUZ
static const Format fp8 = {4, 3, 8, FORMAT_FNUZ};
static const Format bf8 = {5, 2, 16, FORMAT_FNUZ};
#else
static const Format fp8 = {4, 3, 7, FORMAT_FN};
static const Format bf8 = {5, 2, 15, FORMAT_IEEE};
#endif
static const Format fp6 = {2, 3, 1, FORMAT_FINITE};
static const Format bf6 = {3, 2, 3, FORMAT_FINITE};
static const Format fp4 = {2, 1, 1, FORMAT_FINITE};

static inline f32 from_fp8(u32 code) { return decode(&fp8, code & 255); }
static inline f32 from_bf8(u32 code) { return decode(&bf8, code & 255); }
static inline f32 from_fp4(u32 code) { return decode(&fp4, code & 15); }
/* MODE.FP16_OVFL makes conversions saturate. */
static inline u32 to_fp8(Wave *w, f64 x) {
  return encode(&fp8, x, w->mode >> 23 & 1, 0);
}
static inline u32 to_bf8(Wave *w, f64 x) {
  return encode(&bf8, x, w->mode >> 23 & 1, 0);
}
static inline u32 to_fp4(Wave *w, f64 x) {
  (void)w;
  return encode(&fp4, x, 1, 0);
}
/* Stochastic rounding: adds the random bits that stand below the kept mantissa,
 * and drops them. */
static inline u32 stochastic(Wave *w, const Format *f, f32 x, u32 random) {
  u32 b = U(x);
  if ((b & 0x7f800000) != 0x7f800000)
    b += random >> (9 + f->mantissaBits);
  return encode(f, F(b), w->mode >> 23 & 1, 1);
}
/* The scale operand of v_cvt_scalef32_*: only its exponent counts. */
static inline f64 block_scale(u32 bits) {
  return ldexp(1.0, (int)(bits >> 23 & 255) - 127);
}

#endif
