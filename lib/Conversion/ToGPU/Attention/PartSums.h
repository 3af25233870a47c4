//===- PartSums.h - what some parts of a row come to ------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSUMS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSUMS_H

#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Where the parts of a row are in memory; i64 values.
struct PartRows {
  /// Of part 0, if it was in a slot like others, and from one part to the next.
  mlir::Value address, stride;
  mlir::Value slotBytes; ///< The first part is in the slot before.

  mlir::Value getAddress(Emitter &e, mlir::Value part) const;
};

/// A lane's columns of a row, and where the row's parts are; i32 values.
struct PieceRows {
  mlir::Value firstColumn, column; ///< The warp's and the lane's first.
  mlir::Value isLane;              ///< i1: whether the row has the lane's.
  PartRows outputs, sums;          ///< Of the row.
};

/// What some parts come to: outputs and total are relative to 2^base; f32.
struct PartSums {
  ptx::Registers outputs; ///< Of the lane's columns.
  mlir::Value base, total;

  /// Of no parts.
  static PartSums create(Emitter &e, PartFormat format);
  ptx::Registers pack() const;
  static PartSums unpack(mlir::ValueRange all);

  /// Adds parts first, first + step, ... kBatch of them, as far as they are
  /// below `parts`.
  PartSums addBatch(Emitter &e, const PieceRows &rows, PartFormat format,
                    int64_t latent, mlir::Value first, mlir::Value step,
                    mlir::Value parts) const;

  /// Parts that a warp has under way at a time.
  static constexpr int64_t kBatch = 8;
  /// Bytes of a row of a part that a lane has, and its columns.
  static constexpr int64_t kLaneBytes = 16;
  static int64_t getLaneColumns(PartFormat format) {
    return kLaneBytes / getElementBytes(format);
  }
};

/// 2^(logarithm - base); 0 for -inf, whatever the base.
mlir::Value getRatio(Emitter &e, mlir::Value logarithm, mlir::Value base);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSUMS_H
