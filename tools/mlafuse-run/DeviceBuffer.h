//===- DeviceBuffer.h - memory of a device with guards --------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_DEVICEBUFFER_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_DEVICEBUFFER_H

#include "Handles.h"

#include <memory>

namespace mlafuse::rt {

/// Memory of the host that is not initialized; NULL data if there was none.
using HostBuffer = std::unique_ptr<uint8_t[]>;

/// Allocates memory of the host for `what`.
Error allocateHost(std::string_view what, size_t bytes, HostBuffer &buffer);

/// The only stream that the tool uses: the device's default one.
constexpr void *defaultStream = nullptr;

/// Memory of a context's device, perhaps between guard bytes.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer &&other) noexcept;
  DeviceBuffer &operator=(DeviceBuffer &&) = delete;
  ~DeviceBuffer() { mlafuse_free(context, allocated); }

  /// Called once. With `guarded`, what is left uninitialized lies between guard
  /// bytes, and there are some even if `size` is 0.
  Error allocate(mlafuse_context *owner, size_t size, bool guarded);

  /// The memory; NULL if it has no byte.
  void *get() const { return memory; }

  /// Copies all of it from or to the host, and waits.
  Error write(const void *source);
  Error read(void *destination) const;

  /// Writes bytes that are no sensible number of any type, and waits.
  Error poison();

  /// Fails if a guard byte has changed, and tells where.
  Error checkGuards() const;

private:
  Error copyFrom(const void *source, void *destination, size_t size);
  Error checkGuard(const char *guard, const char *where) const;

  mlafuse_context *context = nullptr;
  char *allocated = nullptr;
  char *memory = nullptr;
  size_t bytes = 0;
  bool isGuarded = false;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_DEVICEBUFFER_H
