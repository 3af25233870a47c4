//===- Bufferize.cpp - tensors to memrefs, without hidden copies ----------===//

#include "Conflicts.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/Signature.h"
#include "Origins.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEBUFFERIZE
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlafuse;

namespace {

/// One shot over the module, results in whatever layout they have: they are
/// bound to arguments afterwards.
OneShotBufferizationOptions getOptions() {
  OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.setFunctionBoundaryTypeConversion(LayoutMapOption::InferLayoutMap);
  return options;
}

/// Contiguous, or free outer strides where the argument says so.
void setArgumentLayouts(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    Attribute layout = AffineMapAttr::get(
        AffineMap::getMultiDimIdentityMap(tensor.getRank(), context));
    if (function.getArgAttr(i, kStridedAttr)) {
      SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
      strides.back() = 1;
      layout = StridedLayoutAttr::get(context, /*offset=*/0, strides);
    }
    function.setArgAttr(i, BufferizationDialect::kBufferLayoutAttrName, layout);
  }
}

LogicalResult
eliminateEmptyTensors(ModuleOp module,
                      const OneShotBufferizationOptions &options) {
  OneShotAnalysisState state(module, options);
  if (failed(analyzeModuleOp(module, state)))
    return failure();
  IRRewriter rewriter(module.getContext());
  return bufferization::eliminateEmptyTensors(rewriter, module, state);
}

struct Bufferize : public mlafuse::impl::MLAFuseBufferizeBase<Bufferize> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OneShotBufferizationOptions options = getOptions();
    BufferizationState state;
    if (failed(checkCalls()) || failed(checkAssertions()))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      setArgumentLayouts(function);
    markOrigins(module);
    if (failed(resolveConflicts(options, state)) ||
        failed(bufferizeModuleOp(module, options, state)))
      return signalPassFailure();
    removeBufferizationAttributesInModule(module);

    // Self-copies of slices that were written in place fold away.
    OpPassManager cleanup(ModuleOp::getOperationName());
    cleanup.addPass(createCanonicalizerPass());
    cleanup.addPass(createCSEPass());
    cleanup.addPass(createCanonicalizerPass());
    if (failed(runPipeline(cleanup, module)) || failed(checkMemory()))
      return signalPassFailure();
    unmarkOrigins(module);
  }

private:
  /// Calls are inlined by now.
  LogicalResult checkCalls() {
    WalkResult result = getOperation()->walk([](CallOpInterface call) {
      InFlightDiagnostic error =
          call->emitOpError("cannot be compiled: every call is inlined, but ");
      auto callee = dyn_cast_or_null<func::FuncOp>(call.resolveCallable());
      if (callee && callee.getNoInline())
        error << "'" << callee.getName() << "' is marked 'no_inline'";
      else if (auto op = dyn_cast<func::CallOp>(call.getOperation());
               op && op.getNoInline())
        error << "it is marked 'no_inline'";
      else
        error << "the function that it calls has no body here, or calls itself";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// An entry runs on the caller's threads or on a device: it neither ends the
  /// program nor prints.
  LogicalResult checkAssertions() {
    WalkResult result = getOperation()->walk([](cf::AssertOp op) {
      op.emitOpError("cannot be compiled: an entry has no way to report an "
                     "assertion that fails; drop it, or return what it checks");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Writes straight into the slices that insert_slice would copy to, if that
  /// costs no copy elsewhere. Then lets no conflict pass.
  LogicalResult resolveConflicts(const OneShotBufferizationOptions &options,
                                 BufferizationState &state) {
    ModuleOp module = getOperation();
    bool hasSubsets = module
                          ->walk([](SubsetInsertionOpInterface) {
                            return WalkResult::interrupt();
                          })
                          .wasInterrupted();
    if (hasSubsets) {
      OwningOpRef<ModuleOp> attempt(module.clone());
      if (succeeded(::eliminateEmptyTensors(*attempt, options))) {
        BufferizationState attemptState;
        auto conflicts = insertCopies(*attempt, options, attemptState);
        if (succeeded(conflicts) && conflicts->empty()) {
          module.getBodyRegion().takeBody(attempt->getBodyRegion());
          return success();
        }
      }
    }
    auto conflicts = insertCopies(module, options, state);
    if (failed(conflicts))
      return failure();
    for (const Conflict &conflict : *conflicts)
      reportConflict(conflict);
    return success(conflicts->empty());
  }

  /// What is left after the analysis: views that strides do not allow.
  LogicalResult checkMemory() {
    llvm::SmallDenseSet<Attribute> reported;
    getOperation()->walk([&](Operation *op) {
      std::optional<Origin> origin = getOrigin(op->getLoc());
      if (!isa<memref::AllocOp, memref::CopyOp>(op) ||
          (origin && origin->asksForMemory))
        return;
      if (!reported.insert(op->getLoc()).second)
        return;
      StringRef name = origin ? origin->opName : op->getName().getStringRef();
      emitError(op->getLoc())
          << "'" << name
          << "' would need a new buffer and a copy, which the source does not "
             "contain: a reshape of a strided argument or of a slice is no "
             "view; drop '"
          << kStridedAttr << "', or reshape before slicing";
    });
    return success(reported.empty());
  }
};

} // namespace
