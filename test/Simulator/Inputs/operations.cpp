//===- operations.cpp - a kernel for each line of Operations.h --------===//
#include "Types.h"

#define GLOBAL __attribute__((address_space(1)))

#define OPERATION(name, type, result, expression)                              \
  extern "C" __attribute__((amdgpu_kernel)) void name(                         \
      const GLOBAL type *as, const GLOBAL type *bs, const GLOBAL type *cs,     \
      GLOBAL result *results, int count) {                                     \
    int i = static_cast<int>(__builtin_amdgcn_workgroup_id_x() * 256 +         \
                             __builtin_amdgcn_workitem_id_x());                \
    if (i >= count)                                                            \
      return;                                                                  \
    type a = as[i], b = bs[i], c = cs[i];                                      \
    results[i] = expression;                                                   \
  }
#include "Operations.h"
