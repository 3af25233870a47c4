//===- Kernels.cpp - the kernels of a lowered module ----------------------===//

#include "MLAFuse/Conversion/Kernels.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlafuse;

gpu::GPUModuleOp mlafuse::createKernelModule(ModuleOp module) {
  SymbolTable symbols(module);
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "mlafuse_kernels");
  symbols.insert(kernels);
  return kernels;
}

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
