//===- Kernels.cpp - kernels as LLVM IR -----------------------------------===//

#include "MLAFuse/Conversion/GPUCodegen.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlafuse;

/// Version 5 of AMD's code objects, in LLVM's numbers: what ROCm 6 and later
/// load. Later versions add what kernels for one chip do not use.
static constexpr unsigned kCodeObjectVersion = 500;

void mlafuse::registerGPUTranslations(mlir::DialectRegistry &registry) {
  mlir::registerGPUDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
  mlir::registerROCDLDialectTranslation(registry);
}

static bool isKernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
         function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
}

llvm::Expected<std::unique_ptr<llvm::Module>>
mlafuse::translateKernels(mlir::gpu::GPUModuleOp kernels,
                          llvm::LLVMContext &context,
                          llvm::TargetMachine &machine) {
  auto module = translateToLLVM(kernels, context, machine);
  if (!module)
    return module.takeError();
  if (machine.getTargetTriple().isAMDGCN()) {
    (*module)->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                             kCodeObjectVersion);
    // The loader looks kernels up in the dynamic symbols; nothing replaces
    // them.
    for (llvm::Function &function : **module)
      if (isKernel(function))
        function.setVisibility(llvm::GlobalValue::ProtectedVisibility);
  }
  llvm::internalizeModule(**module, [](const llvm::GlobalValue &value) {
    auto *function = llvm::dyn_cast<llvm::Function>(&value);
    return function && isKernel(*function);
  });
  optimize(**module, machine);
  return module;
}
