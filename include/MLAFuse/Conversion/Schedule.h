//===- Schedule.h - how a matrix kernel is tuned ----------------*- C++ -*-===//
//
// One function per op chooses a kernel's schedule from shape and chip. What the
// op's `schedule` attribute gives goes before what the function would choose.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_CONVERSION_SCHEDULE_H
#define MLAFUSE_CONVERSION_SCHEDULE_H

#include "MLAFuse/IR/MLAFuse.h"
#include "MLAFuse/Target/Chip.h"

namespace mlafuse {

/// Tuning of latent_attention.
struct AttentionSchedule {
  int64_t tileRows;  ///< Rows of a tile: queries times heads of one request.
  int64_t blockKeys; ///< Keys of a block.
  int64_t stages;    ///< Key blocks that shared memory holds at a time.
  /// Groups of four warps that share a tile's products; 0 where the chip
  /// multiplies by warps.
  int64_t warpgroups;
  /// Warps that share a tile's products.
  int64_t warps;
  /// Blocks of threads, per row tile, that the work of all requests is dealt
  /// to; 0: as many as fill the chip.
  int64_t groups;
  /// Parts that one request is cut in at most; 0: any number, 1: never cut.
  int64_t splits;
  int64_t splitOverhead; ///< What starting a part costs, in key blocks.

  bool operator==(const AttentionSchedule &other) const;
};

/// Whether attention's kernel of warpgroups is made for the op's shape and
/// types and for this schedule. It takes aligned rows; others, and all that it
/// is not made for, are the kernel of warps'.
bool usesWarpgroups(LatentAttentionOp op, const AttentionSchedule &schedule);

/// The same of the kernel of narrow tiles, which has few rows and keys of 8-bit
/// codes under one scale; on chips that multiply by warpgroups.
bool usesNarrowTiles(LatentAttentionOp op, const AttentionSchedule &schedule);

/// The same of the kernel that has keys on the left of its products: narrow
/// tiles of keys whose codes have a scale per tile of them.
bool usesSwappedTiles(LatentAttentionOp op, const AttentionSchedule &schedule);

/// The schedule with which the kernel of warps takes the rows that are not
/// aligned.
AttentionSchedule getWarpSchedule(LatentAttentionOp op,
                                  AttentionSchedule schedule);

/// Tuning of head_projection.
struct ProjectionSchedule {
  /// Tokens that a block works on at a time: 64 for each of its warpgroups, or
  /// 16 for each warp.
  int64_t tileRows;
  /// Columns of a tile: whole tiles make up a head, and whole groups a tile.
  int64_t tileColumns;
  int64_t tileDepth; ///< Values of K of a slice.
  /// Slices that shared memory has room for. Where the chip multiplies by
  /// warpgroups they are x's, and all of a tile's weights are there too; else
  /// they are the weights'.
  int64_t stages;

  bool operator==(const ProjectionSchedule &other) const;
};

/// Chooses the schedule. Where the chip does not multiply matrices, or has no
/// room for what the op's attribute asks for, fails with an error at the op
/// that names the parameter, its value and what is possible.
llvm::FailureOr<AttentionSchedule> chooseSchedule(LatentAttentionOp op,
                                                  const Chip &chip);
llvm::FailureOr<ProjectionSchedule> chooseSchedule(HeadProjectionOp op,
                                                   const Chip &chip);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_SCHEDULE_H
