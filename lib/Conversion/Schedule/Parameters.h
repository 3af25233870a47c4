//===- Parameters.h - checks that the schedules share -----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_SCHEDULE_PARAMETERS_H
#define MLAFUSE_LIB_CONVERSION_SCHEDULE_PARAMETERS_H

#include "MLAFuse/IR/MLAFuse.h"
#include "MLAFuse/Target/Chip.h"

namespace mlafuse::schedule {

/// Bytes of an element of a matrix: bf16 or f16.
inline constexpr int64_t kElementBytes = 2;
/// Columns, and values of a sum, come in steps of this on every chip.
inline constexpr int64_t kMatrixStep = 16;
/// Rows or columns of a tile at most, and values of a slice of a sum.
inline constexpr int64_t kMaxTileSize = 256;

/// The parameters of an op's schedule on a chip. The checks fail with an error
/// at the op.
class Parameters {
public:
  Parameters(mlir::Operation *op, const Chip &chip) : op(op), chip(chip) {}

  /// The chip multiplies matrices.
  llvm::LogicalResult verifyChip() const;

  /// Rows of a matrix come in steps of this.
  int64_t getRowStep() const;

  /// `value` is a multiple of `step`, and `most` or less.
  llvm::LogicalResult verifySteps(llvm::StringRef name, int64_t value,
                                  int64_t step, int64_t most) const;

  /// Shared memory holds `bytes`, that follow from `stages`, and from what
  /// `shape` says: "tile_rows = 64, block_keys = 64".
  llvm::LogicalResult verifyShared(int64_t bytes, int64_t stages,
                                   const llvm::Twine &shape) const;

  mlir::InFlightDiagnostic emitError() const;

private:
  mlir::Operation *op;
  const Chip &chip;
};

} // namespace mlafuse::schedule

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_PARAMETERS_H
