//===- scaled-matrices.cpp - gfx950: block-scaled products, LDS -------===//
#include "device.h"

using int8 = VECTOR(int, 8);
using float4 = VECTOR(float, 4);
using short4 = VECTOR(short, 4);

/// FP8 with byte 0 of the scales, then the same bytes as FP4 with bytes 1
/// and 2.
KERNEL_OF(64)
scaled(const GLOBAL int8 *a, const GLOBAL int8 *b, const GLOBAL int *scaleA,
       const GLOBAL int *scaleB, GLOBAL float4 *d) {
  u32 t = laneId();
  float4 zero = 0;
  d[t] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
      a[t], b[t], zero, 0, 0, 0, scaleA[t], 0, scaleB[t]);
  d[64 + t] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
      a[t], b[t], zero, 4, 4, 1, scaleA[t], 2, scaleB[t]);
}

KERNEL_OF(64) transposed(const GLOBAL short4 *in, GLOBAL short4 *out) {
  SHARED short4 buffer[64];
  u32 t = laneId();
  buffer[t] = in[t];
  barrier();
  out[t] = __builtin_amdgcn_ds_read_tr16_b64_v4i16(&buffer[t]);
}

/// 16 bytes a lane from global memory into LDS.
KERNEL_OF(64) direct_to_lds(const GLOBAL int *in, GLOBAL int *out) {
  SHARED int buffer[256];
  u32 t = laneId();
  __builtin_amdgcn_global_load_lds((GLOBAL void *)(in + 4 * (63 - t)),
                                   (LDS void *)buffer, 16, 0, 0);
  __builtin_amdgcn_s_waitcnt(0);
  barrier();
  for (int k = 0; k < 4; ++k)
    out[4 * t + k] = buffer[4 * t + k];
}
