//===- kernels.cpp - whole kernels ------------------------------------===//
#include "device.h"

KERNEL vector_add(const GLOBAL float *a, const GLOBAL float *b, GLOBAL float *c,
                  int n) {
  int i = groupId() * 256 + laneId();
  if (i < n)
    c[i] = a[i] + b[i];
}

/// What the chip computes with an error of the last bits.
KERNEL transcendentals(const GLOBAL float *x, GLOBAL float *o, int n) {
  int i = groupId() * 64 + laneId();
  if (i >= n)
    return;
  o[i] = __builtin_amdgcn_exp2f(x[i]);
  o[n + i] = __builtin_amdgcn_logf(__builtin_fabsf(x[i]));
  o[2 * n + i] = __builtin_amdgcn_rcpf(x[i]);
  o[3 * n + i] = __builtin_amdgcn_rsqf(__builtin_fabsf(x[i]));
  o[4 * n + i] = __builtin_exp2f(x[i]);
  o[5 * n + i] = __builtin_logf(__builtin_fabsf(x[i]));
  o[6 * n + i] = __builtin_expf(x[i]);
}

constexpr u32 normLanes = 256;
#ifdef __GFX9__
constexpr u32 waveSize = 64;
#else
constexpr u32 waveSize = 32;
#endif

static inline float shuffle(float v, u32 mask) {
  u32 lane = laneId() & (waveSize - 1);
  return __builtin_bit_cast(
      float, __builtin_amdgcn_ds_bpermute((lane ^ mask) * 4,
                                          __builtin_bit_cast(int, v)));
}

/// Combines a value over the workgroup: in the waves, then through LDS.
template <typename Combine>
static inline float reduce(float v, LDS float *partial, Combine combine) {
  for (u32 mask = waveSize / 2; mask > 0; mask /= 2)
    v = combine(v, shuffle(v, mask));
  if (laneId() % waveSize == 0)
    partial[laneId() / waveSize] = v;
  barrier();
  v = partial[0];
  for (u32 k = 1; k < normLanes / waveSize; ++k)
    v = combine(v, partial[k]);
  barrier();
  return v;
}

/// A workgroup for each row: FP8 codes of x / rms(x) * weight with a scale for
/// the row. `limit` is the format's largest number; `width` a multiple of 4.
KERNEL_OF(256)
norm(const GLOBAL float *x, const GLOBAL float *weight, GLOBAL u32 *codes,
     GLOBAL float *scales, int width, float epsilon, float limit) {
  SHARED float partial[normLanes / waveSize];
  int t = laneId();
  x += (long)groupId() * width;
  codes += (long)groupId() * (width / 4);
  float sum = 0;
  for (int i = t; i < width; i += normLanes)
    sum = __builtin_fmaf(x[i], x[i], sum);
  sum = reduce(sum, partial, [](float a, float b) { return a + b; });
  float r = 1.0f / __builtin_sqrtf(sum / (float)width + epsilon);
  float largest = 0;
  for (int i = t; i < width; i += normLanes)
    largest = __builtin_fmaxf(largest, __builtin_fabsf(x[i] * r * weight[i]));
  largest = reduce(largest, partial,
                   [](float a, float b) { return __builtin_fmaxf(a, b); });
  float scale = largest / limit;
  if (t == 0)
    scales[groupId()] = scale;
  for (int i = t; i < width / 4; i += normLanes) {
    float v[4];
    for (int k = 0; k < 4; ++k)
      v[k] = x[4 * i + k] * r * weight[4 * i + k] / scale;
    int c = __builtin_amdgcn_cvt_pk_fp8_f32(v[0], v[1], 0, false);
    codes[i] = __builtin_amdgcn_cvt_pk_fp8_f32(v[2], v[3], c, true);
  }
}

/// Reads what other waves wrote; right only with the barrier.
KERNEL_OF(256) with_barrier(GLOBAL u32 *o) {
  SHARED u32 shared[256];
  u32 t = laneId();
  shared[t] = t;
  barrier();
  o[t] = shared[255 - t];
}
KERNEL_OF(256) without_barrier(GLOBAL u32 *o) {
  SHARED u32 shared[256];
  u32 t = laneId();
  *(volatile LDS u32 *)&shared[t] = t;
  __builtin_amdgcn_wave_barrier();
  o[t] = *(volatile LDS u32 *)&shared[255 - t];
}
/// LDS that nobody wrote is NaN.
KERNEL_OF(64) unwritten(GLOBAL float *o) {
  SHARED float shared[128];
  u32 t = laneId();
  *(volatile LDS float *)&shared[t] = 1;
  o[t] = *(volatile LDS float *)&shared[t + 64];
}
