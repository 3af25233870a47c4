//===- Kernels.cpp - the kernels of a lowered module ----------------------===//

#include "MLAFuse/Conversion/Kernels.h"

using namespace mlir;
using namespace mlafuse;

gpu::GPUModuleOp mlafuse::getKernelModule(ModuleOp module) {
  auto modules = module.getOps<gpu::GPUModuleOp>();
  return modules.empty() ? gpu::GPUModuleOp() : *modules.begin();
}

SmallVector<LLVM::LLVMFuncOp> mlafuse::getKernels(gpu::GPUModuleOp kernels) {
  auto isKernel = [](LLVM::LLVMFuncOp function) {
    return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName());
  };
  return llvm::filter_to_vector(kernels.getOps<LLVM::LLVMFuncOp>(), isKernel);
}
