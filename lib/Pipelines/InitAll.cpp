//===- InitAll.cpp - registration of everything ---------------------------===//

#include "MLAFuse/InitAll.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/SetSchedule.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "MLAFuse/Pipelines/CPUPipeline.h"
#include "MLAFuse/Pipelines/GPUPipeline.h"
#include "MLAFuse/Pipelines/Inlining.h"
#include "MLAFuse/Transforms/BufferizableOpInterface.h"
#include "MLAFuse/Transforms/Passes.h"

void mlafuse::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<MLAFuseDialect>();
}

void mlafuse::registerAllExtensions(mlir::DialectRegistry &registry) {
  registerBufferizableOpInterfaceExternalModels(registry);
  registerInlinerExtension(registry);
}

void mlafuse::registerAllPasses() {
  registerMLAFuseTransformsPasses();
  registerMLAFuseConversionPasses();
  registerCPUPipeline();
  registerGPUPipelines();
  registerScheduleOption();
}
