//===- Phases.h - the steps of the fusion that are not patterns -*- C++ -*-===//
#ifndef MLAFUSE_LIB_TRANSFORMS_PHASES_H
#define MLAFUSE_LIB_TRANSFORMS_PHASES_H

#include "FusionRecord.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace mlafuse {

/// Replaces a quantization that equals an earlier one by it.
void mergeEqualQuantizations(mlir::ModuleOp module);

/// Pairs the norms of two column ranges of one value and applies `patterns` to
/// each pair. What cannot be paired is recorded.
void fuseSiblings(mlir::ModuleOp module,
                  const mlir::FrozenRewritePatternSet &patterns,
                  FusionRecords &records);

/// Records the quantizations of a norm's (`ofNorms`) or another producer's
/// result that are still there.
void recordMissedQuantizations(mlir::ModuleOp module, bool ofNorms,
                               FusionRecords &records);

/// Records every fusion in `module`.
void recordFused(mlir::ModuleOp module, FusionRecords &records);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_PHASES_H
