//===- SwappedLayout.h - memory of attention's swapped kernel ---*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_SCHEDULE_SWAPPEDLAYOUT_H
#define MLAFUSE_LIB_CONVERSION_SCHEDULE_SWAPPEDLAYOUT_H

#include <cstdint>

namespace mlafuse::kernel {

/// What the kernel is made of: two warpgroups that make scores, of a block of
/// keys each in turn, one that multiplies values, and one that copies keys.
struct SwappedShape {
  static constexpr int64_t kTileRows = 16;
  static constexpr int64_t kBlockKeys = 64;
  static constexpr int64_t kLatent = 512;
  static constexpr int64_t kScoreGroups = 2, kGroupWarps = 4;
  static constexpr int64_t kWarpKeys = kBlockKeys / kGroupWarps;
  /// Columns under one scale; scales of a key.
  static constexpr int64_t kScaleColumns = 128;
  static constexpr int64_t kScales = kLatent / kScaleColumns;
  /// Of a key's row in the cache: where scales and rope columns are.
  static constexpr int64_t kScaleOffset = kLatent;
  static constexpr int64_t kRopeOffset = kScaleOffset + kScales * 4;
  /// What schedules of narrow tiles say, as of NarrowShape.
  static constexpr int64_t kWarpgroups = 2;
  /// Stages of keys: at least one for each score group, which else might be two
  /// phases of a barrier ahead of the other.
  static constexpr int64_t kMinStages = kScoreGroups, kMaxStages = 4;
  /// Blocks whose probabilities are on their way at a time: one of each group.
  static constexpr int64_t kMessages = kScoreGroups;
};

/// Dynamic shared memory of a block, in bytes from its start; the pieces are
/// what SwappedBlock says.
struct SwappedLayout {
  /// `rope` are the columns of a key beyond the latent.
  SwappedLayout(int64_t stages, int64_t rope);

  int64_t queries;
  int64_t rowBytes; ///< Of a key.
  int64_t keys, stageBytes;
  int64_t probabilities, probabilityBytes; ///< Of one scale, like the next.
  int64_t references, referenceBytes;      ///< Of one message, like the next.
  int64_t sums, sumReferences, totals, magnitudes;
  int64_t exist; ///< Of each warp's keys of a stage, i32.
  int64_t full, free, published, consumed, decided, sumsFull,
      sumsFree;  ///< Barriers.
  int64_t bytes; ///< Of all, with the alignment of the start.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_SWAPPEDLAYOUT_H
