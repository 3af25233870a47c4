//===- Phases.h - the steps of the fusion that are not patterns -*- C++ -*-===//
#ifndef MLAFUSE_LIB_TRANSFORMS_PHASES_H
#define MLAFUSE_LIB_TRANSFORMS_PHASES_H

#include "FusionRecord.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace mlafuse {

/// Replaces a quantization that equals an earlier one by it.
void mergeEqualQuantizations(mlir::ModuleOp module);

/// The locations of the quantizations that were merged into the one at `loc`,
/// its own first.
llvm::SmallVector<mlir::Location> getMergedLocations(mlir::Location loc);

/// Applies `patterns` to each quantization of a norm, in an order that does not
/// depend on how they are written.
llvm::LogicalResult fuseNorms(mlir::ModuleOp module,
                              const mlir::FrozenRewritePatternSet &patterns);

/// Pairs the norms of two column ranges of one value and applies `patterns` to
/// each pair. What cannot be paired is recorded.
void fuseSiblings(mlir::ModuleOp module,
                  const mlir::FrozenRewritePatternSet &patterns,
                  FusionRecords &records);

/// Moves the slices and empty tensors that only a fused norm uses in front of
/// it, in the order of its operands.
void placeOperands(mlir::ModuleOp module);

/// Records the quantizations of a norm's (`ofNorms`) or another producer's
/// result that are still there.
void recordMissedQuantizations(mlir::ModuleOp module, bool ofNorms,
                               FusionRecords &records);

/// Records every fusion in `module`.
void recordFused(mlir::ModuleOp module, FusionRecords &records);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_PHASES_H
