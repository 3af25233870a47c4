//===- Handles.h - owners of the runtime's handles ------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_HANDLES_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_HANDLES_H

#include "Error.h"

#include <memory>
#include <utility>

namespace mlafuse::rt {

struct HandleDeleter {
  void operator()(mlafuse_context *context) const {
    mlafuse_context_destroy(context);
  }
  void operator()(mlafuse_module *module) const {
    mlafuse_module_unload(module);
  }
};

using ContextHandle = std::unique_ptr<mlafuse_context, HandleDeleter>;
using ModuleHandle = std::unique_ptr<mlafuse_module, HandleDeleter>;

/// The error of a call of the C ABI.
inline Error check(mlafuse_status status) {
  return status == MLAFUSE_OK ? Error() : Error(status, mlafuse_last_error());
}

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_HANDLES_H
