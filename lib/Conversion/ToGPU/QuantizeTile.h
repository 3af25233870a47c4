//===- QuantizeTile.h - codes and scales of a tile --------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_QUANTIZETILE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_QUANTIZETILE_H

#include "Alignment.h"
#include "Rows.h"

namespace mlafuse::kernel {

/// Columns that the lanes of a chunk may not straddle: the row, and the group
/// of a key whose scales are the row's parts.
llvm::SmallVector<int64_t, 2> getSpans(const QuantBuffers &buffers);

/// Elements of `codes` that are stored together: those of a chunk, or of its
/// part that lies in one group.
int64_t getCodeLanes(const QuantBuffers &buffers, const TileShape &shape);

/// The tile of a kernel that quantizes what it reads once: a segment where the
/// key's scales allow. A chunk lies within a multiple of `span` columns.
TileShape chooseQuantizeTile(const Chip &chip, const QuantBuffers &buffers,
                             int64_t span);

/// True if a row may be cut into tiles of any whole number of such chunks per
/// thread.
bool isSegmented(const QuantBuffers &buffers, const Chip &chip,
                 const TileShape &shape);

/// True if the groups of `shape` need shared memory of the whole block.
bool needsSharedMaxima(const QuantBuffers &buffers, const Chip &chip,
                       const TileShape &shape);

/// Fails, with an error at `op`, if the chip cannot hold a row of that tile, or
/// if it cuts bytes of codes.
llvm::LogicalResult verifyQuantizeTile(mlir::Operation *op, const Chip &chip,
                                       const QuantBuffers &buffers,
                                       const TileShape &shape);

/// Quantizes the f32 chunks `values` of a tile and stores codes and scales as
/// row `row` (before the row offset).
void quantizeTile(Emitter &e, const QuantBuffers &buffers,
                  const QuantConstants &constants, const Alignment &alignment,
                  mlir::Value row, const Tile &tile,
                  llvm::ArrayRef<mlir::Value> values);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_QUANTIZETILE_H
