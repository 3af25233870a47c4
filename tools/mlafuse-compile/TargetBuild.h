//===- TargetBuild.h - one target's part of a library -----------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_TARGETBUILD_H
#define MLAFUSE_TOOLS_COMPILE_TARGETBUILD_H

#include "MLAFuse/Conversion/Manifest.h"
#include "Options.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlafuse {

/// Compiles a module of its own, step by step: lower, the kernels of a GPU, the
/// host.
class TargetBuild {
public:
  /// Fails if LLVM does not know the target.
  static llvm::Expected<TargetBuild> create(const Target &target);

  /// Takes a module on memrefs that all targets share, or one that is lowered
  /// already, and runs its passes up to `stage`.
  /// `schedule` is that of the command line, for a GPU's kernels.
  llvm::Error lower(mlir::OwningOpRef<mlir::ModuleOp> shared, bool isLowered,
                    Stage stage, llvm::StringRef schedule);

  /// The optimized kernels of a GPU in a form other than a library.
  llvm::Expected<Binary> emitKernels(Stage form, llvm::StringRef ptxas);

  /// Puts the kernels of a GPU into the host's module: the cubin and, where
  /// there is no `ptxas` or `withPTX` says so, PTX; or the code object.
  llvm::Error embedKernels(llvm::StringRef ptxas, bool withPTX);

  /// Optimized host code: LLVM IR or an object file.
  llvm::Expected<Binary> emitHost(Stage form);

  mlir::ModuleOp getModule() { return *module; }
  llvm::TargetMachine &getHostMachine() { return *hostMachine; }
  const TargetDescription &getDescription() const { return description; }

private:
  explicit TargetBuild(const Target &target) : target(target) {}

  llvm::Expected<std::unique_ptr<llvm::Module>>
  translate(llvm::LLVMContext &context);
  llvm::Expected<Binary> emitPTX(llvm::Module &kernels);
  llvm::Expected<Binary> emitCodeObject(llvm::Module &kernels);
  void embed(llvm::StringRef format, const Binary &image);

  Target target;
  std::unique_ptr<llvm::TargetMachine> hostMachine;
  std::unique_ptr<llvm::TargetMachine> gpuMachine; ///< Null for a CPU.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  TargetDescription description;
};

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_TARGETBUILD_H
