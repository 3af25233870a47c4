//===- BufferizableOpInterface.cpp - ops from tensors to memrefs ----------===//
//
// One model serves every op: operands become buffers, the attributes stay, the
// results are the destinations' buffers.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Transforms/BufferizableOpInterface.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlafuse;

namespace {

template <typename OpT>
struct RowOpBufferization
    : public DstBufferizableOpInterfaceExternalModel<RowOpBufferization<OpT>,
                                                     OpT> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto destinationStyle = cast<DestinationStyleOpInterface>(op);
    return !destinationStyle.isDpsInit(&operand) ||
           cast<RowOpInterface>(op).keepsDestination(operand);
  }

  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  // A row that is read before the same row is written may share its memory.
  bool isNotConflicting(Operation *op, OpOperand *read, OpOperand *write,
                        const AnalysisState &state) const {
    if (read->getOwner() != op || write->getOwner() != op)
      return false;
    auto rowOp = cast<RowOpInterface>(op);
    return rowOp.isReadRowByRow(*read) &&
           cast<DestinationStyleOpInterface>(op).isDpsInit(write) &&
           state.areEquivalentBufferizedValues(read->get(), write->get());
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        operands.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    rewriter.setInsertionPoint(op);
    Operation *onBuffers = Operation::create(
        op->getLoc(), op->getName(), TypeRange(), operands,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        BlockRange(), /*numRegions=*/0);
    rewriter.insert(onBuffers);
    SmallVector<Value> results;
    for (OpOperand &init :
         cast<DestinationStyleOpInterface>(op).getDpsInitsMutable())
      results.push_back(onBuffers->getOperand(init.getOperandNumber()));
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

template <typename... OpTs>
void attach(MLIRContext *context) {
  (OpTs::template attachInterface<RowOpBufferization<OpTs>>(*context), ...);
}

} // namespace

void mlafuse::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MLAFuseDialect *) {
    attach<RMSNormOp, AddRMSNormOp, RMSNormQuantizeOp, DualRMSNormOp,
           DualRMSNormQuantizeOp, QuantizeOp, DequantizeOp, RopeOp,
           CacheUpdateOp, LatentAttentionOp, HeadProjectionOp, DecodeOp,
           PrefillOp, MergeAttnStatesOp, AttentionBatchOp>(context);
  });
}
