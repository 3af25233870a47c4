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
  static constexpr int64_t kRope = 64; ///< Or 0.
  static constexpr int64_t kScoreGroups = 2, kGroupWarps = 4;
  static constexpr int64_t kWarpKeys = kBlockKeys / kGroupWarps;
  /// Bytes from key to key of a slice: codes and four f32 scales.
  static constexpr int64_t kSlicePitch = kLatent + 4 * 4;
  /// Pieces of a slice's columns that come, and are done with, by themselves.
  static constexpr int64_t kHalves = 2;
  /// As schedules count the warps that share the output's columns.
  static constexpr int64_t kWarpgroups = 2;
  /// Stages of values: one for each score group, which else might be two phases
  /// of a barrier ahead of the other; and there is no room for more.
  static constexpr int64_t kStages = 2;
  /// Of probabilities as products take them, and before they were rounded.
  static constexpr int64_t kSumKinds = 2;
};

/// Dynamic shared memory of a block, in bytes from its start; the pieces are
/// what SwappedBlock says.
struct SwappedLayout {
  /// `rope` are the columns of a key beyond the latent.
  SwappedLayout(int64_t stages, int64_t rope);

  int64_t queries;
  int64_t slices, sliceBytes; ///< Of one warp, like the next.
  int64_t rope, ropeBytes;    ///< Of the four that have a block.
  int64_t values, valueBytes; ///< Of one stage, like the next.
  int64_t probabilities, probabilityBytes;
  int64_t references, referenceBytes;
  int64_t sums, sumReferences;
  int64_t exist; ///< Of each warp, i32.
  int64_t sliceFull, sliceFree, ropeFree, full, free, decided, sumsFull,
      sumsFree;  ///< Barriers.
  int64_t bytes; ///< Of all, with the alignment of the start.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_SWAPPEDLAYOUT_H
