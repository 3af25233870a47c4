//===- CApi.h - between the C ABI and the runtime's classes ---*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_CAPI_H
#define MLAFUSE_RT_COMMON_CAPI_H

#include "Module.h"

struct mlafuse_context {
  std::shared_ptr<mlafuse::rt::Device> device;
};

namespace mlafuse::rt {

/// The status of `error`, whose text becomes the thread's last error.
mlafuse_status report(const Error &error);

/// Fails with a text that names the parameter that must not be NULL.
mlafuse_status reportNull(const char *parameter);

/// The handle of a function is its address.
inline const LoadedFunction &unwrap(const mlafuse_function *function) {
  return *reinterpret_cast<const LoadedFunction *>(function);
}

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_CAPI_H
