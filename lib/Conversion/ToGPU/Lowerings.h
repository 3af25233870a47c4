//===- Lowerings.h - GPU kernels of each op ---------------------*- C++ -*-===//
//
// Each function emits the launches of an op on memrefs at the emitter's
// insertion point. The op stays, for the pass to erase. Fails, with an error at
// the op, if the chip cannot run it.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_LOWERINGS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_LOWERINGS_H

#include "../Rows/Norms.h"
#include "MLAFuse/Target/Chip.h"

namespace mlafuse::kernel {

using namespace rows;

llvm::LogicalResult lower(Emitter &e, const Chip &chip, RMSNormOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, AddRMSNormOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, RMSNormQuantizeOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, DualRMSNormOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip,
                          DualRMSNormQuantizeOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, QuantizeOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, DequantizeOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, RopeOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, CacheUpdateOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, MergeAttnStatesOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, HeadProjectionOp op);
llvm::LogicalResult lower(Emitter &e, const Chip &chip, LatentAttentionOp op);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_LOWERINGS_H
