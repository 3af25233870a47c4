//===- NarrowLayout.h - memory of attention's kernel of few rows *- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_SCHEDULE_NARROWLAYOUT_H
#define MLAFUSE_LIB_CONVERSION_SCHEDULE_NARROWLAYOUT_H

#include <cstdint>

namespace mlafuse::kernel {

/// What the kernel is made of. A block has twelve warps that multiply: four
/// make scores, of 16 keys each, and eight have 64 columns of the values each.
struct NarrowShape {
  static constexpr int64_t kTileRows = 16;
  static constexpr int64_t kBlockKeys = 64;
  static constexpr int64_t kLatent = 512;
  static constexpr int64_t kRope = 64; ///< Or 0.
  static constexpr int64_t kScoreWarps = 4, kWarpKeys = 16;
  static constexpr int64_t kValueWarps = 8, kWarpColumns = 64;
  /// As schedules count the warps that share the output's columns.
  static constexpr int64_t kWarpgroups = 2;
  /// Blocks whose probabilities are on their way at a time.
  static constexpr int64_t kMessages = 2;
  /// Stages of keys at most.
  static constexpr int64_t kMaxStages = 5;
};

/// Dynamic shared memory of a block, in bytes from its start. Keys lie in rows
/// as the cache has them; the other pieces are what NarrowBlock says.
struct NarrowLayout {
  /// `rope` are the columns of a key beyond the latent.
  NarrowLayout(int64_t stages, int64_t rope);

  int64_t rowBytes; ///< Of a key in the cache.
  /// From key to key: 32 or 96 beyond a multiple of 128, so that 32 bytes of
  /// four neighbours, or 64 of two that are two apart, are in different banks.
  int64_t pitch;
  int64_t stageBytes;
  int64_t keys;
  int64_t probabilities, messageBytes; ///< Of one message.
  int64_t references, referenceBytes;
  int64_t sums, sumBytes;
  int64_t maxima;
  int64_t queries, magnitudes;
  int64_t exist;
  int64_t full, free, published, consumed; ///< Barriers.
  int64_t bytes; ///< Of all, with the alignment of the start.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_NARROWLAYOUT_H
