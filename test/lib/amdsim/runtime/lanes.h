/*===- lanes.h - data between the lanes of a wave ---------------*- C -*-===*/
#ifndef AMDSIM_LANES_H
#define AMDSIM_LANES_H

#include "wave.h"

/* What a register held before the instruction, for reads of other lanes. */
typedef struct {
  u32 lane[WAVE_SIZE];
} Snapshot;
static inline void take(Snapshot *s, Wave *w, int r) {
  memcpy(s->lane, w->v[r], sizeof s->lane);
}
/* An invalid source lane reads 0. */
static inline u32 laneOf(const Snapshot *s, int source) {
  return source < 0 ? 0 : s->lane[source];
}

/* The source lane of a DPP control; -1 if there is none. */
static inline int dppSource(int control, int l) {
  int row = l & ~15, i = l & 15, n = control & 15;
  if (control < 0x100) /* quad_perm */
    return (l & ~3) | (control >> 2 * (l & 3) & 3);
  switch (control & ~15) {
  case 0x100: /* row_shl */
    return i + n < 16 ? l + n : -1;
  case 0x110: /* row_shr */
    return i - n >= 0 ? l - n : -1;
  case 0x120: /* row_ror */
    return row | ((i - n) & 15);
  case 0x150: /* row_newbcast, row_share */
    return row | n;
  case 0x160: /* row_xmask */
    return row | (i ^ n);
  }
  switch (control) {
  case 0x130: /* wave_shl */
    return l + 1 < WAVE_SIZE ? l + 1 : -1;
  case 0x134: /* wave_rol */
    return (l + 1) % WAVE_SIZE;
  case 0x138: /* wave_shr */
    return l - 1;
  case 0x13c: /* wave_ror */
    return (l + WAVE_SIZE - 1) % WAVE_SIZE;
  case 0x140: /* row_mirror */
    return row | (15 - i);
  case 0x141: /* row_half_mirror */
    return (l & ~7) | (7 - (l & 7));
  case 0x142: /* row_bcast:15 */
    return row - 1;
  case 0x143: /* row_bcast:31 */
    return l >= 32 ? 31 : -1;
  }
  return -1;
}
/* The source lane of ds_swizzle. */
static inline int swizzleSource(int pattern, int l) {
  if (pattern & 0x8000)
    return (l & ~3) | (pattern >> 2 * (l & 3) & 3);
  int and = pattern & 31, or = pattern >> 5 & 31, xor= pattern >> 10 & 31;
  return (l & ~31) | ((((l & 31) & and) | or) ^ xor);
}

/* SDWA: 0 to 3 select a byte, 4 and 5 a half, 6 all of a register. */
static inline u32 sdwaRead(u32 x, int select, int isSigned) {
  if (select == 6)
    return x;
  if (select < 4) {
    u32 r = x >> 8 * select & 255;
    return isSigned ? (u32)(i32)(i8)r : r;
  }
  u32 r = x >> 16 * (select - 4) & 0xffff;
  return isSigned ? (u32)(i32)(i16)r : r;
}
/* `unused`: 0 pads with zeros, 1 extends the sign, 2 preserves the rest. */
static inline u32 sdwaWrite(u32 old, u32 x, int select, int unused) {
  if (select == 6)
    return x;
  int shift = select < 4 ? 8 * select : 16 * (select - 4);
  u32 mask = (select < 4 ? 255u : 0xffffu) << shift, part = x << shift & mask;
  if (unused == 2)
    return (old & ~mask) | part;
  u32 negative = select < 4 ? x >> 7 & 1 : x >> 15 & 1;
  return unused == 1 && negative ? part | ~(mask | (mask - 1)) : part;
}

#endif
