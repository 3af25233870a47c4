//===- Memory.cpp - device memory, copies -----------------------------===//
#include "Memory.h"
#include "Stub.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace mlafuse::hipstub {
namespace {

constexpr size_t page = 4096;
/// Device pointers are aligned as a workspace needs to be, no more: so a buffer
/// ends at most 63 bytes before the page that must not be touched.
constexpr size_t alignment = 64;
/// Of fresh memory: a NaN in every float type.
constexpr unsigned char fresh = 0xff;
/// Of the bytes between a buffer's end and the page's.
constexpr unsigned char slack = 0xa5;

size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

char *slackOf(const Allocation &allocation) {
  return allocation.start + allocation.bytes;
}
size_t slackBytes(const Allocation &allocation) {
  return static_cast<size_t>(allocation.pages + allocation.pageBytes -
                             slackOf(allocation));
}

struct sigaction previousAction;

/// The host has touched device memory, or something else went wrong. The access
/// is repeated on return, and then ends the process.
void onFault(int number, siginfo_t *info, void *) {
  const char *text = describeAddress(reinterpret_cast<uint64_t>(info->si_addr));
  if (!text) {
    sigaction(number, &previousAction, nullptr);
    return;
  }
  std::fprintf(stderr, "hip stub: the host touched address %p, %s\n",
               info->si_addr, text);
  signal(number, SIG_DFL);
}

void installFaultHandler() {
  static bool isInstalled = false;
  if (isInstalled)
    return;
  isInstalled = true;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &previousAction);
}

} // namespace

const char *describeAddress(uint64_t address) {
  static char text[128];
  char *pointer = reinterpret_cast<char *>(address);
  for (const auto &[start, allocation] : Stub::get().allocations) {
    const char *end = start + allocation.bytes;
    const char *low = allocation.pages - page;
    const char *high = allocation.pages + allocation.pageBytes + page;
    if (pointer < low || pointer >= high)
      continue;
    if (pointer < start)
      std::snprintf(text, sizeof text, "%td bytes before", start - pointer);
    else if (pointer < end)
      std::snprintf(text, sizeof text, "in byte %td of", pointer - start);
    else
      std::snprintf(text, sizeof text, "%td bytes after the end of",
                    pointer - end);
    size_t length = std::strlen(text);
    std::snprintf(text + length, sizeof text - length,
                  " device memory %p of %zu bytes", static_cast<void *>(start),
                  allocation.bytes);
    return text;
  }
  return nullptr;
}

const Allocation *Stub::findAllocation(const void *pointer, size_t bytes) {
  char *start = static_cast<char *>(const_cast<void *>(pointer));
  auto after = allocations.upper_bound(start);
  if (after == allocations.begin())
    return nullptr;
  const Allocation &found = std::prev(after)->second;
  size_t offset = static_cast<size_t>(start - found.start);
  return offset <= found.bytes && bytes <= found.bytes - offset ? &found
                                                                : nullptr;
}

