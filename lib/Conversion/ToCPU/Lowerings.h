//===- Lowerings.h - one CPU kernel per op ----------------------*- C++ -*-===//
//
// Each function emits the kernel of an op on memrefs at the emitter's insertion
// point: one parallel loop (dynamic per-tensor quantization: two). The op
// stays, for the pass to erase.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_LOWERINGS_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_LOWERINGS_H

#include "MLAFuse/IR/MLAFuse.h"
#include "RowEmitter.h"

namespace mlir::linalg {
class MatmulOp;
} // namespace mlir::linalg

namespace mlafuse::cpu {

void lower(Emitter &e, RMSNormOp op);
void lower(Emitter &e, AddRMSNormOp op);
void lower(Emitter &e, RMSNormQuantizeOp op);
void lower(Emitter &e, DualRMSNormOp op);
void lower(Emitter &e, DualRMSNormQuantizeOp op);
void lower(Emitter &e, QuantizeOp op);
void lower(Emitter &e, DequantizeOp op);
void lower(Emitter &e, RopeOp op);
void lower(Emitter &e, CacheUpdateOp op);
void lower(Emitter &e, HeadProjectionOp op);
void lower(Emitter &e, LatentAttentionOp op);
void lower(Emitter &e, PrefillOp op);
void lower(Emitter &e, MergeAttnStatesOp op);

/// A `linalg.matmul` on buffers that the product kernel takes: f32 sums, right
/// operand of static shape. Others are left to the generic lowering.
bool canLower(mlir::linalg::MatmulOp op);
void lower(Emitter &e, mlir::linalg::MatmulOp op);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_LOWERINGS_H
