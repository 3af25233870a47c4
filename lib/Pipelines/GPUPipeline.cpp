//===- GPUPipeline.cpp - from tensors to kernels and their launches -------===//

#include "MLAFuse/Pipelines/GPUPipeline.h"
#include "MLAFuse/Conversion/Manifest.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/SetSchedule.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlafuse;

static void addCleanup(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlafuse::buildGPUKernelsPipeline(OpPassManager &manager, StringRef chip,
                                      StringRef schedule) {
  if (!schedule.empty())
    addSetSchedule(manager, schedule);
  MLAFuseToGPUOptions toGPU;
  toGPU.chip = chip.str();
  manager.addPass(createMLAFuseToGPU(toGPU));
  // Kernels of one op may pass tensors on to each other, too. Their sizes come
  // from those of tensors that are workspace themselves: down to the
  // arguments'.
  manager.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  addCleanup(manager);
  manager.addPass(createMLAFusePlaceWorkspace());
  addCleanup(manager);
  manager.addPass(createLowerAffinePass());
  manager.addPass(createMLAFuseOutlineKernels());
  addCleanup(manager.nest<gpu::GPUModuleOp>());
}

void mlafuse::buildGPUKernelsToLLVMPipeline(OpPassManager &manager,
                                            StringRef chip) {
  MLAFuseCheckHostCodeOptions check;
  check.chip = chip.str();
  manager.addPass(createMLAFuseCheckHostCode(check));
  MLAFuseKernelsToLLVMOptions kernels;
  kernels.chip = chip.str();
  manager.addPass(createMLAFuseKernelsToLLVM(kernels));
  // Descriptors come apart: parameters that nothing reads are seen.
  addCleanup(manager.nest<gpu::GPUModuleOp>());
  manager.addPass(createMLAFuseLaunchKernels());
}

void mlafuse::buildGPUHostToLLVMPipeline(OpPassManager &manager,
                                         StringRef chip) {
  MLAFuseMakeEntriesOptions entries;
  entries.prefix = getGPUPrefix(chip);
  manager.addPass(createMLAFuseMakeEntries(entries));
  manager.addPass(arith::createArithExpandOpsPass());
  buildHostToLLVMPipeline(manager);
}

void mlafuse::registerGPUPipelines() {
  auto buildKernels = [](OpPassManager &manager,
                         const GPUPipelineOptions &options) {
    buildFusePipeline(manager, options);
    buildBuffersPipeline(manager);
    buildGPUKernelsPipeline(manager, options.chip, options.schedule);
  };
  PassPipelineRegistration<GPUPipelineOptions>(
      "mlafuse-gpu-kernels-pipeline",
      "From tensor functions to kernels, ahead of the last conversion",
      buildKernels);
  PassPipelineRegistration<GPUPipelineOptions>(
      "mlafuse-gpu-pipeline",
      "From tensor functions to the LLVM dialect of kernels and their launches",
      [=](OpPassManager &manager, const GPUPipelineOptions &options) {
        buildKernels(manager, options);
        buildGPUKernelsToLLVMPipeline(manager, options.chip);
        buildGPUHostToLLVMPipeline(manager, options.chip);
      });
}
