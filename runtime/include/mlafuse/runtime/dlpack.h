//===- dlpack.h - launch with DLPack tensors ------------------*- C -*-===//
//
// The launching functions of mlafuse.h for callers who hold DLPack tensors.
// Apart from mlafuse.h, so that who doesn't use DLPack needn't have its header;
// any version of it from 0.6 on will do, as the tensor's layout has not
// changed.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RUNTIME_DLPACK_H
#define MLAFUSE_RUNTIME_DLPACK_H

#include "mlafuse/runtime/mlafuse.h"

#include <dlpack/dlpack.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Type codes of DLPack 1.1 that older headers lack.
enum {
  MLAFUSE_DL_FLOAT8_E4M3FN = 10,
  MLAFUSE_DL_FLOAT8_E4M3FNUZ = 11,
  MLAFUSE_DL_FLOAT8_E5M2 = 12,
  MLAFUSE_DL_FLOAT8_E8M0FNU = 14,
  /// Two to a byte (4 bits, 2 lanes); given to arguments of type i8.
  MLAFUSE_DL_FLOAT4_E2M1FN = 17
};

/// mlafuse_workspace_size for DLPack tensors.
MLAFUSE_API mlafuse_status mlafuse_workspace_size_dlpack(
    const mlafuse_function *function, const DLTensor *const *tensors,
    size_t count, int64_t *bytes);

/// mlafuse_launch for DLPack tensors, with one more check: each tensor must be
/// on the device of the function's context. Unsigned 8-bit integers are
/// accepted for every one-byte type.
MLAFUSE_API mlafuse_status
mlafuse_launch_dlpack(const mlafuse_function *function, void *stream,
                      const DLTensor *const *tensors, size_t count,
                      void *workspace, int64_t workspace_size);

#ifdef __cplusplus
}
#endif

#endif // MLAFUSE_RUNTIME_DLPACK_H
