//===- scaled-conversions.cpp - gfx950's conversions with a scale -----===//
#include "device.h"

/// Eight values a lane to eight FP4 codes, a byte at a time.
KERNEL encode_fp4(const GLOBAL float *x, GLOBAL u32 *codes, float scale) {
  u32 i = groupId() * 64 + laneId(), c = 0;
  const GLOBAL float *v = x + 8 * i;
  c = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(c, v[0], v[1], scale, 0);
  c = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(c, v[2], v[3], scale, 1);
  c = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(c, v[4], v[5], scale, 2);
  codes[i] = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(c, v[6], v[7], scale, 3);
}

KERNEL encode_fp4_bf16(const GLOBAL VECTOR(bfloat, 2) * x, GLOBAL u32 *codes,
                       float scale) {
  u32 i = groupId() * 64 + laneId(), c = 0;
  const GLOBAL VECTOR(bfloat, 2) *v = x + 4 * i;
  c = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(c, v[0], scale, 0);
  c = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(c, v[1], scale, 1);
  c = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(c, v[2], scale, 2);
  codes[i] = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(c, v[3], scale, 3);
}

KERNEL decode_fp4(const GLOBAL u32 *codes, GLOBAL VECTOR(float, 2) * x,
                  float scale) {
  u32 i = groupId() * 64 + laneId();
  x[4 * i] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes[i], scale, 0);
  x[4 * i + 1] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes[i], scale, 1);
  x[4 * i + 2] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes[i], scale, 2);
  x[4 * i + 3] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes[i], scale, 3);
}

KERNEL encode_fp8(const GLOBAL float *x, GLOBAL VECTOR(short, 2) * codes,
                  float scale) {
  u32 i = groupId() * 64 + laneId();
  const GLOBAL float *v = x + 4 * i;
  VECTOR(short, 2) c = 0;
  c = __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(c, v[0], v[1], scale, false);
  codes[i] =
      __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(c, v[2], v[3], scale, true);
}

KERNEL decode_fp8(const GLOBAL u32 *codes, GLOBAL float *x, float scale) {
  u32 i = groupId() * 64 + laneId();
  x[4 * i] = __builtin_amdgcn_cvt_scalef32_f32_fp8(codes[i], scale, 0);
  x[4 * i + 1] = __builtin_amdgcn_cvt_scalef32_f32_fp8(codes[i], scale, 1);
  x[4 * i + 2] = __builtin_amdgcn_cvt_scalef32_f32_fp8(codes[i], scale, 2);
  x[4 * i + 3] = __builtin_amdgcn_cvt_scalef32_f32_fp8(codes[i], scale, 3);
}
