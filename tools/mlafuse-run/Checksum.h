//===- Checksum.h - FNV-1a of 64 bits -------------------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_CHECKSUM_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_CHECKSUM_H

#include <cstddef>
#include <cstdint>

namespace mlafuse::rt {

inline uint64_t checksum(const void *data, size_t bytes) {
  uint64_t hash = 0xCBF29CE484222325;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const uint8_t *>(data)[i]) * 0x100000001B3;
  return hash;
}

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_CHECKSUM_H
