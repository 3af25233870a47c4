//===- GPUCodegen.h - kernels in the LLVM dialect to images -----*- C++ -*-===//
//
// Errors are texts for the user, as in CPUCodegen.h.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_CONVERSION_GPUCODEGEN_H
#define MLAFUSE_CONVERSION_GPUCODEGEN_H

#include "MLAFuse/Conversion/CPUCodegen.h"
#include "MLAFuse/Target/Chip.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlafuse {

/// Registers what translation of kernels to LLVM IR needs of the dialects.
void registerGPUTranslations(mlir::DialectRegistry &registry);

/// Floating-point operations are never contracted, divisions and square roots
/// are rounded to nearest.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createGPUTargetMachine(const Chip &chip);

/// The kernels as optimized LLVM IR. They are all that is seen from outside.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateKernels(mlir::gpu::GPUModuleOp kernels, llvm::LLVMContext &context,
                 llvm::TargetMachine &machine);

/// Links the object file of an AMD chip's kernels to a code object (hsaco).
llvm::Expected<Binary> linkCodeObject(llvm::ArrayRef<char> object);

/// Where ptxas, NVIDIA's assembler, is; both are empty unless the user says.
struct PtxasLocation {
  std::string path;    ///< --ptxas: the program.
  std::string toolkit; ///< --cuda-path: the toolkit's directory.
};

/// ptxas is in none of the places where it is looked for without being told.
class NoPtxasError : public llvm::ErrorInfo<NoPtxasError> {
public:
  static char ID;
  explicit NoPtxasError(std::string searched) : searched(std::move(searched)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string searched;
};

/// Finds ptxas: where the user says, else in PATH, $CUDA_HOME/bin,
/// $CUDA_PATH/bin or /usr/local/cuda/bin (else a NoPtxasError).
llvm::Expected<std::string> findPtxas(const PtxasLocation &location);

/// Assembles PTX to a cubin for `chip` by running `ptxas`.
llvm::Expected<Binary> assemblePTX(llvm::StringRef ptxas, llvm::StringRef ptx,
                                   const Chip &chip);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_GPUCODEGEN_H
