//===- FixtureKernels.c - kernels of the fixture ----------------------===//
//
// Compiled for each GPU without any vendor's toolkit. Blocks have BLOCK
// threads.
//
//===------------------------------------------------------------------===//
#include "FixtureBlock.h"

typedef long int64;
typedef unsigned char uint8;
typedef unsigned short uint16;

#define GLOBAL __attribute__((address_space(1)))
#if defined(__NVPTX__)
#define KERNEL __attribute__((nvptx_kernel))
#define THREAD                                                                 \
  ((int64)__nvvm_read_ptx_sreg_ctaid_x() * BLOCK + __nvvm_read_ptx_sreg_tid_x())
#else
#define KERNEL __attribute__((amdgpu_kernel))
#define THREAD                                                                 \
  ((int64)__builtin_amdgcn_workgroup_id_x() * BLOCK +                          \
   __builtin_amdgcn_workitem_id_x())
#endif

KERNEL void store_factors(const GLOBAL float *s, GLOBAL float *factors,
                          int64 rows) {
  int64 row = THREAD;
  if (row < rows)
    factors[row * 16] = s[row];
}

KERNEL void scale_rows(const GLOBAL float *x, int64 xStride,
                       const GLOBAL float *factors, GLOBAL float *y,
                       int64 yStride, int64 rows) {
  int64 row = THREAD / 4, i = THREAD % 4;
  if (row < rows)
    y[row * yStride + i] = x[row * xStride + i] * factors[row * 16];
}

KERNEL void sizes(GLOBAL uint8 *aligned, int64 alignedSize, GLOBAL uint8 *flat,
                  int64 flatSize, int64 dividedSize) {
  int64 i = THREAD;
  if (i < alignedSize)
    aligned[i] = (uint8)i;
  if (i < flatSize)
    flat[i] = (uint8)dividedSize;
}

KERNEL void scatter(const GLOBAL int64 *slots, GLOBAL uint16 *cache,
                    int64 count) {
  int64 i = THREAD;
  if (i < count)
    cache[slots[i]] ^= 0x8000;
}
