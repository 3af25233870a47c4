//===- CPUPipeline.cpp - from tensors to the LLVM dialect for CPUs --------===//

#include "MLAFuse/Pipelines/CPUPipeline.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlafuse;

void mlafuse::buildCPULoopsPipeline(OpPassManager &manager) {
  // Nothing is allocated from here on: a loop's body has no workspace.
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

void mlafuse::buildCPUToLLVMPipeline(OpPassManager &manager) {
  // No parallel loop from here on, and C entry points.
  manager.addPass(createMLAFuseOutlineParallel());
  manager.addPass(createMLAFuseBoundStack());
  manager.addPass(createMLAFuseMakeEntries());

  // The LLVM dialect from here on.
  manager.addPass(createConvertVectorToSCFPass());
  buildHostToLLVMPipeline(manager);
}

void mlafuse::buildCPUPipeline(OpPassManager &manager,
                               const CPUPipelineOptions &options) {
  buildFusePipeline(manager, options);
  buildBuffersPipeline(manager);
  buildCPULoopsPipeline(manager);
  MLAFuseAddManifestOptions manifest;
  manifest.chip = options.chip;
  manager.addPass(createMLAFuseAddManifest(manifest));
  buildCPUToLLVMPipeline(manager);
}

void mlafuse::registerCPUPipeline() {
  PassPipelineRegistration<CPUPipelineOptions>(
      "mlafuse-cpu-pipeline",
      "From tensor functions to the LLVM dialect of a CPU library",
      buildCPUPipeline);
}
