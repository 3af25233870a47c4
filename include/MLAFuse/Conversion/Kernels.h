//===- Kernels.h - the kernels of a lowered module --------------*- C++ -*-===//
#ifndef MLAFUSE_CONVERSION_KERNELS_H
#define MLAFUSE_CONVERSION_KERNELS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlafuse {

/// On a module, by `mlafuse-to-gpu`: the name of the chip it is lowered for.
inline constexpr llvm::StringLiteral kChipAttr = "mlafuse.chip";

/// Adds an empty gpu.module at the end of `module`: `mlafuse_kernels`, with a
/// number behind it if the program has something of that name.
mlir::gpu::GPUModuleOp createKernelModule(mlir::ModuleOp module);

/// The gpu.module that `mlafuse-outline-kernels` makes; null if the program
/// launches nothing.
mlir::gpu::GPUModuleOp getKernelModule(mlir::ModuleOp module);

/// The kernels that `mlafuse-kernels-to-llvm` leaves in `kernels`, in order:
/// the index of a kernel is its place here.
llvm::SmallVector<mlir::LLVM::LLVMFuncOp>
getKernels(mlir::gpu::GPUModuleOp kernels);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_KERNELS_H
