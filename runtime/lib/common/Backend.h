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

#include <cstdio>
#include <string>
#include <vector>

namespace mlafuse::rt {

constexpr uint32_t backendVersion = 2;

/// Name of the function `const Backend *()` that a backend exports.
constexpr const char *backendSymbol = "mlafuse_backend";

/// Where a backend writes why it failed: text of at most `size` bytes with its
/// NUL.
struct ErrorText {
  char *text;
  size_t size;
};

/// Writes `text` as the error, cut to the room that there is.
inline mlafuse_status fail(ErrorText error, mlafuse_status status,
                           const std::string &text) {
  snprintf(error.text, error.size, "%s", text.c_str());
  return status;
}

/// Fails with what the code that an entry returned means.
inline mlafuse_status failEntry(ErrorText error, int32_t code) {
  return fail(error, MLAFUSE_EXECUTION_FAILED,
              "the compiled entry refused to run with code " +
                  std::to_string(code) +
                  (code == MLAFUSE_ENTRY_BAD_CONTEXT
                       ? " (another ABI version, or too small a workspace)"
                       : ""));
}

using EntryFunction = int32_t (*)(const mlafuse_launch_context *,
                                  void *const *descriptors);

/// Most threads that a context may be asked for.
constexpr int32_t maxThreads = 4096;

/// An image of a library and the kernels to be had from it.
struct KernelImage {
  const void *data;
  size_t bytes;
  bool isText; ///< PTX, with or without a NUL at its end.
  const std::vector<std::string> &kernels;
};

/// One launch, checked: all that is left to do is to run it.
struct Launch {
  EntryFunction entry;
  void *kernels; ///< What `load` made; NULL on the CPU.
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

  /// `threads` is from 0 to maxThreads.
  mlafuse_status (*create)(int32_t threads, void **state, ErrorText error);
  void (*destroy)(void *state);
  int32_t (*threads)(void *state);
  /// Which of the machine's devices this is, as DLPack counts them.
  int32_t (*index)(void *state);
  /// The chip as the driver names it: "sm_90", "gfx942:sramecc+:xnack-", for
  /// the CPU its level of x86-64. Lives as long as the state.
  const char *(*chip)(void *state);
  /// Whether code for `chip`, as a manifest names it, runs on the CPU. NULL on
  /// a GPU, for which chooseTarget knows.
  mlafuse_status (*checkChip)(void *state, const char *chip, ErrorText error);
  /// Loads an image and finds its kernels; both NULL on the CPU.
  mlafuse_status (*load)(void *state, const KernelImage &image, void **kernels,
                         ErrorText error);
  void (*unload)(void *state, void *kernels);
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
