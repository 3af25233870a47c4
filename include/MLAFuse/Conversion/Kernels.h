//===- Kernels.h - the kernels of a lowered module --------------*- C++ -*-===//
#ifndef MLAFUSE_CONVERSION_KERNELS_H
#define MLAFUSE_CONVERSION_KERNELS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlafuse {

/// On a module, by `mlafuse-to-gpu`: the name of the chip it is lowered for.
inline constexpr llvm::StringLiteral kChipAttr = "mlafuse.chip";

/// On a gpu.launch, an i32: how many of its blocks a multiprocessor of an
/// NVIDIA chip is to hold at once, which bounds their registers. Goes to the
/// kernel
/// (`nvvm.minctasm`).
inline constexpr llvm::StringLiteral kBlocksPerMultiprocessorAttr =
    "mlafuse.blocks_per_multiprocessor";

/// On a gpu.launch, a unit attribute: the kernel may start before the one ahead
/// of it on the stream has ended. Every thread that touches memory which an
/// earlier kernel may write, or writes memory which one may touch, waits before
/// it does (griddepcontrol.wait). At least one thread of the grid waits: the
/// kernel's end then stands for those of all before it.
inline constexpr llvm::StringLiteral kOverlapsPreviousAttr =
    "mlafuse.overlaps_previous";

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
