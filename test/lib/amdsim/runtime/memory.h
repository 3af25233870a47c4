/*===- memory.h - LDS, scratch, buffers, global memory ----------*- C -*-===*/
/* Global memory is the process's: addresses are used as they are. */
#ifndef AMDSIM_MEMORY_H
#define AMDSIM_MEMORY_H

#include "wave.h"

/* The upper halves of addresses that flat instructions take to LDS and scratch.
 */
#define SHARED_APERTURE 0x40000000u
#define PRIVATE_APERTURE 0x50000000u

static u8 outOfBounds[64];

static inline u64 failAccess(Wave *w, const char *error) {
  if (!w->error) {
    w->error = error;
    w->errorAt = w->at;
  }
  memset(outOfBounds, 0xff, sizeof outOfBounds);
  return (u64)outOfBounds;
}
static inline u64 ldsAddress(Wave *w, u32 address, u32 bytes) {
  if ((u64)address + bytes > w->ldsBytes)
    return failAccess(w, "LDS access out of bounds");
  return (u64)w->lds + address;
}
static inline u64 scratchAddress(Wave *w, int l, u32 address, u32 bytes) {
  if ((u64)address + bytes > w->scratchBytes)
    return failAccess(w, "scratch access out of bounds");
  return (u64)w->scratch + (u64)l * w->scratchBytes + address;
}
static inline u64 flatAddress(Wave *w, int l, u64 address, u32 bytes) {
  switch ((u32)(address >> 32)) {
  case SHARED_APERTURE:
    return ldsAddress(w, (u32)address, bytes);
  case PRIVATE_APERTURE:
    return scratchAddress(w, l, (u32)address, bytes);
  default:
    return address;
  }
}
/* Through the buffer resource in the scalar registers from `r` on; 0 if the
 * access is out of range, which reads zeros and writes nothing. */
static inline u64 bufferAddress(Wave *w, int r, u32 scalarOffset, u32 offset,
                                u32 index, u32 bytes, int isStructured) {
  u64 base = getS64(w, r) & 0xffffffffffffull;
  u32 stride = w->s[r + 1] >> 16 & 0x3fff, records = w->s[r + 2];
  int isOut =
      isStructured && stride ? index >= records : (u64)offset + bytes > records;
  return isOut ? 0 : base + scalarOffset + (u64)stride * index + offset;
}

static inline u32 ld8(u64 a) { return *(u8 *)a; }
static inline u32 ld16(u64 a) {
  u16 x;
  memcpy(&x, (void *)a, 2);
  return x;
}
static inline u32 ld32(u64 a) {
  u32 x;
  memcpy(&x, (void *)a, 4);
  return x;
}
static inline void st8(u64 a, u32 x) { *(u8 *)a = (u8)x; }
static inline void st16(u64 a, u32 x) {
  u16 y = (u16)x;
  memcpy((void *)a, &y, 2);
}
/* `count` registers from `r` on, of lane l. */
static inline void loadWords(Wave *w, int r, int count, int l, u64 a) {
  u32 words[4];
  memcpy(words, (void *)a, 4 * (size_t)count);
  for (int k = 0; k < count; k++)
    w->v[r + k][l] = words[k];
}
static inline void storeWords(Wave *w, int r, int count, int l, u64 a) {
  u32 words[4];
  for (int k = 0; k < count; k++)
    words[k] = w->v[r + k][l];
  memcpy((void *)a, words, 4 * (size_t)count);
}

#endif
