//===- GlobalMemory.h - accesses to global memory ---------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_GLOBALMEMORY_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_GLOBALMEMORY_H

#include "Asm.h"

namespace mlafuse::kernel::ptx {

/// Brings `bytes`, a multiple of 16 from an aligned address on, to the L2 cache
/// where `condition` (i1) holds. On chips with bulk copies.
void prefetchToL2(Emitter &e, mlir::Value condition, mlir::Value address,
                  int64_t bytes);

/// A register of `type`, i32 or f32, at `address` + `offset`.
mlir::Value loadGlobal(Emitter &e, mlir::Value address, mlir::Type type,
                       int64_t offset = 0);
/// `count` (1, 2 or 4) registers.
Registers loadGlobalVector(Emitter &e, mlir::Value address, mlir::Type type,
                           int64_t count, int64_t offset = 0);
/// `count` (1, 2 or 4) registers of `type` at `address` + `offset` where
/// `condition` (i1) holds. Nothing is read elsewhere: the registers are zeros,
/// or have the bits `otherwise`.
Registers loadGlobalIf(Emitter &e, mlir::Value condition, mlir::Value address,
                       mlir::Type type, int64_t count, int64_t offset = 0,
                       llvm::ArrayRef<uint32_t> otherwise = {});
/// An i32 at `address` where `condition` (i1) holds, else 0: as memory has it
/// now, whoever may be writing it.
mlir::Value peekGlobalIf(Emitter &e, mlir::Value condition,
                         mlir::Value address);
/// 1, 2 or 4 registers.
void storeGlobal(Emitter &e, mlir::Value address, mlir::ValueRange values,
                 int64_t offset = 0);

/// The same where `condition` (i1) holds.
void storeGlobalIf(Emitter &e, mlir::Value condition, mlir::Value address,
                   mlir::ValueRange values, int64_t offset = 0);

/// The byte address (i64) of a memref's first element.
mlir::Value getGlobalAddress(Emitter &e, mlir::Value buffer);

/// A value of `type`, a scalar or a vector, at `address` (i64), which is a
/// multiple of `alignment` bytes: as wide loads as that allows.
mlir::Value loadAligned(Emitter &e, mlir::Value address, mlir::Type type,
                        int64_t alignment);
void storeAligned(Emitter &e, mlir::Value address, mlir::Value value,
                  int64_t alignment);

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_GLOBALMEMORY_H
