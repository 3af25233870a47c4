/*===- values.h - types and the bits of values ------------------*- C -*-===*/
/* Of both simulators. Short names, as the translators write them: F, U, H, ...
 * change between the bits of a register and a value. */
#ifndef AMDSIM_VALUES_H
#define AMDSIM_VALUES_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Without optimization, too: there is nothing to them. */
#define INLINE static inline __attribute__((always_inline))

/* Bits of a register to a value and back. */
INLINE f32 F(u32 x) {
  f32 r;
  memcpy(&r, &x, 4);
  return r;
}
INLINE u32 U(f32 x) {
  u32 r;
  memcpy(&r, &x, 4);
  return r;
}
static inline f64 D(u64 x) {
  f64 r;
  memcpy(&r, &x, 8);
  return r;
}
static inline u64 UD(f64 x) {
  u64 r;
  memcpy(&r, &x, 8);
  return r;
}
INLINE f16 H(u32 x) {
  u16 h = (u16)x;
  f16 r;
  memcpy(&r, &h, 2);
  return r;
}
INLINE u32 UH(f16 x) {
  u16 r;
  memcpy(&r, &x, 2);
  return r;
}
INLINE f32 B(u32 x) { return F(x << 16); }
/* bf16, rounded to nearest even; a NaN stays one. */
static inline u32 UB(f32 x) {
  u32 b = U(x);
  if ((b & 0x7fffffff) > 0x7f800000)
    return b >> 16 | 0x40;
  return (b + 0x7fff + (b >> 16 & 1)) >> 16;
}
static inline u32 pack16(u32 low, u32 high) {
  return (low & 0xffff) | high << 16;
}

#endif
