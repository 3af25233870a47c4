//===- CPUPipeline.h - tensors to the LLVM dialect for CPUs -*- C++ -*-===//
#ifndef MLAFUSE_PIPELINES_CPUPIPELINE_H
#define MLAFUSE_PIPELINES_CPUPIPELINE_H

#include "MLAFuse/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlafuse {

struct CPUPipelineOptions
    : public mlir::PassPipelineOptions<CPUPipelineOptions> {
  Option<bool> noFuse{*this, "no-fuse",
                      llvm::cl::desc("Lower every op as it is written"),
                      llvm::cl::init(false)};
  Option<Numerics> numerics{
      *this, "numerics",
      llvm::cl::desc("What fused ops round, where it is not written"),
      llvm::cl::init(Numerics::Exact),
      llvm::cl::values(
          clEnumValN(Numerics::Exact, "exact", "as their unfused chain"),
          clEnumValN(Numerics::Contracted, "contracted",
                     "once, at the end of the chain"))};
  Option<FusionReport> report{
      *this, "report", llvm::cl::desc("Form of the fusion report"),
      llvm::cl::init(FusionReport::None),
      llvm::cl::values(
          clEnumValN(FusionReport::None, "none", "not at all"),
          clEnumValN(FusionReport::Text, "text", "a line each"),
          clEnumValN(FusionReport::JSON, "json", "a JSON object"))};
  Option<std::string> reportFile{
      *this, "report-file", llvm::cl::init("-"),
      llvm::cl::desc("Where to write the report; - is the standard output")};
  Option<std::string> chip{
      *this, "chip", llvm::cl::init("generic"),
      llvm::cl::desc("CPU name that the manifest records")};
};

/// Tensors to tensors: calls inlined, entries described for the manifest (which
/// the rest needs), ops fused.
void buildFusePipeline(mlir::OpPassManager &manager,
                       const CPUPipelineOptions &options, bool describe = true);

/// What buildFusePipeline leaves, to parallel loops over memrefs.
void buildCPULoopsPipeline(mlir::OpPassManager &manager,
                           const CPUPipelineOptions &options);

/// What buildCPULoopsPipeline leaves, to C entry points in the LLVM dialect.
void buildCPUToLLVMPipeline(mlir::OpPassManager &manager,
                            const CPUPipelineOptions &options);

/// All three.
void buildCPUPipeline(mlir::OpPassManager &manager,
                      const CPUPipelineOptions &options);

/// Registers `mlafuse-cpu-pipeline`.
void registerCPUPipeline();

} // namespace mlafuse

#endif // MLAFUSE_PIPELINES_CPUPIPELINE_H
