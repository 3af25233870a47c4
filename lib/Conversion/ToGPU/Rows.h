//===- Rows.h - a launch over rows ------------------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ROWS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ROWS_H

#include "../Rows/Quantization.h"
#include "Tile.h"
#include <memory>

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

/// What a team does with its rows, one after the other.
class RowWorker {
public:
  using Values = llvm::SmallVector<mlir::Value, 16>;
  virtual ~RowWorker() = default;

  /// What all rows share; after the first row's loads.
  virtual void prepare(Emitter &e) = 0;
  /// Loads a row.
  virtual Values load(Emitter &e, mlir::Value row) = 0;
  /// Computes on a loaded row and stores what it gives.
  virtual void work(Emitter &e, mlir::Value row, mlir::ValueRange loaded) = 0;
};

/// Launches as many teams as the chip runs at a time, each for every so many-th
/// row: the next row is on its way while one is worked on. Rows have one
/// segment.
void launchRowLoop(
    Emitter &e, const Chip &chip, const RowLaunch &launch,
    llvm::function_ref<std::unique_ptr<RowWorker>(Emitter &, Team &)>
        makeWorker);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ROWS_H
