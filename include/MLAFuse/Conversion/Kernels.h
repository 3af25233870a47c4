//===- Kernels.h - the kernels of a lowered module --------------*- C++ -*-===//
#ifndef MLAFUSE_CONVERSION_KERNELS_H
#define MLAFUSE_CONVERSION_KERNELS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlafuse {

/// The gpu.module that `mlafuse-outline-kernels` makes; null if the program
/// launches nothing.
mlir::gpu::GPUModuleOp getKernelModule(mlir::ModuleOp module);

/// The kernels that `mlafuse-kernels-to-llvm` leaves in `kernels`, in order:
/// the index of a kernel is its place here.
llvm::SmallVector<mlir::LLVM::LLVMFuncOp>
getKernels(mlir::gpu::GPUModuleOp kernels);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_KERNELS_H
