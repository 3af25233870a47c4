//===- memory.cpp - global memory, LDS, scratch, buffers, atomics -----===//
#include "device.h"

using uint2 = VECTOR(u32, 2);
struct uint3 {
  u32 x, y, z;
};
using uint4 = VECTOR(u32, 4);
using half2 = VECTOR(half, 2);
using short2 = VECTOR(short, 2);

/// Each width of an access: result k of a lane is byte-wise the input.
#define COPY(name, type)                                                       \
  KERNEL_OF(64) name(const GLOBAL type *a, GLOBAL type *o, int n) {            \
    int i = groupId() * 64 + laneId();                                         \
    if (i < n)                                                                 \
      o[i] = a[i];                                                             \
  }
COPY(copy_b8, u8)
COPY(copy_b16, u16)
COPY(copy_b32, u32)
COPY(copy_b64, uint2)
COPY(copy_b96, uint3)
COPY(copy_b128, uint4)

/// Halves of registers: d16 loads and stores.
KERNEL_OF(64) halves(const GLOBAL half *a, GLOBAL half *o) {
  u32 t = laneId();
  half2 x = {a[t], a[t + 64]}, y = {a[t + 128], a[t + 1]};
  x = x * y + x;
  o[2 * t + 1] = x.x;
  o[2 * t] = x.y;
}

/// Signed and unsigned bytes into halves.
KERNEL_OF(64) bytes(const GLOBAL signed char *a, GLOBAL short *o) {
  u32 t = laneId();
  short2 x = {a[t], (short)((const GLOBAL u8 *)a)[t + 7]};
  x += x;
  o[t] = x.x + x.y;
}

KERNEL_OF(128) through_lds(const GLOBAL u32 *a, GLOBAL u32 *o) {
  SHARED u32 words[128 * 8];
  SHARED u8 small[128];
  SHARED u16 shorts[128];
  u32 t = laneId();
  for (u32 k = 0; k < 8; ++k)
    words[k * 128 + t] = a[t] + k;
  small[t] = a[t];
  shorts[t] = a[t] >> 3;
  barrier();
  u32 other = 127 - t;
  LDS uint4 *wide = (LDS uint4 *)words;
  uint4 w = wide[t * 2];
  LDS uint2 *pair = (LDS uint2 *)words;
  uint2 p = pair[other];
  u32 sum = w.x + 3 * w.y + 5 * w.z + 7 * w.w + p.x * 11 + p.y * 13;
  sum += words[other] + words[256 + other] + words[other + 1 - 1 + 64 * 3];
  o[t] = sum + small[other] + shorts[other] + (short)shorts[t];
}

/// An array that the compiler cannot keep in registers.
KERNEL_OF(64) through_scratch(const GLOBAL u32 *a, GLOBAL u32 *o) {
  u32 t = laneId();
  volatile u32 array[16];
  for (u32 k = 0; k < 16; ++k)
    array[(k + t) & 15] = a[t] * k;
  u32 sum = 0;
  for (u32 k = 0; k < 16; ++k)
    sum = sum * 3 + array[(k * a[t]) & 15];
  o[t] = sum;
}

/// A pointer that is not known to be of LDS or of global memory.
KERNEL_OF(64) through_flat(GLOBAL u32 *a, GLOBAL u32 *o, int odd) {
  SHARED u32 shared[64];
  u32 t = laneId();
  shared[t] = t * 5;
  barrier();
  u32 *pointer = (t & 1) == odd ? (u32 *)&a[t] : (u32 *)&shared[t];
  o[t] = *(volatile u32 *)pointer + 1;
}

/// `bytes` bytes of a; accesses behind them read 0.
KERNEL_OF(64) buffers(const GLOBAL void *a, GLOBAL void *o, int bytes) {
  u32 t = laneId();
  auto in = __builtin_amdgcn_make_buffer_rsrc((void *)a, 0, bytes, 0x27000);
  auto out = __builtin_amdgcn_make_buffer_rsrc((void *)o, 0, 64 * 28, 0x27000);
  u32 x = __builtin_amdgcn_raw_buffer_load_b32(in, t * 4, 0, 0);
  u32 y = __builtin_amdgcn_raw_buffer_load_b8(in, t, 0, 0);
  u32 z = __builtin_amdgcn_raw_buffer_load_b16(in, t * 2, 0, 0);
  uint4 w = __builtin_amdgcn_raw_buffer_load_b128(in, t * 16, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b32(x, out, t * 28, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b16(y | z << 8, out, t * 28 + 4, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b8(z, out, t * 28 + 6, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b8(7, out, t * 28 + 7, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b96(w.xyz, out, t * 28 + 8, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b64(w.zw, out, t * 28 + 20, 0, 0);
  // Behind the end: writes nothing.
  __builtin_amdgcn_raw_buffer_store_b32(1, out, 64 * 28 + t * 4, 0, 0);
}

KERNEL_OF(256)
atomics(GLOBAL u32 *a, GLOBAL u64 *b, GLOBAL float *f, GLOBAL u32 *old) {
  SHARED u32 shared[4];
  u32 t = laneId(), i = groupId() * 256 + t;
  if (t < 4)
    shared[t] = 0;
  barrier();
  __scoped_atomic_fetch_add(&shared[t & 3], t, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_WRKGRP);
  __scoped_atomic_fetch_max(&shared[3], t * 9, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_WRKGRP);
#define AGENT __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE
  __scoped_atomic_fetch_add(&a[0], i, AGENT);
  __scoped_atomic_fetch_max(&a[1], i * 7 % 512, AGENT);
  __scoped_atomic_fetch_min((GLOBAL int *)&a[2], -(int)i, AGENT);
  __scoped_atomic_fetch_or(&a[3], 1u << (i & 31), AGENT);
  __scoped_atomic_fetch_and(&a[4], ~(1u << (i & 15)), AGENT);
  __scoped_atomic_fetch_xor(&a[5], i, AGENT);
  old[i] = __scoped_atomic_fetch_add(&a[6], 1, AGENT);
  __scoped_atomic_fetch_add(&b[0], (u64)i << 30, AGENT);
  __scoped_atomic_fetch_max(&b[1], (u64)i << 33, AGENT);
  __scoped_atomic_fetch_add(f, 0.5f, AGENT);
  // A compare-and-swap in a loop.
  u32 expected = a[7];
  while (!__scoped_atomic_compare_exchange_n(
      &a[7], &expected, expected * 3 + 1, false, __ATOMIC_RELAXED,
      __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
    ;
  barrier();
  if (t < 4)
    a[8 + 4 * groupId() + t] = shared[t];
}
