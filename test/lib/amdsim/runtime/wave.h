/*===- wave.h - the state of a wave -----------------------------*- C -*-===*/
/* Everything here is included by a translated code object, which defines
 * WAVE_SIZE and, for chips whose FP8 is the FNUZ flavour, FNUZ. V and S are
 * registers. */
#ifndef AMDSIM_WAVE_H
#define AMDSIM_WAVE_H

#include "values.h"
#include <xmmintrin.h>

/* Types of the ISA that C holds in another. */
typedef u16 b16;
typedef u32 b32, u24;
typedef u64 b64;
typedef i32 i24;
typedef f32 bf16;

enum {
  VCC_REGISTER = 106,
  TRAP_REGISTERS = 108,
  M0_REGISTER = 124,
  EXEC_REGISTER = 126,
  SCALAR_REGISTERS = 136,
  VECTOR_REGISTERS = 512 /* The second half: accumulators. */
};

typedef struct {
  u32 s[SCALAR_REGISTERS];
  u32 scc, mode, lanes;
  u64 pc, instructions;
  u64 at; /* The memory access in progress. */
  u8 *lds, *scratch;
  u32 ldsBytes, scratchBytes; /* scratchBytes: of one lane. */
  const char *error;
  u64 errorAt;
  u32 v[VECTOR_REGISTERS][WAVE_SIZE];
} Wave;

#define V(i) w->v[i][l]
#define VF(i) ((f32 *)w->v[i])[l]
#define S(i) w->s[i]
#define S64(i) getS64(w, i)
#define V64(i) getV64(w, i, l)
#define FOR_LANES(mask)                                                        \
  for (int l = 0; l < WAVE_SIZE; l++)                                          \
    if ((mask) >> l & 1)
static inline u64 getS64(Wave *w, int i) {
  return (u64)w->s[i] | (u64)w->s[i + 1] << 32;
}
static inline void setS64(Wave *w, int i, u64 x) {
  w->s[i] = (u32)x;
  w->s[i + 1] = (u32)(x >> 32);
}
static inline u64 getV64(Wave *w, int i, int l) {
  return (u64)w->v[i][l] | (u64)w->v[i + 1][l] << 32;
}
static inline void setV64(Wave *w, int i, int l, u64 x) {
  w->v[i][l] = (u32)x;
  w->v[i + 1][l] = (u32)(x >> 32);
}
/* A mask of lanes, in one or two registers. */
static inline u64 getMask(Wave *w, int i) {
  return WAVE_SIZE == 64 ? getS64(w, i) : w->s[i];
}
static inline void setMask(Wave *w, int i, u64 x) {
  w->s[i] = (u32)x;
  if (WAVE_SIZE == 64)
    w->s[i + 1] = (u32)(x >> 32);
}
static inline u64 EXEC(Wave *w) { return getMask(w, EXEC_REGISTER); }
static inline u64 VCC(Wave *w) { return getMask(w, VCC_REGISTER); }
static inline u64 lanes_below(int l) {
  return l >= 64 ? ~0ull : (1ull << l) - 1;
}
static inline int first_lane(u64 mask) {
  return mask ? __builtin_ctzll(mask) : 0;
}

/* Takes over what a kernel wrote to the MODE register: denormals of f32 and
 * rounding. */
static inline void applyMode(Wave *w) {
  static const unsigned rounding[4] = {0, 0x4000, 0x2000, 0x6000};
  unsigned control = _mm_getcsr() & ~0x6000u;
  control = (w->mode >> 4 & 3) == 3 ? control & ~0x8040u : control | 0x8040u;
  _mm_setcsr(control | rounding[w->mode & 3]);
}

#endif
