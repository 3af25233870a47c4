/*===- extremes.h - maxima and minima ---------------------------*- C -*-===*/
#ifndef AMDSIM_EXTREMES_H
#define AMDSIM_EXTREMES_H

#include "values.h"

/* A NaN operand gives the other one; -0 is below +0. */
static inline f32 maxnum(f32 a, f32 b) {
  if (a != a || b != b)
    return a != a ? b : a;
  return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}
static inline f32 minnum(f32 a, f32 b) {
  if (a != a || b != b)
    return a != a ? b : a;
  return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
/* A NaN operand gives NaN. */
static inline f32 maximum(f32 a, f32 b) {
  return a != a ? a : b != b ? b : maxnum(a, b);
}
static inline f32 minimum(f32 a, f32 b) {
  return a != a ? a : b != b ? b : minnum(a, b);
}
/* Denormals become zeros. */
static inline f32 flush(f32 x) {
  return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

#endif
