//===- Projection.h - what a kernel of head_projection works on -*- C++ -*-===//
//
// Per head h: out[t, h, :] = x[t, h, :] w[h, :, :]. All kernels have a tile of
// the weights in shared memory (WeightTile), and the sums of 16 rows per warp,
// which the warp stores or quantizes (OutputTile). They differ in the
// instruction that multiplies, and in the way of x to registers: straight
// (RowFragments) or through shared memory (RowRing).
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_PROJECTION_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_PROJECTION_H

#include "../QuantizeTile.h"
#include "MLAFuse/Conversion/Schedule.h"

namespace mlafuse::kernel::projection {

/// Rows of a warp's part of a product.
inline constexpr int64_t kWarpRows = 16;
inline constexpr int64_t kWarpThreads = 32;
/// Values of K that a product takes.
inline constexpr int64_t kProductDepth = 16;
/// Values of K whose order in RowFragments is not theirs in memory; K is padded
/// to a multiple of it there.
inline constexpr int64_t kInterleave = 32;
/// Elements of 16 bytes of x and w.
inline constexpr int64_t kChunk = 8;

/// The op, and how its work is cut.
struct Projection {
  ProjectionSchedule schedule;
  /// x [tokens, H, K], or [B, S, H, K] where its layout does not allow that.
  mlir::Value x, w;
  mlir::Value actualRows; ///< May be null.
  mlir::Type elements;    ///< Of x and w: bf16 or f16.
  int64_t heads, depth, width;
  int64_t columns; ///< Of a tile; divides the width.
  QuantBuffers buffers;
  Alignment alignment;
  /// The kernel may read the weights before the launch ahead of it has ended.
  bool readsWeightsEarly;
  /// The kernel takes its rows from RowFragments.
  bool usesFragments;

  /// Fails, with an error at the op, if the chip has no kernel for it.
  static llvm::FailureOr<Projection> make(Emitter &e, HeadProjectionOp op,
                                          const Chip &chip);

  /// K cut in slices of the schedule's depth; the last may be shorter.
  int64_t getSlices() const;
  /// Values of K of a slice, padded.
  int64_t getSliceDepth(int64_t slice) const;
  int64_t getPaddedDepth() const;
  int64_t getTilesPerHead() const { return width / columns; }
  /// 32-bit sums of a thread.
  int64_t getSums() const { return columns / 2; }

  /// The output is [tokens, H, N] or [B, S, H, N], not rows of H * N.
  bool isPerHead() const;
};

/// The rows that are computed and stored; an index of the device. `rows`, an
/// index of the host, is what the output has room for.
mlir::Value getStoredRows(Emitter &e, const Projection &projection,
                          mlir::Value rows);

/// The indices of row `row` (i32) of [tokens, H, ..] or [B, S, H, ..].
llvm::SmallVector<mlir::Value, 3> getPosition(Emitter &e, mlir::Value buffer,
                                              mlir::Value row);

/// Bytes (i64) between neighbours in dimension `dim` of a buffer.
mlir::Value getStrideBytes(Emitter &e, mlir::Value buffer, int64_t dim);

/// Emits the launch of the form that `projection.alignment` is at. `rows` are
/// those that the output has room for; blocks from the kernel's own on write
/// `padding`.
void launchWarpgroups(Emitter &e, const Chip &chip,
                      const Projection &projection, mlir::Value rows,
                      const ScalePadding &padding);
void launchWarps(Emitter &e, const Chip &chip, const Projection &projection,
                 mlir::Value rows, const ScalePadding &padding);

/// The blocks of a launch.
struct BlockGrid {
  mlir::Value count; ///< An index of the host.
  int64_t threads, sharedBytes;
  bool overlapsPrevious; ///< Their body waits for the launch ahead of it.
  bool movesRegisters;   ///< Between warpgroups.
};

/// Launches blocks that run `body`, and those that write `padding`.
void launchBlocks(Emitter &e, const Chip &chip, const BlockGrid &grid,
                  const ScalePadding &padding,
                  llvm::function_ref<void(Emitter &, Kernel &)> body);

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_PROJECTION_H
