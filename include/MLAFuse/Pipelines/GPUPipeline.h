//===- GPUPipeline.h - tensors to kernels and their launches ----*- C++ -*-===//
#ifndef MLAFUSE_PIPELINES_GPUPIPELINE_H
#define MLAFUSE_PIPELINES_GPUPIPELINE_H

#include "MLAFuse/Pipelines/Common.h"

namespace mlafuse {

struct GPUPipelineOptions
    : public mlir::PassPipelineOptions<GPUPipelineOptions>,
      public FusePipelineOptions {
  Option<std::string> chip{*this, "chip", llvm::cl::init("sm_90a"),
                           llvm::cl::desc("The chip, by LLVM's name")};
  Option<std::string> schedule{
      *this, "schedule", llvm::cl::init(""),
      llvm::cl::desc("What mlafuse-set-schedule sets; empty: nothing")};
};

/// What buildBuffersPipeline leaves, to kernels in one gpu.module and functions
/// that launch them. `chip` is one of MLAFuse/Target. `schedule` is what
/// `mlafuse-set-schedule` sets, if it is not empty.
void buildGPUKernelsPipeline(mlir::OpPassManager &manager,
                             llvm::StringRef chip, llvm::StringRef schedule);

/// What buildGPUKernelsPipeline leaves: its kernels to the LLVM dialect ("the
/// last conversion"), its launches to calls of the runtime.
void buildGPUKernelsToLLVMPipeline(mlir::OpPassManager &manager,
                                   llvm::StringRef chip);

/// What buildGPUKernelsToLLVMPipeline leaves: the host's functions to C entry
/// points in the LLVM dialect.
void buildGPUHostToLLVMPipeline(mlir::OpPassManager &manager,
                                llvm::StringRef chip);

/// Registers `mlafuse-gpu-pipeline`, all stages, and
/// `mlafuse-gpu-kernels-pipeline`, all ahead of the last conversion.
void registerGPUPipelines();

} // namespace mlafuse

#endif // MLAFUSE_PIPELINES_GPUPIPELINE_H
