//===- DeviceBuffer.cpp - memory of a device with guards --------------===//
#include "DeviceBuffer.h"

#include <cstring>

namespace mlafuse::rt {
namespace {

/// A multiple of what the runtime aligns memory to, so that guards keep it.
constexpr size_t guardBytes = 4096;
constexpr uint8_t guardByte = 0x5A;
constexpr uint8_t poisonByte = 0xA5;

} // namespace

Error allocateHost(std::string_view what, size_t bytes, HostBuffer &buffer) {
  buffer.reset(new (std::nothrow) uint8_t[bytes]);
  if (buffer)
    return {};
  return Error(MLAFUSE_OUT_OF_RESOURCES,
               concat({"no memory for the ", std::to_string(bytes),
                       " bytes of ", what}));
}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other) noexcept
    : context(other.context),
      allocated(std::exchange(other.allocated, nullptr)), memory(other.memory),
      bytes(other.bytes), isGuarded(other.isGuarded) {}

Error DeviceBuffer::allocate(mlafuse_context *owner, size_t size,
                             bool guarded) {
  context = owner;
  bytes = size;
  isGuarded = guarded;
  void *whole = nullptr;
  size_t wholeBytes = guarded ? size + 2 * guardBytes : size;
  if (wholeBytes < size)
    return Error(MLAFUSE_OUT_OF_RESOURCES,
                 concat({"no memory for ", std::to_string(size), " bytes"}));
  if (Error error = check(mlafuse_alloc(context, wholeBytes, &whole)))
    return error;
  allocated = static_cast<char *>(whole);
  memory = guarded && size != 0 ? allocated + guardBytes : allocated;
  if (size == 0)
    memory = nullptr;
  if (!guarded)
    return {};
  uint8_t guard[guardBytes];
  std::memset(guard, guardByte, guardBytes);
  if (Error error = copyFrom(guard, allocated, guardBytes))
    return error;
  return copyFrom(guard, allocated + guardBytes + size, guardBytes);
}

Error DeviceBuffer::copyFrom(const void *source, void *destination,
                             size_t size) {
  if (Error error = check(mlafuse_copy(context, defaultStream, destination,
                                       source, size, MLAFUSE_HOST_TO_DEVICE)))
    return error;
  // The host's memory must live until a copy that is only begun is done.
  return check(mlafuse_synchronize(context, defaultStream));
}

Error DeviceBuffer::write(const void *source) {
  return copyFrom(source, memory, bytes);
}

Error DeviceBuffer::read(void *destination) const {
  if (Error error = check(mlafuse_copy(context, defaultStream, destination,
                                       memory, bytes, MLAFUSE_DEVICE_TO_HOST)))
    return error;
  return check(mlafuse_synchronize(context, defaultStream));
}

Error DeviceBuffer::poison() {
  HostBuffer pattern;
  if (Error error = allocateHost("poison", bytes, pattern))
    return error;
  std::memset(pattern.get(), poisonByte, bytes);
  return write(pattern.get());
}

Error DeviceBuffer::checkGuards() const {
  if (!isGuarded)
    return {};
  if (Error error = checkGuard(allocated, "before its first"))
    return error;
  return checkGuard(allocated + guardBytes + bytes, "behind its last");
}

Error DeviceBuffer::checkGuard(const char *guard, const char *where) const {
  uint8_t found[guardBytes];
  if (Error error = check(mlafuse_copy(context, defaultStream, found, guard,
                                       guardBytes, MLAFUSE_DEVICE_TO_HOST)))
    return error;
  if (Error error = check(mlafuse_synchronize(context, defaultStream)))
    return error;
  bool isBefore = guard == allocated;
  for (size_t i = 0; i < guardBytes; ++i) {
    // The nearest to the buffer first.
    size_t at = isBefore ? guardBytes - 1 - i : i;
    if (found[at] != guardByte)
      return Error(MLAFUSE_EXECUTION_FAILED,
                   concat({"the function wrote outside of its ",
                           std::to_string(bytes), " bytes: byte ",
                           std::to_string(i + 1), " ", where, " was changed"}));
  }
  return {};
}

} // namespace mlafuse::rt
