//===- Common.cpp - what the pipelines of all targets share ---------------===//

#include "MLAFuse/Pipelines/Common.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlafuse;

void mlafuse::buildFusePipeline(OpPassManager &manager,
                                const FusePipelineOptions &options,
                                bool describe) {
  // Before anything can drop an update that nobody uses.
  manager.addPass(createMLAFuseCheckCacheUpdates());
  manager.addPass(createInlinerPass());
  manager.addPass(createSymbolDCEPass());
  // Sizes are related by the ops as they are written, so that fusion does not
  // show in the manifest.
  if (describe)
    manager.addPass(createMLAFuseDescribe());
  if (options.noFuse)
    return;
  MLAFuseFuseOptions fuse;
  fuse.report = options.report;
  fuse.reportFile = options.reportFile;
  manager.addPass(createMLAFuseFuse(fuse));
  if (options.numerics == Numerics::Contracted)
    manager.addPass(createMLAFuseContract());
}

void mlafuse::buildBuffersPipeline(OpPassManager &manager) {
  MLAFuseDecomposeOptions decompose;
  decompose.aggregatesOnly = true;
  manager.addPass(createMLAFuseDecompose(decompose));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());

  // Memrefs from here on; functions return nothing.
  manager.addPass(createMLAFuseBufferize());
  manager.addPass(createMLAFuseResultsToArguments());
  manager.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlafuse::buildHostToLLVMPipeline(OpPassManager &manager) {
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}