void Stub::openMemory(bool open) {
  for (const auto &[start, allocation] : allocations)
    mprotect(allocation.pages, allocation.pageBytes,
             open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

} // namespace mlafuse::hipstub

using namespace mlafuse::hipstub;

HIPSTUB_API hipError_t hipMalloc(void **result, size_t bytes) {
  Call call("hipMalloc");
  if (hipError_t error = call.check())
    return error;
  if (!result)
    return fail(call.name, hipErrorInvalidValue, "no place for the pointer");
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  *result = nullptr;
  if (bytes == 0)
    return hipSuccess;
  if (bytes > size_t(1) << 40)
    return fail(call.name, hipErrorOutOfMemory,
                std::to_string(bytes) + " bytes are too many");
  installFaultHandler();
  size_t pageBytes = roundUp(bytes, page);
  void *mapping = mmap(nullptr, pageBytes + 2 * page, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return fail(call.name, hipErrorOutOfMemory,
                "no memory is left for " + std::to_string(bytes) + " bytes");
  char *pages = static_cast<char *>(mapping) + page;
  char *start = pages + pageBytes - roundUp(bytes, alignment);
  Allocation allocation = {start, bytes, pages, pageBytes};
  mprotect(pages, pageBytes, PROT_READ | PROT_WRITE);
  std::memset(start, fresh, bytes);
  std::memset(pages, slack, static_cast<size_t>(start - pages));
  std::memset(slackOf(allocation), slack, slackBytes(allocation));
  mprotect(pages, pageBytes, PROT_NONE);
  call.stub.allocations[start] = allocation;
  *result = start;
  return hipSuccess;
}

/// Ends the process if bytes around the buffer were written.
static void checkSlack(const Allocation &allocation) {
  auto check = [&](const char *from, size_t count, const char *where) {
    for (size_t i = 0; i < count; ++i)
      if (static_cast<unsigned char>(from[i]) != slack) {
        std::fprintf(stderr,
                     "hip stub: a kernel or a copy wrote %s device memory %p "
                     "of %zu bytes, at %p\n",
                     where, static_cast<void *>(allocation.start),
                     allocation.bytes, static_cast<const void *>(from + i));
        std::abort();
      }
  };
  check(allocation.pages,
        static_cast<size_t>(allocation.start - allocation.pages), "before");
  check(slackOf(allocation), slackBytes(allocation), "after the end of");
}

HIPSTUB_API hipError_t hipFree(void *pointer) {
  Call call("hipFree");
  if (hipError_t error = call.check())
    return error;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  // It waits for all work, of which some may use the memory.
  if (hipError_t error = call.stub.finish(call.name, call.stub.lastWork()))
    return error;
  if (!pointer)
    return hipSuccess;
  auto found = call.stub.allocations.find(static_cast<char *>(pointer));
  if (found == call.stub.allocations.end())
    return fail(call.name, hipErrorInvalidDevicePointer,
                hex(pointer) + " is not what hipMalloc gave (any more)");
  Allocation allocation = found->second;
  mprotect(allocation.pages, allocation.pageBytes, PROT_READ);
  checkSlack(allocation);
  call.stub.allocations.erase(found);
  // The address range stays reserved: a use after free faults.
  mmap(allocation.pages, allocation.pageBytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return hipSuccess;
}

/// Whether the pointers are what the copy's kind says.
static hipError_t checkCopy(const Call &call, const void *destination,
                            const void *source, size_t bytes,
                            hipMemcpyKind kind) {
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault)
    return fail(call.name, hipErrorInvalidMemcpyDirection,
                "there is no kind " + std::to_string(kind));
  auto check = [&](const void *pointer, const char *what, bool isDevice) {
    if (!pointer)
      return fail(call.name, hipErrorInvalidValue,
                  std::string("the ") + what + " is null");
    if (kind == hipMemcpyDefault)
      return hipSuccess;
    if (isDevice && !call.stub.findAllocation(pointer, bytes))
      return fail(call.name, hipErrorInvalidValue,
                  std::to_string(bytes) + " bytes at the " + what + " " +
                      hex(pointer) + " do not lie within device memory");
    if (!isDevice && call.stub.findAllocation(pointer, 1))
      return fail(call.name, hipErrorInvalidMemcpyDirection,
                  std::string("the ") + what + " " + hex(pointer) +
                      " is device memory, but the kind says host memory");
    return hipSuccess;
  };
  bool toDevice =
      kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice;
  bool fromDevice =
      kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice;
  if (hipError_t error = check(destination, "destination", toDevice))
    return error;
  return check(source, "source", fromDevice);
}

static hipError_t copy(Call &call, void *destination, const void *source,
                       size_t bytes, hipMemcpyKind kind, Stream *stream) {
  if (bytes == 0)
    return hipSuccess;
  if (hipError_t error = checkCopy(call, destination, source, bytes, kind))
    return error;
  if (kind == hipMemcpyHostToDevice && !stream->capture) {
    // Pageable memory is read before the call returns.
    const char *begin = static_cast<const char *>(source);
    std::vector<char> staged(begin, begin + bytes);
    return call.stub.submit(
        call.name, stream, [destination, staged = std::move(staged)] {
          std::memcpy(destination, staged.data(), staged.size());
          return std::string();
        });
  }
  return call.stub.submit(call.name, stream, [=] {
    std::memmove(destination, source, bytes);
    return std::string();
  });
}

HIPSTUB_API hipError_t hipMemcpyAsync(void *destination, const void *source,
                                      size_t bytes, hipMemcpyKind kind,
                                      hipStream_t handle) {
  Call call("hipMemcpyAsync");
  if (hipError_t error = call.check())
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  return stream ? copy(call, destination, source, bytes, kind, stream)
                : hipErrorInvalidHandle;
}

HIPSTUB_API hipError_t hipMemcpy(void *destination, const void *source,
                                 size_t bytes, hipMemcpyKind kind) {
  Call call("hipMemcpy");
  if (hipError_t error = call.check())
    return error;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  Stream &stream = call.stub.nullStream;
  if (hipError_t error = copy(call, destination, source, bytes, kind, &stream))
    return error;
  return call.stub.finish(call.name, call.stub.lastWork());
}

static hipError_t fill(Call &call, void *destination, int value, size_t bytes,
                       Stream *stream) {
  if (bytes == 0)
    return hipSuccess;
  if (!call.stub.findAllocation(destination, bytes))
    return fail(call.name, hipErrorInvalidValue,
                std::to_string(bytes) + " bytes at " + hex(destination) +
                    " do not lie within device memory");
  return call.stub.submit(call.name, stream, [=] {
    std::memset(destination, value, bytes);
    return std::string();
  });
}

HIPSTUB_API hipError_t hipMemsetAsync(void *destination, int value,
                                      size_t bytes, hipStream_t handle) {
  Call call("hipMemsetAsync");
  if (hipError_t error = call.check())
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  return stream ? fill(call, destination, value, bytes, stream)
                : hipErrorInvalidHandle;
}

HIPSTUB_API hipError_t hipMemset(void *destination, int value, size_t bytes) {
  Call call("hipMemset");
  if (hipError_t error = call.check())
    return error;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  Stream &stream = call.stub.nullStream;
  if (hipError_t error = fill(call, destination, value, bytes, &stream))
    return error;
  return call.stub.finish(call.name, call.stub.lastWork());
}
