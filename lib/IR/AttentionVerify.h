//===- AttentionVerify.h - checks that the attention ops share --*- C++ -*-===//
#ifndef MLAFUSE_LIB_IR_ATTENTIONVERIFY_H
#define MLAFUSE_LIB_IR_ATTENTIONVERIFY_H

#include "MLAFuse/IR/MLAFuse.h"

namespace mlafuse {

/// The operands of an output that may be quantized.
struct QuantOutput {
  mlir::Value init, scaleInit, scale, scaleUb, globalScale, rowOffset;
};

/// Collects them from an op with the shared clauses.
template <typename OpT>
QuantOutput getQuantOutput(OpT op) {
  return {op.getOutputInit(), op.getScaleInit(),   op.getScale(),
          op.getScaleUb(),    op.getGlobalScale(), op.getRowOffset()};
}

/// Each of `dims` of `value` is static; else names `label`.
llvm::LogicalResult verifyStatic(mlir::Operation *op, mlir::Value value,
                                 llvm::StringRef name,
                                 llvm::ArrayRef<unsigned> dims,
                                 llvm::StringRef label);

/// C2 of latent_attention, for `batch` requests of `queries` queries.
llvm::LogicalResult verifyPaging(mlir::Operation *op, int64_t batch,
                                 int64_t queries, mlir::Value blockTable,
                                 mlir::Value seqLens, mlir::Value indices);

llvm::LogicalResult verifySoftmaxScale(mlir::Operation *op, llvm::APFloat scale,
                                       llvm::StringRef label);

/// S6: `schedule`, null for none, has parameters of attention alone, or of a
/// projection.
llvm::LogicalResult verifyAttentionSchedule(mlir::Operation *op,
                                            ScheduleAttr schedule);
llvm::LogicalResult verifyProjectionSchedule(mlir::Operation *op,
                                             ScheduleAttr schedule);

/// The first destination, quantized or not, of rows `shape` = [rows, width],
/// and the optional lse. `takesRank4`: an unquantized output may be [B,S,H,N].
llvm::LogicalResult verifyOutput(QuantizableOutput op,
                                 const QuantOutput &output,
                                 llvm::ArrayRef<int64_t> shape, mlir::Value lse,
                                 llvm::ArrayRef<int64_t> lseShape,
                                 bool takesRank4 = false);

} // namespace mlafuse

#endif // MLAFUSE_LIB_IR_ATTENTIONVERIFY_H
