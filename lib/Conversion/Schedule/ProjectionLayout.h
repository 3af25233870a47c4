//===- ProjectionLayout.h - memory of a projection's block ------*- C++ -*-===//
//
// What head_projection's kernel of warpgroups has in shared memory: the kernel
// is laid out and the schedule is checked by the same numbers.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_SCHEDULE_PROJECTIONLAYOUT_H
#define MLAFUSE_LIB_CONVERSION_SCHEDULE_PROJECTIONLAYOUT_H

#include "MLAFuse/Conversion/Schedule.h"

namespace mlafuse::kernel {

/// Rows of a warp's sums that are in shared memory at a time, all 16 or half of
/// them, their columns with padding, and the bytes that they take in f32.
int64_t getStagedRows(int64_t columns);
int64_t getStagedColumns(int64_t columns);
int64_t getStagedBytes(int64_t columns);

/// Offsets in bytes from the block's start, and sizes.
struct ProjectionLayout {
  /// The block has the weights of `tiles` tiles of a head, whose rows have
  /// `depth` values.
  ProjectionLayout(const ProjectionSchedule &schedule, int64_t depth,
                   int64_t tiles);

  static constexpr int64_t kGroupRows = 64;
  static constexpr int64_t kGroupThreads = 128;
  static constexpr int64_t kGroupWarps = 4;

  int64_t groups;  ///< Warpgroups that multiply; one more brings rows of x.
  int64_t stages;  ///< Slices of a tile of x that the block has room for.
  int64_t slices;  ///< Of K.
  int64_t columns; ///< Of a tile.

  /// Weights have a barrier for so many values of K: when the last have come,
  /// little is left to do.
  int64_t partDepth, weightParts;
  int64_t weights, tileBytes;
  int64_t ring, slotBytes;       ///< A slice of 64 rows of x; swizzled.
  int64_t staging, stagingBytes; ///< Of each warp.
  /// Barriers, of 8 bytes: that slices of x have come, that a slot is free, and
  /// that each part of each tile of the weights has come.
  int64_t full, free, weightsFull;
  /// Of the first kind there are so many, a multiple of all warpgroups' slices:
  /// slice number n of the block has barrier n mod fullBarriers, and a barrier
  /// has one warpgroup, which sees each of its phases. Seen by turns a barrier
  /// would be a phase ahead for who comes late.
  int64_t fullBarriers;
  int64_t bytes; ///< Of all, with the alignment of the start.

  int64_t getThreads() const { return (groups + 1) * kGroupThreads; }

  /// Registers of a thread that brings rows, and of one that multiplies; 0
  /// where threads keep what they have from the start.
  int64_t getLoaderRegisters() const;
  int64_t getMultiplierRegisters() const;
  /// Those that a thread that multiplies has room for.
  int64_t getThreadRegisters() const;

private:
  bool movesRegisters() const;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_PROJECTIONLAYOUT_H
