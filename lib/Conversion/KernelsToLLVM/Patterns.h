//===- Patterns.h - Parts of the last conversion ----------------*- C++ -*-===//
//
// Shared by the files of this library only.
//
//===----------------------------------------------------------------------===//

#ifndef MLAFUSE_LIB_CONVERSION_KERNELSTOLLVM_PATTERNS_H
#define MLAFUSE_LIB_CONVERSION_KERNELSTOLLVM_PATTERNS_H

#include "MLAFuse/Target/Chip.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlafuse {

/// Checks the kernels' block size, moves every memref without a memory space
/// to the global one, and aligns workgroup memory to the widest access.
/// Emits an error on what the conversion does not take.
mlir::LogicalResult prepareKernels(mlir::gpu::GPUModuleOp kernels);

/// Conversions of f8 and f4 from and to f32, by the instructions of `chip`
/// where it has them.
void populateNarrowFloatPatterns(mlir::RewritePatternSet &patterns,
                                 const Chip &chip);

/// Products of bf16 that are rounded to bf16, for chips that have them as an
/// instruction. Ahead of the patterns for narrow floats, which hide them.
void populateProductPatternsBF16(mlir::RewritePatternSet &patterns);

/// Block sizes and subgroup ids from what is known at compile time.
void populateIndexPatterns(mlir::RewritePatternSet &patterns, const Chip &chip);

/// gpu.shuffle of 32-bit values with a constant offset over a whole subgroup.
void populateShufflePatternsAMD(mlir::RewritePatternSet &patterns,
                                const Chip &chip);

/// gpu.barrier as one that orders accesses to shared memory alone.
void populateBarrierPatternsAMD(mlir::RewritePatternSet &patterns);

/// memref.atomic_rmw on integers, in the scope that its memory space needs.
void populateAtomicPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            const Chip &chip);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_KERNELSTOLLVM_PATTERNS_H
