//===- Parts.h - bytes and halves of registers ------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_PARTS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_PARTS_H

#include "Asm.h"

namespace mlafuse::kernel::ptx {

/// Bytes `first`, `first` + 1 of two i32 in turn: a's, b's, a's, b's, from the
/// lowest byte of the result on.
mlir::Value interleaveBytes(Emitter &e, mlir::Value a, mlir::Value b,
                            int64_t first);

/// The even bytes of an i32 in its low half, the odd ones in its high half.
mlir::Value pairBytes(Emitter &e, mlir::Value a);

/// The low, or the high, halves of two i32: a's is the result's low half.
mlir::Value selectHalves(Emitter &e, mlir::Value a, mlir::Value b, bool high);

/// The larger, in each half, of two unsigned 16-bit integers. On chips with
/// instructions for pairs of them (sm_90).
mlir::Value largerHalves(Emitter &e, mlir::Value a, mlir::Value b);

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_PARTS_H
