//===- Copies.cpp - calls that allocate, copy and fill ----------------===//
#include "Copies.h"

#include <cstring>

namespace mlafuse::gpustub {

Error allocate(Call &call, void **result, size_t bytes) {
  if (Error error = checkPlace(call, result, "pointer"))
    return error;
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  *result = nullptr;
  if (bytes == 0)
    return Success;
  if (bytes > size_t(1) << 40)
    return call.fail(OutOfMemory,
                     std::to_string(bytes) + " bytes are too many");
  *result = call.stub.memory.allocate(bytes);
  return *result ? Success
                 : call.fail(OutOfMemory, "no memory is left for " +
                                              std::to_string(bytes) + " bytes");
}

Error release(Call &call, void *pointer) {
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  // It waits for all work, of which some may use the memory.
  if (Error error = call.stub.finishAll(call))
    return error;
  if (!pointer || call.stub.memory.release(pointer))
    return Success;
  return call.fail(InvalidDevicePointer, hex(pointer) + " is not what " +
                                             vendor.allocate +
                                             " gave (any more)");
}

/// Whether a pointer is what the copy's kind says.
static Error checkEnd(Call &call, const void *pointer, size_t bytes, Side side,
                      const char *what) {
  if (!pointer)
    return call.fail(InvalidValue, std::string("the ") + what + " is null");
  if (side == Side::Device && !call.stub.memory.holds(pointer, bytes))
    return call.fail(InvalidValue, std::to_string(bytes) + " bytes at the " +
                                       what + " " + hex(pointer) +
                                       " do not lie within device memory");
  if (side == Side::Host && call.stub.memory.holds(pointer, 1))
    return call.fail(InvalidCopyDirection,
                     std::string("the ") + what + " " + hex(pointer) +
                         " is device memory, but the kind says host memory");
  return Success;
}

Error copy(Call &call, void *destination, const void *source, size_t bytes,
           CopyEnds ends, Stream *handle) {
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  if (bytes == 0)
    return Success;
  if (Error error =
          checkEnd(call, destination, bytes, ends.destination, "destination"))
    return error;
  if (Error error = checkEnd(call, source, bytes, ends.source, "source"))
    return error;
  if (ends.source == Side::Host && ends.destination == Side::Device &&
      !stream->capture) {
    // Pageable memory is read before the call returns.
    const char *begin = static_cast<const char *>(source);
    std::vector<char> staged(begin, begin + bytes);
    return call.stub.submit(
        call, stream, [destination, staged = std::move(staged)] {
          std::memcpy(destination, staged.data(), staged.size());
          return std::string();
        });
  }
  return call.stub.submit(call, stream, [=] {
    std::memmove(destination, source, bytes);
    return std::string();
  });
}

Error fill(Call &call, void *destination, int value, size_t bytes,
           Stream *handle) {
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  if (bytes == 0)
    return Success;
  if (!call.stub.memory.holds(destination, bytes))
    return call.fail(InvalidValue, std::to_string(bytes) + " bytes at " +
                                       hex(destination) +
                                       " do not lie within device memory");
  return call.stub.submit(call, stream, [=] {
    std::memset(destination, value, bytes);
    return std::string();
  });
}

Error copyAndWait(Call &call, void *destination, const void *source,
                  size_t bytes, CopyEnds ends) {
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  if (Error error = copy(call, destination, source, bytes, ends, nullptr))
    return error;
  return call.stub.finishAll(call);
}

Error fillAndWait(Call &call, void *destination, int value, size_t bytes) {
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  if (Error error = fill(call, destination, value, bytes, nullptr))
    return error;
  return call.stub.finishAll(call);
}

} // namespace mlafuse::gpustub
