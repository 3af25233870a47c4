//===- WarpLayout.h - memory of attention's kernel of warps -----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_SCHEDULE_WARPLAYOUT_H
#define MLAFUSE_LIB_CONVERSION_SCHEDULE_WARPLAYOUT_H

#include "MLAFuse/Conversion/Schedule.h"

namespace mlafuse::kernel {

/// Dynamic shared memory of a block, in bytes from its start: the schedule is
/// checked by what the kernel takes.
struct WarpLayout {
  /// Queries and keys have `width` columns of 16 bits.
  WarpLayout(const AttentionSchedule &schedule, int64_t width);

  /// Of a key that is found: its address, and the bytes to copy of a chunk.
  static constexpr int64_t kFoundBytes = 16;
  static constexpr int64_t kFlagBytes = 4;
  /// Keys whose flags are read at once.
  static constexpr int64_t kFlagKeys = 32;

  int64_t queries;    ///< A tile of tile_rows.
  int64_t keys;       ///< A tile of block_keys per stage.
  int64_t stageBytes; ///< Of one of those.
  int64_t found;      ///< Per stage and key.
  int64_t flags;      ///< Per stage and key, in whole kFlagKeys.
  int64_t bytes;      ///< Of all, with the alignment of the start.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_WARPLAYOUT_H
