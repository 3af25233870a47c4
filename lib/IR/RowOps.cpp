//===- RowOps.cpp - effects and in-place rules of the ops -----------------===//

#include "MLAFuse/IR/MLAFuse.h"

using namespace mlir;
using namespace mlafuse;

void mlafuse::appendTensorTypes(ValueRange destinations,
                                SmallVectorImpl<Type> &types) {
  for (Value destination : destinations)
    if (isa<TensorType>(destination.getType()))
      types.push_back(destination.getType());
}

void mlafuse::getRowOpEffects(
    RowOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  auto destinationStyle = cast<DestinationStyleOpInterface>(op.getOperation());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = destinationStyle.isDpsInit(&operand);
    if (!isInit || op.keepsDestination(operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

//===----------------------------------------------------------------------===//
// RowOpInterface
//===----------------------------------------------------------------------===//

// An op that leaves rows out keeps what their destinations held.
#define MLAFUSE_KEEPS_UNCOUNTED_ROWS(OP)                                       \
  Value OP::getTokenCount() { return getNumActualTokens(); }                   \
  bool OP::keepsDestination(OpOperand &) {                                     \
    return static_cast<bool>(getNumActualTokens());                            \
  }
#define MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(OP)                                  \
  Value OP::getTokenCount() { return getNumActualTokens(); }                   \
  bool OP::keepsDestination(OpOperand &) {                                     \
    return getNumActualTokens() || getRowOffset();                             \
  }

MLAFUSE_KEEPS_UNCOUNTED_ROWS(RMSNormOp)
MLAFUSE_KEEPS_UNCOUNTED_ROWS(AddRMSNormOp)
MLAFUSE_KEEPS_UNCOUNTED_ROWS(DualRMSNormOp)
MLAFUSE_KEEPS_UNCOUNTED_ROWS(DualRMSNormQuantizeOp)
MLAFUSE_KEEPS_UNCOUNTED_ROWS(RopeOp)
MLAFUSE_KEEPS_UNCOUNTED_ROWS(LatentAttentionOp)
MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(RMSNormQuantizeOp)
MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(QuantizeOp)
MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(HeadProjectionOp)
MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(DecodeOp)
MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(PrefillOp)
MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(MergeAttnStatesOp)
MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET(AttentionBatchOp)
#undef MLAFUSE_KEEPS_UNCOUNTED_ROWS
#undef MLAFUSE_KEEPS_ROWS_OUTSIDE_OFFSET

Value DequantizeOp::getTokenCount() { return {}; }
bool DequantizeOp::keepsDestination(OpOperand &) { return false; }

// Only the slots of the mapping are written.
Value CacheUpdateOp::getTokenCount() { return getNumActualTokens(); }
bool CacheUpdateOp::keepsDestination(OpOperand &) { return true; }

bool RMSNormOp::isReadRowByRow(OpOperand &input) {
  return input.get() == getInput();
}
bool AddRMSNormOp::isReadRowByRow(OpOperand &input) {
  return input.get() == getInput() || input.get() == getResidual();
}
bool RMSNormQuantizeOp::isReadRowByRow(OpOperand &input) {
  return input.get() == getInput() || input.get() == getResidual();
}
bool DualRMSNormOp::isReadRowByRow(OpOperand &input) {
  return input.get() == getQC() || input.get() == getKvC();
}
bool DualRMSNormQuantizeOp::isReadRowByRow(OpOperand &input) {
  return input.get() == getQC() || input.get() == getKvC();
}
bool QuantizeOp::isReadRowByRow(OpOperand &) { return false; }
bool DequantizeOp::isReadRowByRow(OpOperand &) { return false; }
bool RopeOp::isReadRowByRow(OpOperand &input) {
  return input.get() == getInput();
}
bool CacheUpdateOp::isReadRowByRow(OpOperand &) { return false; }
bool LatentAttentionOp::isReadRowByRow(OpOperand &) { return false; }
bool HeadProjectionOp::isReadRowByRow(OpOperand &) { return false; }
bool DecodeOp::isReadRowByRow(OpOperand &) { return false; }
bool PrefillOp::isReadRowByRow(OpOperand &) { return false; }
bool MergeAttnStatesOp::isReadRowByRow(OpOperand &) { return false; }
bool AttentionBatchOp::isReadRowByRow(OpOperand &) { return false; }
