//===- Backend.h - what a device's shared library offers ------*- C++ -*-===//
//
// The interface between the runtime and a backend. Both are built from one
// source tree, so it is not stable: another version is refused, not adapted to.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RT_COMMON_BACKEND_H
#define MLAFUSE_RT_COMMON_BACKEND_H

#include "mlafuse/runtime/abi.h"
#include "mlafuse/runtime/mlafuse.h"

namespace mlafuse::rt {

constexpr uint32_t backendVersion = 1;

/// Name of the function `const Backend *()` that a backend exports.
constexpr const char *backendSymbol = "mlafuse_backend";

/// Where a backend writes why it failed: text of at most `size` bytes with its
/// NUL.
struct ErrorText {
  char *text;
  size_t size;
};

using EntryFunction = int32_t (*)(const mlafuse_launch_context *,
                                  void *const *descriptors);

/// One launch, checked: all that is left to do is to run it.
struct Launch {
  EntryFunction entry;
  void *const *descriptors;
  void *stream;
  void *workspace;
  int64_t workspaceSize;
};

/// The functions of a backend. `state` is what `create` made; all functions
/// but `create` and `destroy` may be called from several threads at once. A
/// function that can fail returns MLAFUSE_OK or writes its error text.
struct Backend {
  uint32_t version; ///< backendVersion; stays the first field.
  const char *name;
  int32_t dlpackDevice; ///< The DLDeviceType of its memory.

  mlafuse_status (*create)(int32_t threads, void **state, ErrorText error);
  void (*destroy)(void *state);
  int32_t (*threads)(void *state);
  /// Whether code for `chip`, as a manifest names it, runs on the device.
  mlafuse_status (*checkChip)(void *state, const char *chip, ErrorText error);
  /// `bytes` is not 0.
  mlafuse_status (*allocate)(void *state, size_t bytes, void **memory,
                             ErrorText error);
  void (*release)(void *state, void *memory);
  mlafuse_status (*copy)(void *state, void *stream, void *destination,
                         const void *source, size_t bytes,
                         mlafuse_copy_kind kind, ErrorText error);
  mlafuse_status (*synchronize)(void *state, void *stream, ErrorText error);
  mlafuse_status (*launch)(void *state, const Launch &launch, ErrorText error);
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_BACKEND_H
