//===- PartSharing.h - who combines which parts -----------------*- C++ -*-===//
//
// All groups that have a part of a request share its rows. A piece is a slice
// of a row's columns, 16 bytes a lane. The parts of a piece are shared, too: by
// up to 4 lanes of a warp, which leaves 128 bytes of a row that lie together,
// and where parts are still too many for a lane to have all its loads under way
// at once, by some warps, a team.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSHARING_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSHARING_H

#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Parts of a request that are combined at most.
inline constexpr int64_t kMaxCombinedParts = 160;

/// Of a thread of some warps that have a part to themselves, a unit of kWarps
/// or several; i32 values. But for the numbers of lane, warp and unit all of
/// the threads have the same.
struct PartSharing {
  static constexpr int64_t kWarps = 8;
  /// Lanes of a warp that share parts at most.
  static constexpr int64_t kMaxPartLanes = 4;
  /// Parts that a lane has registers for: lanes of a team may have
  /// kMaxCombinedParts.
  static constexpr int64_t kLaneParts = 8;
  /// Bytes of a row of a part that a lane has.
  static constexpr int64_t kLaneBytes = 16;

  /// `warp` is the warp's number in its unit, `unit` that one's of `units`,
  /// which are `mostUnits` at most.
  PartSharing(Emitter &e, const Chip &chip, const AttentionSchedule &schedule,
              int64_t latent, PartFormat format, const CutPart &cut,
              mlir::Value rows, mlir::Value warp, mlir::Value unit,
              mlir::Value units, int64_t mostUnits);

  int64_t laneColumns; ///< In kLaneBytes.
  int64_t laneParts;   ///< Of a lane at most.

  mlir::Value lane;
  mlir::Value columnLane, columnLanes; ///< The lane's of the slice, of so many.
  /// Its number of those with the same columns; the logarithm of how many.
  mlir::Value partLane, log2PartLanes;
  mlir::Value member, members; ///< The warp's of its team, of so many.
  mlir::Value team;            ///< The team's of the unit.
  mlir::Value firstPart;       ///< Of the lane.
  mlir::Value ownParts;        ///< How many it has; may be negative.
  mlir::Value mostOwnParts;    ///< Of any lane.
  mlir::Value log2Slices;      ///< Of a row.
  /// Pieces of the rows; the team's are firstPiece, firstPiece + step, ...
  mlir::Value pieces, firstPiece, step;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSHARING_H
