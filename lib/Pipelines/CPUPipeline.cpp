//===- CPUPipeline.cpp - from tensors to the LLVM dialect for CPUs --------===//

#include "MLAFuse/Pipelines/CPUPipeline.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlafuse;

void mlafuse::buildFusePipeline(OpPassManager &manager,
                                const CPUPipelineOptions &options,
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

void mlafuse::buildCPULoopsPipeline(OpPassManager &manager,
                                    const CPUPipelineOptions &options) {
  MLAFuseDecomposeOptions decompose;
  decompose.aggregatesOnly = true;
  manager.addPass(createMLAFuseDecompose(decompose));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());

  // Memrefs from here on; functions return nothing and allocate nothing.
  manager.addPass(createMLAFuseBufferize());
  manager.addPass(createMLAFuseResultsToArguments());
  manager.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createMLAFusePlaceWorkspace());
  manager.addPass(createCSEPass());

  // Loops and vectors from here on.
  manager.addPass(createMLAFuseToCPU());
  manager.addPass(createMLAFuseLowerLinalg());
  manager.addPass(createMLAFuseExpandNarrowFloats());
  manager.addPass(createForallToParallelLoopPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlafuse::buildCPUToLLVMPipeline(OpPassManager &manager,
                                     const CPUPipelineOptions &options) {
  // No parallel loop from here on, and C entry points.
  manager.addPass(createMLAFuseOutlineParallel());
  manager.addPass(createMLAFuseBoundStack());
  MLAFuseMakeEntriesOptions entries;
  entries.chip = options.chip;
  manager.addPass(createMLAFuseMakeEntries(entries));

  // The LLVM dialect from here on.
  manager.addPass(createConvertVectorToSCFPass());
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

void mlafuse::buildCPUPipeline(OpPassManager &manager,
                               const CPUPipelineOptions &options) {
  buildFusePipeline(manager, options);
  buildCPULoopsPipeline(manager, options);
  buildCPUToLLVMPipeline(manager, options);
}

void mlafuse::registerCPUPipeline() {
  PassPipelineRegistration<CPUPipelineOptions>(
      "mlafuse-cpu-pipeline",
      "From tensor functions to the LLVM dialect of a CPU library",
      buildCPUPipeline);
}
