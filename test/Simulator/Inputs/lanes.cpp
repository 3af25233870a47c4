//===- lanes.cpp - data between lanes; one wave each ------------------===//
#include "device.h"

#define ROW(k, value) o[(k) * 64 + t] = (value)

KERNEL_OF(64) swizzle(const GLOBAL int *a, GLOBAL int *o) {
  u32 t = laneId();
  int v = a[t];
  ROW(0, __builtin_amdgcn_ds_swizzle(v, 0x401f)); // lane ^ 16
  ROW(1, __builtin_amdgcn_ds_swizzle(v, 0x80b1)); // quad 1, 0, 3, 2
  ROW(2, __builtin_amdgcn_ds_swizzle(v, 0x041f)); // lane ^ 1
}

KERNEL_OF(64) permute(const GLOBAL int *a, GLOBAL int *o) {
  u32 t = laneId();
  int v = a[t];
  ROW(0, __builtin_amdgcn_ds_bpermute((t ^ 5) * 4, v));
  ROW(1, __builtin_amdgcn_ds_permute((t ^ 9) * 4, v));
  ROW(2, __builtin_amdgcn_readlane(v, 7));
  ROW(3, __builtin_amdgcn_readfirstlane(v));
}

/// Lanes 0 to 9 only: what is inactive reads as 0.
KERNEL_OF(64) permute_inactive(const GLOBAL int *a, GLOBAL int *o) {
  u32 t = laneId();
  int v = a[t];
  if (t < 10)
    ROW(0, __builtin_amdgcn_ds_bpermute((t + 3) * 4, v));
}

KERNEL_OF(64) dpp(const GLOBAL int *a, GLOBAL int *o) {
  u32 t = laneId();
  int v = a[t];
  ROW(0, __builtin_amdgcn_update_dpp(-1, v, 0x111, 0xf, 0xf, false));
  ROW(1, __builtin_amdgcn_update_dpp(-1, v, 0x108, 0xf, 0xf, true));
  ROW(2, __builtin_amdgcn_update_dpp(-1, v, 0xb1, 0xf, 0x5, false));
  ROW(3, __builtin_amdgcn_update_dpp(-1, v, 0x141, 0xf, 0xf, false));
  ROW(4, __builtin_amdgcn_update_dpp(-1, v, 0x128, 0xf, 0xf, false));
  ROW(5, __builtin_amdgcn_update_dpp(-1, v, 0x140, 0x1, 0xf, false));
}

#if __has_builtin(__builtin_amdgcn_mfma_f32_16x16x4f32) // CDNA
KERNEL_OF(64) dpp_wave(const GLOBAL int *a, GLOBAL int *o) {
  u32 t = laneId();
  int v = a[t];
  ROW(0, __builtin_amdgcn_update_dpp(-1, v, 0x142, 0xa, 0xf, false));
  ROW(1, __builtin_amdgcn_update_dpp(-1, v, 0x143, 0xc, 0xf, false));
  ROW(2, __builtin_amdgcn_update_dpp(-1, v, 0x138, 0xf, 0xf, false));
  ROW(3, __builtin_amdgcn_update_dpp(-1, v, 0x155, 0xf, 0xf, false));
}
#endif

/// A maximum over a wave by steps within rows of 16, then by reads of lanes.
KERNEL_OF(64) dpp_max(const GLOBAL float *a, GLOBAL float *o) {
  u32 t = laneId();
  float v = a[t];
#define STEP(control)                                                          \
  v = __builtin_fmaxf(                                                         \
      v, __builtin_bit_cast(                                                   \
             float, __builtin_amdgcn_update_dpp(0, __builtin_bit_cast(int, v), \
                                                control, 0xf, 0xf, true)));
  STEP(0xb1) STEP(0x4e) STEP(0x141) STEP(0x140) ROW(0, v);
}

KERNEL_OF(64) ballot(const GLOBAL int *a, GLOBAL int *o) {
  u32 t = laneId();
#if __AMDGCN_WAVEFRONT_SIZE__ == 64 || defined(__GFX9__)
  u64 mask = __builtin_amdgcn_ballot_w64(a[t] > 0);
#else
  u64 mask = __builtin_amdgcn_ballot_w32(a[t] > 0);
#endif
  ROW(0, (int)__builtin_popcountll(mask));
  ROW(1, (int)__builtin_amdgcn_mbcnt_hi(
             (u32)(mask >> 32), __builtin_amdgcn_mbcnt_lo((u32)mask, 0)));
}

#if __has_builtin(__builtin_amdgcn_permlane32_swap) && defined(__gfx950__)
KERNEL_OF(64) swap_rows(const GLOBAL u32 *a, GLOBAL u32 *o) {
  u32 t = laneId();
  auto wide = __builtin_amdgcn_permlane32_swap(a[t], a[t] + 1000, false, false);
  auto narrow =
      __builtin_amdgcn_permlane16_swap(a[t], a[t] + 1000, false, false);
  ROW(0, wide[0]), ROW(1, wide[1]), ROW(2, narrow[0]), ROW(3, narrow[1]);
}
#endif

#if defined(__gfx1201__) || defined(__gfx1100__)
KERNEL_OF(64) permute_rows(const GLOBAL int *a, GLOBAL int *o) {
  u32 t = laneId();
  int v = a[t];
  ROW(0,
      __builtin_amdgcn_permlane16(-1, v, 0x76543210, 0xfedcba98, true, false));
  ROW(1,
      __builtin_amdgcn_permlanex16(-1, v, 0x01234567, 0x89abcdef, true, false));
  ROW(2, __builtin_amdgcn_update_dpp(-1, v, 0x165, 0xf, 0xf, false));
  ROW(3, __builtin_amdgcn_mov_dpp8(v, 0x053977)); // 7 6 5 4 3 2 1 0
}
#endif
