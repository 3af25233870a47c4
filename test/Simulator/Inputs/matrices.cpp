//===- matrices.cpp - one matrix instruction each ---------------------===//
#include "device.h"

#define MATRIX(name, a_type, c_type, expression)                               \
  KERNEL name(const GLOBAL a_type *as, const GLOBAL a_type *bs,                \
              GLOBAL c_type *cs) {                                             \
    u32 t = laneId();                                                          \
    a_type a = as[t], b = bs[t];                                               \
    c_type c = cs[t];                                                          \
    cs[t] = expression;                                                        \
  }

using half4 = VECTOR(half, 4);
using half8 = VECTOR(half, 8);
using short4 = VECTOR(short, 4);
using short8 = VECTOR(short, 8);
using bfloat8 = VECTOR(bfloat, 8);
using int2 = VECTOR(int, 2);
using int4 = VECTOR(int, 4);
using float4 = VECTOR(float, 4);
using float8 = VECTOR(float, 8);
using float16 = VECTOR(float, 16);

#if defined(__gfx942__) || defined(__gfx950__)
MATRIX(bf16_16x16x16, short4, float4,
       __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0))
MATRIX(f16_32x32x8, half4, float16,
       __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0))
MATRIX(fp8_16x16x32, long, float4,
       __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a, b, c, 0, 0, 0))
MATRIX(i8_16x16x32, long, int4,
       __builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, c, 0, 0, 0))
MATRIX(f32_16x16x4, float, float4,
       __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0))
#endif
#if defined(__gfx950__)
MATRIX(bf16_16x16x32, bfloat8, float4,
       __builtin_amdgcn_mfma_f32_16x16x32_bf16(a, b, c, 0, 0, 0))
MATRIX(f16_32x32x16, half8, float16,
       __builtin_amdgcn_mfma_f32_32x32x16_f16(a, b, c, 0, 0, 0))
#endif
#if defined(__gfx1201__)
MATRIX(wmma_bf16, short8, float8,
       __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c))
MATRIX(wmma_f16, half8, float8,
       __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c))
MATRIX(wmma_fp8, int2, float8,
       __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(a, b, c))
#endif
