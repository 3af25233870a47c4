//===- AttenderRows.h - numbers of a part's rows ----------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERROWS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERROWS_H

#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

inline constexpr int64_t kWarpRows = 16, kF32Bytes = 4, kQuad = 4, kLanes = 32;
/// What a lane stores at a time where a row is rounded.
inline constexpr int64_t kLaneBytes = 16;

/// Bytes at the start of the queries' memory of what both attenders have to
/// know of each row; rows lie behind.
inline constexpr int64_t kRowValueBytes = WarpgroupBlock::kAttenders *
                                          WarpgroupBlock::kRowValues *
                                          WarpgroupBlock::kTileRows * kF32Bytes;

/// Bytes from a row in shared memory to the next: a quad's pairs more than the
/// row has, and lanes that write pairs of eight rows meet no bank twice.
inline constexpr int64_t getPitch(int64_t columns, int64_t elementBytes) {
  return (columns + kQuad * 2) * elementBytes;
}

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERROWS_H
