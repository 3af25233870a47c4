//===- Device.h - an open device ------------------------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_DEVICE_H
#define MLAFUSE_RT_COMMON_DEVICE_H

#include "Backend.h"
#include "Error.h"

#include <memory>

namespace mlafuse::rt {

/// A backend and the state of one of its devices. Contexts and the modules that
/// they loaded share it, so that either may go first.
class Device {
public:
  /// Loads the backend from the directory of the runtime's own library and
  /// opens a device.
  static Error open(std::string_view name, int32_t threads,
                    std::shared_ptr<Device> &device);

  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const Backend &getBackend() const { return *backend; }

  /// Calls a function of the backend with the state before and the place for an
  /// error text after `arguments`.
  template <typename Function, typename... Arguments>
  Error call(Function function, Arguments &&...arguments) const {
    char text[errorBytes];
    text[0] = '\0';
    mlafuse_status status =
        function(state, arguments..., ErrorText{text, sizeof(text)});
    return status == MLAFUSE_OK
               ? Error()
               : Error(status, concat({backend->name, ": ", text}));
  }

  void release(void *memory) const { backend->release(state, memory); }
  void unload(void *kernels) const { backend->unload(state, kernels); }
  int32_t getThreads() const { return backend->threads(state); }
  int32_t getIndex() const { return backend->index(state); }
  const char *getChip() const { return backend->chip(state); }

private:
  /// Room for the messages of a GPU's compiler.
  static constexpr size_t errorBytes = 2048;

  Device(const Backend &backend, void *state)
      : backend(&backend), state(state) {}

  const Backend *backend;
  void *state;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_DEVICE_H
