//===- GlobalMemory.h - global memory at any alignment ----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_GLOBALMEMORY_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_GLOBALMEMORY_H

#include "Asm.h"

namespace mlafuse::kernel::ptx {

/// A value of `type`, a scalar or a vector, at `address` (i64), which is a
/// multiple of `alignment` bytes: as wide loads as that allows.
mlir::Value loadAligned(Emitter &e, mlir::Value address, mlir::Type type,
                        int64_t alignment);
void storeAligned(Emitter &e, mlir::Value address, mlir::Value value,
                  int64_t alignment);

/// Four f32 at `address`, a multiple of 16; zeros where the i1 does not hold:
/// nothing is read then.
Registers loadF32x4If(Emitter &e, mlir::Value condition, mlir::Value address);

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_GLOBALMEMORY_H
