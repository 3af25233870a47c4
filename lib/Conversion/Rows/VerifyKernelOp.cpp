//===- VerifyKernelOp.cpp - what every kernel asks of its op --------------===//

#include "VerifyKernelOp.h"
#include "MLAFuse/IR/MLAFuse.h"

using namespace mlir;
using namespace mlafuse;

/// Kernels load vectors: the innermost stride must be known to be 1.
static LogicalResult verifyUnitStrides(Operation *op, StringRef target) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || type.getRank() == 0 || type.isLastDimUnitStride())
      continue;
    return op->emitOpError()
           << "the " << target
           << " kernel needs a memref whose innermost stride is known "
              "to be 1, got "
           << type
           << "; bufferize with --mlafuse-bufferize, or mark the function's "
              "argument {mlafuse.strided}";
  }
  return success();
}

static SmallVector<QuantKeyAttr, 2> getOutputKeys(Operation *op) {
  if (auto output = dyn_cast<QuantizableOutput>(op))
    return {output.getOutputQuant().key};
  if (auto norm = dyn_cast<RMSNormQuantizeOp>(op))
    return {norm.getQuantSpec().key};
  if (auto norm = dyn_cast<DualRMSNormQuantizeOp>(op))
    return {norm.getQQuantSpec().key, norm.getKvQuantSpec().key};
  return {};
}

/// Fused kernels write the codes of a row before they have made the next one.
static LogicalResult verifyRowScales(Operation *op, StringRef target) {
  for (QuantKeyAttr key : getOutputKeys(op))
    if (key && key.isDynamic() && key.isPerTensor())
      return op->emitOpError()
             << "has no " << target << " kernel with " << key
             << ", whose scale needs all rows before the first code: quantize "
                "by an op of its own (mlafuse.quantize)";
  return success();
}

LogicalResult rows::verifyKernelOp(Operation *op, StringRef target) {
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
    return op->emitOpError("is still on tensors: bufferize first "
                           "(--mlafuse-bufferize)");
  return success(succeeded(verifyUnitStrides(op, target)) &&
                 succeeded(verifyRowScales(op, target)));
}
