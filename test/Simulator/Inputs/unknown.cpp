//===- unknown.cpp - an instruction that the simulator lacks ----------===//
#include "device.h"

KERNEL sparse(GLOBAL VECTOR(float, 4) * d) {
  VECTOR(short, 4) a = 0;
  VECTOR(short, 8) b = 0;
  d[laneId()] =
      __builtin_amdgcn_smfmac_f32_16x16x32_bf16(a, b, d[laneId()], 0, 0, 0);
}
