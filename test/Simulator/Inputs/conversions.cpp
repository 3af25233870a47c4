//===- conversions.cpp - FP8 and BF8 ----------------------------------===//
#include "device.h"

/// Four values a lane, to test both words of the result.
KERNEL encode(const GLOBAL float *x, GLOBAL u32 *fp8, GLOBAL u32 *bf8) {
  u32 i = groupId() * 64 + laneId();
  const GLOBAL float *v = x + 4 * i;
  int f = __builtin_amdgcn_cvt_pk_fp8_f32(v[0], v[1], 0, false);
  fp8[i] = __builtin_amdgcn_cvt_pk_fp8_f32(v[2], v[3], f, true);
  int b = __builtin_amdgcn_cvt_pk_bf8_f32(v[0], v[1], 0, false);
  bf8[i] = __builtin_amdgcn_cvt_pk_bf8_f32(v[2], v[3], b, true);
}

KERNEL decode(const GLOBAL int *codes, GLOBAL float *fp8, GLOBAL float *bf8) {
  u32 i = laneId();
  int c = codes[i];
  fp8[4 * i] = __builtin_amdgcn_cvt_f32_fp8(c, 0);
  fp8[4 * i + 1] = __builtin_amdgcn_cvt_f32_fp8(c, 1);
  fp8[4 * i + 2] = __builtin_amdgcn_cvt_f32_fp8(c, 2);
  fp8[4 * i + 3] = __builtin_amdgcn_cvt_f32_fp8(c, 3);
  bf8[4 * i] = __builtin_amdgcn_cvt_f32_bf8(c, 0);
  bf8[4 * i + 1] = __builtin_amdgcn_cvt_f32_bf8(c, 1);
  bf8[4 * i + 2] = __builtin_amdgcn_cvt_f32_bf8(c, 2);
  bf8[4 * i + 3] = __builtin_amdgcn_cvt_f32_bf8(c, 3);
}

KERNEL decode_pairs(const GLOBAL int *codes, GLOBAL VECTOR(float, 2) * fp8,
                    GLOBAL VECTOR(float, 2) * bf8) {
  u32 i = laneId();
  fp8[2 * i] = __builtin_amdgcn_cvt_pk_f32_fp8(codes[i], false);
  fp8[2 * i + 1] = __builtin_amdgcn_cvt_pk_f32_fp8(codes[i], true);
  bf8[2 * i] = __builtin_amdgcn_cvt_pk_f32_bf8(codes[i], false);
  bf8[2 * i + 1] = __builtin_amdgcn_cvt_pk_f32_bf8(codes[i], true);
}
