//===- Memory.h - device memory ---------------------------------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_MEMORY_H
#define MLAFUSE_GPUSTUB_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>

namespace mlafuse::gpustub {

/// Host memory between pages that nobody may touch, closed to the host unless
/// device work runs.
class DeviceMemory {
public:
  /// Null if there is no memory left.
  void *allocate(size_t bytes);

  /// False if `pointer` is not what `allocate` gave. Ends the process if bytes
  /// around the allocation were written.
  bool release(void *pointer);

  /// Whether one allocation has all of these bytes.
  bool holds(const void *pointer, size_t bytes) const;

  /// Opens all of it to this process, or closes it.
  void open(bool isOpen);

  /// See describeAddress.
  const char *describe(uint64_t address) const;

private:
  struct Allocation {
    char *start;
    size_t bytes;
    char *pages; ///< The pages that hold it.
    size_t pageBytes;

    char *end() const { return start + bytes; }
    char *endOfPages() const { return pages + pageBytes; }
  };
  static void checkSlack(const Allocation &allocation);

  std::map<char *, Allocation> allocations; ///< By start.
};

/// "3 bytes after the end of device memory 0x... of 64 bytes"; null if no
/// device memory is near. For messages about faults.
const char *describeAddress(uint64_t address);

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_MEMORY_H
