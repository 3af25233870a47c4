//===- Rows.h - a launch over rows ------------------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ROWS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ROWS_H

#include "../Rows/Quantization.h"
#include "Tile.h"

namespace mlafuse::kernel {

/// The zeros that pad the rows of a scale layout. Blocks of their own write
/// them, so that no block of rows does more than others.
class ScalePadding {
public:
  /// For `rows` (an index of the host) rows that are written; does nothing for
  /// layouts without padding.
  ScalePadding(Emitter &e, const QuantBuffers &buffers, mlir::Value rows);

  explicit operator bool() const { return static_cast<bool>(count); }
  mlir::Value getCount() const { return count; }
  /// Writes zero number `i` of [0, count).
  void store(Emitter &e, mlir::Value i) const;

private:
  const QuantBuffers &buffers;
  mlir::Value count, total, paddedRows;
};

/// What the launch runs over.
struct RowLaunch {
  mlir::Value rows;  ///< An index of the host.
  mlir::Value count; ///< num_actual_tokens in device memory; may be null.
  int64_t threads;   ///< Of a team.
  int64_t segments;  ///< Of a row.
  llvm::ArrayRef<ScalePadding> paddings;
};

/// Launches a team for every segment of every row; `segment` is null if there
/// is one.
void launchRows(Emitter &e, const Chip &chip, const RowLaunch &launch,
                llvm::function_ref<void(Emitter &, Team &, mlir::Value row,
                                        mlir::Value segment)>
                    body);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ROWS_H
