//===- Common.h - what the pipelines of all targets share -------*- C++ -*-===//
#ifndef MLAFUSE_PIPELINES_COMMON_H
#define MLAFUSE_PIPELINES_COMMON_H

#include "MLAFuse/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlafuse {

/// Options of the stage that every pipeline begins with.
struct FusePipelineOptions : public virtual mlir::detail::PassOptions {
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
};

/// Tensors to tensors: calls inlined, entries described for the manifest (which
/// the rest needs), ops fused.
void buildFusePipeline(mlir::OpPassManager &manager,
                       const FusePipelineOptions &options,
                       bool describe = true);

/// What buildFusePipeline leaves, to ops on memrefs. Functions return nothing;
/// one module serves every target.
void buildBuffersPipeline(mlir::OpPassManager &manager);

/// Scalars, views and control flow of the host to the LLVM dialect.
void buildHostToLLVMPipeline(mlir::OpPassManager &manager);

} // namespace mlafuse

#endif // MLAFUSE_PIPELINES_COMMON_H
