//===- Context.h - the launch context in LLVM's types -----------*- C++ -*-===//
//
// Mirrors mlafuse_launch_context and mlafuse_kernel_launch of
// mlafuse/runtime/abi.h.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_CPURUNTIME_CONTEXT_H
#define MLAFUSE_LIB_CONVERSION_CPURUNTIME_CONTEXT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlafuse {

/// Fields of the context, in order.
enum class ContextField {
  AbiVersion,
  Reserved,
  Stream,
  Workspace,
  WorkspaceSize,
  ParallelFor,
  Runtime,
  LaunchKernel
};

/// Fields of a kernel launch, in order.
enum class LaunchField {
  Kernel,
  Grid,
  Block,
  DynamicSharedBytes,
  ParameterCount,
  Flags,
  Parameters
};

/// The value of `field` of the context at `context`.
mlir::Value loadContextField(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value context, ContextField field);

/// The type of `parallel_for`.
mlir::LLVM::LLVMFunctionType getParallelForType(mlir::MLIRContext *context);

/// The type of `launch_kernel`.
mlir::LLVM::LLVMFunctionType getLaunchKernelType(mlir::MLIRContext *context);

/// The type of mlafuse_kernel_launch.
mlir::LLVM::LLVMStructType getLaunchType(mlir::MLIRContext *context);

/// A conversion of `value` to `type` that the lowering to LLVM resolves: both
/// are one value before and after it.
mlir::Value castThroughLowering(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Type type, mlir::Value value);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_CPURUNTIME_CONTEXT_H
