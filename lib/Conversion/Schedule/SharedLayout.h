//===- SharedLayout.h - where things lie in shared memory -------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_SCHEDULE_SHAREDLAYOUT_H
#define MLAFUSE_LIB_CONVERSION_SCHEDULE_SHAREDLAYOUT_H

#include "MLAFuse/Target/Chip.h"
#include "llvm/Support/MathExtras.h"

namespace mlafuse::kernel::ptx {

/// Hands out offsets of a block's dynamic shared memory.
class SharedLayout {
public:
  /// Bytes from the start of the block's memory.
  int64_t add(int64_t bytes, int64_t alignment = 16) {
    int64_t offset = llvm::alignTo(used, alignment);
    used = offset + bytes;
    return offset;
  }
  /// Bytes so far, with the slack that aligning the start takes.
  int64_t getBytes() const {
    return used + kAlignment - Chip::kDynamicSharedAlignment;
  }

  /// Alignment of the start: what a tile of 128-byte swizzled rows needs.
  static constexpr int64_t kAlignment = 1024;

private:
  int64_t used = 0;
};

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_SHAREDLAYOUT_H
