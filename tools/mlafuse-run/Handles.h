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

/// Memory of a context's device.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(DeviceMemory &&other) noexcept
      : context(other.context), memory(std::exchange(other.memory, nullptr)) {}
  DeviceMemory &operator=(DeviceMemory &&) = delete;
  ~DeviceMemory() { mlafuse_free(context, memory); }

  /// Called once.
  Error allocate(mlafuse_context *owner, size_t bytes) {
    context = owner;
    return check(mlafuse_alloc(context, bytes, &memory));
  }

  void *get() const { return memory; }

private:
  mlafuse_context *context = nullptr;
  void *memory = nullptr;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_HANDLES_H
