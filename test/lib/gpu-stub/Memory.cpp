//===- Memory.cpp - device memory -------------------------------------===//
#include "Memory.h"
#include "Stub.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace mlafuse::gpustub {
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

struct sigaction previousAction;

/// The host has touched device memory, or something else went wrong. The access
/// is repeated on return, and then ends the process.
void onFault(int number, siginfo_t *info, void *) {
  const char *text = describeAddress(reinterpret_cast<uint64_t>(info->si_addr));
  if (!text) {
    sigaction(number, &previousAction, nullptr);
    return;
  }
  std::fprintf(stderr, "%s: the host touched address %p, %s\n", vendor.stub,
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
  return Stub::get().memory.describe(address);
}

const char *DeviceMemory::describe(uint64_t address) const {
  static char text[128];
  char *pointer = reinterpret_cast<char *>(address);
  for (const auto &[start, allocation] : allocations) {
    const char *end = allocation.end();
    if (pointer < allocation.pages - page ||
        pointer >= allocation.endOfPages() + page)
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

bool DeviceMemory::holds(const void *pointer, size_t bytes) const {
  char *start = static_cast<char *>(const_cast<void *>(pointer));
  auto after = allocations.upper_bound(start);
  if (after == allocations.begin())
    return false;
  const Allocation &found = std::prev(after)->second;
  size_t offset = static_cast<size_t>(start - found.start);
  return offset <= found.bytes && bytes <= found.bytes - offset;
}

void DeviceMemory::open(bool isOpen) {
  for (const auto &[start, allocation] : allocations)
    mprotect(allocation.pages, allocation.pageBytes,
             isOpen ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void *DeviceMemory::allocate(size_t bytes) {
  installFaultHandler();
  size_t pageBytes = roundUp(bytes, page);
  void *mapping = mmap(nullptr, pageBytes + 2 * page, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  char *pages = static_cast<char *>(mapping) + page;
  char *start = pages + pageBytes - roundUp(bytes, alignment);
  Allocation allocation = {start, bytes, pages, pageBytes};
  mprotect(pages, pageBytes, PROT_READ | PROT_WRITE);
  std::memset(start, fresh, bytes);
  std::memset(pages, slack, static_cast<size_t>(start - pages));
  std::memset(allocation.end(), slack,
              static_cast<size_t>(allocation.endOfPages() - allocation.end()));
  mprotect(pages, pageBytes, PROT_NONE);
  allocations[start] = allocation;
  return start;
}

void DeviceMemory::checkSlack(const Allocation &allocation) {
  auto check = [&](const char *from, const char *to, const char *where) {
    for (; from < to; ++from)
      if (static_cast<unsigned char>(*from) != slack) {
        std::fprintf(stderr,
                     "%s: a kernel or a copy wrote %s device memory %p "
                     "of %zu bytes, at %p\n",
                     vendor.stub, where, static_cast<void *>(allocation.start),
                     allocation.bytes, static_cast<const void *>(from));
        std::abort();
      }
  };
  check(allocation.pages, allocation.start, "before");
  check(allocation.end(), allocation.endOfPages(), "after the end of");
}

bool DeviceMemory::release(void *pointer) {
  auto found = allocations.find(static_cast<char *>(pointer));
  if (found == allocations.end())
    return false;
  Allocation allocation = found->second;
  mprotect(allocation.pages, allocation.pageBytes, PROT_READ);
  checkSlack(allocation);
  allocations.erase(found);
  // The address range stays reserved: a use after free faults.
  mmap(allocation.pages, allocation.pageBytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return true;
}

} // namespace mlafuse::gpustub
