//===- Warp.h - matrices and lanes of one warp ------------------*- C++ -*-===//
//
// mma.sync: D[16, 8] += A[16, 16] B[16, 8]. Lane l holds of D four f32: rows
// l/4 (+8), columns 2 (l mod 4) (+1), in the order (+8, +1); of A four i32, as
// wgmma does; of B two i32: column l/4, pairs of rows 2 (l mod 4) (+ 8).
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_WARP_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_WARP_H

#include "SharedMemory.h"

namespace mlafuse::kernel::ptx {

/// Four 8 x 8 matrices of 16-bit elements; lane l names the start (16 bytes) of
/// row l mod 8 of matrix l/8. Each lane gets the pair (l/4, 2 (l mod 4)) of
/// each; `transposed`: of its transpose.
Registers loadMatrices(Emitter &e, Address row, bool transposed);
void storeMatrices(Emitter &e, Address row, mlir::ValueRange matrices,
                   bool transposed);

/// `elements`: bf16 or f16.
Registers multiplyWarp(Emitter &e, mlir::Type elements, mlir::ValueRange d,
                       mlir::ValueRange a, mlir::ValueRange b);

/// This thread's number in its warp, i32.
mlir::Value getLane(Emitter &e);

/// Bit l: whether `value` (i32) of lane l is not 0. All lanes get here.
mlir::Value ballot(Emitter &e, mlir::Value value);

/// The sum and the largest (signed) of all lanes' i32.
mlir::Value sumOverLanes(Emitter &e, mlir::Value value);
mlir::Value largestOverLanes(Emitter &e, mlir::Value value);

/// The value (i32 or f32) of lane `lane` (i32).
mlir::Value ofLane(Emitter &e, mlir::Value value, mlir::Value lane);
/// The same of an i64.
mlir::Value ofLaneI64(Emitter &e, mlir::Value value, mlir::Value lane);

/// A value (i32) that all lanes have, as one that the assembler knows they
/// have: what is behind a branch on it takes them to be together, as they are.
mlir::Value sameInAllLanes(Emitter &e, mlir::Value value);

/// The value of lane l ^ mask.
mlir::Value exchange(Emitter &e, mlir::Value value, int64_t mask);
/// The same with a mask (i32) that all lanes have.
mlir::Value exchange(Emitter &e, mlir::Value value, mlir::Value mask);

/// Whether the condition (i1) holds in any lane, or in all.
mlir::Value holdsInAnyLane(Emitter &e, mlir::Value condition);
mlir::Value holdsInAllLanes(Emitter &e, mlir::Value condition);

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// 2^x, within 2 ulp; 0 for -inf.
mlir::Value exp2Fast(Emitter &e, mlir::Value x);
/// log2(x), of a normal number.
mlir::Value log2Fast(Emitter &e, mlir::Value x);
/// 1/x, within 1 ulp; 0 for infinities. Subnormal numbers are 0.
mlir::Value reciprocalFast(Emitter &e, mlir::Value x);
/// a * b + c, rounded once.
mlir::Value fusedMultiplyAdd(Emitter &e, mlir::Value a, mlir::Value b,
                             mlir::Value c);
/// Two f32 rounded to a pair of bf16 or f16 in an i32; `low` in its low half.
mlir::Value packPair(Emitter &e, mlir::Type elements, mlir::Value low,
                     mlir::Value high);
/// Products of two pairs of bf16 or f16, rounded.
mlir::Value multiplyPairs(Emitter &e, mlir::Type elements, mlir::Value a,
                          mlir::Value b);
/// The larger magnitude, in each half, of two pairs of bf16 or f16; a NaN is
/// ignored. The sign of the result is anyone's. On chips with sm_86's
/// instructions.
mlir::Value largerMagnitudes(Emitter &e, mlir::Type elements, mlir::Value a,
                             mlir::Value b);
/// Four e4m3 codes of an i32 as two pairs of bf16 or f16, which are exact but
/// for codes of NaN: those become 480. On chips that multiply pairs.
Registers widenNumbers(Emitter &e, mlir::Type elements, mlir::Value codes);
/// Not 0 if a code of NaN is among the e4m3 codes of some i32.
mlir::Value findNaNCodes(Emitter &e, mlir::ValueRange codes);
/// Four e4m3 codes of an i32 as two pairs of f16, which are exact. On chips
/// that convert e4m3.
Registers widenCodes(Emitter &e, mlir::Value codes);
/// The two as f32.
std::pair<mlir::Value, mlir::Value> unpackPair(Emitter &e, mlir::Type elements,
                                               mlir::Value pair);

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_WARP_H
