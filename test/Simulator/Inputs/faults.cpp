//===- faults.cpp - kernels that do what they must not ----------------===//
#include "device.h"

KERNEL_OF(64) past_the_end(GLOBAL float *a) { a[laneId() + 1] = 1; }
KERNEL_OF(64) past_lds(GLOBAL float *a, int k) {
  SHARED float shared[64];
  shared[laneId() + k] = 1;
  barrier();
  a[laneId()] = shared[laneId()];
}
KERNEL_OF(64) trap(GLOBAL float *a) {
  if (a[laneId()] == 0)
    __builtin_trap();
}
