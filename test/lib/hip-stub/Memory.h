//===- Memory.h - what lies at an address -----------------------*- C++ -*-===//
#ifndef MLAFUSE_HIPSTUB_MEMORY_H
#define MLAFUSE_HIPSTUB_MEMORY_H

#include <cstdint>

namespace mlafuse::hipstub {

/// "3 bytes after the end of device memory 0x... of 64 bytes"; null if no
/// device memory is near. For messages about faults.
const char *describeAddress(uint64_t address);

} // namespace mlafuse::hipstub

#endif // MLAFUSE_HIPSTUB_MEMORY_H
