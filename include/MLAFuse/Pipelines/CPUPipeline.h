//===- CPUPipeline.h - tensors to the LLVM dialect for CPUs -----*- C++ -*-===//
#ifndef MLAFUSE_PIPELINES_CPUPIPELINE_H
#define MLAFUSE_PIPELINES_CPUPIPELINE_H

#include "MLAFuse/Pipelines/Common.h"

namespace mlafuse {

struct CPUPipelineOptions
    : public mlir::PassPipelineOptions<CPUPipelineOptions>,
      public FusePipelineOptions {
  Option<std::string> chip{
      *this, "chip", llvm::cl::init("generic"),
      llvm::cl::desc("CPU name that the manifest records")};
};

/// What buildBuffersPipeline leaves, to parallel loops over memrefs.
void buildCPULoopsPipeline(mlir::OpPassManager &manager);

/// What buildCPULoopsPipeline leaves, to C entry points in the LLVM dialect.
void buildCPUToLLVMPipeline(mlir::OpPassManager &manager);

/// All stages, and the manifest.
void buildCPUPipeline(mlir::OpPassManager &manager,
                      const CPUPipelineOptions &options);

/// Registers `mlafuse-cpu-pipeline`.
void registerCPUPipeline();

} // namespace mlafuse

#endif // MLAFUSE_PIPELINES_CPUPIPELINE_H
