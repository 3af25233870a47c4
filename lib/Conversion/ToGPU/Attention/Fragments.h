//===- Fragments.h - a thread's part of an accumulator ----------*- C++ -*-===//
//
// Of the sums of 16 rows that a warp's products make, a thread has columns
// 8 j + 2 (lane mod 4) (+ 1) of two rows, 8 apart, in the order (j, +8, +1);
// the four lanes of a row are neighbours. mma.sync and wgmma have them alike.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_FRAGMENTS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_FRAGMENTS_H

#include "../NVIDIA/Asm.h"

namespace mlafuse::kernel {

/// Rows of a thread.
inline constexpr int64_t kThreadRows = 2;

/// The row, of those, of register `i`; its column, but for 2 (lane mod 4).
inline int64_t getThreadRow(int64_t i) { return i / 2 % kThreadRows; }
inline int64_t getThreadColumn(int64_t i) { return i / 4 * 8 + i % 2; }

/// Folds over the lanes of a row.
mlir::Value foldRow(Emitter &e, mlir::Value value, Combine combine);

/// The largest of this lane's columns of a row; of all lanes', in each of them.
mlir::Value findLargestOfLane(Emitter &e, mlir::ValueRange registers,
                              int64_t row);
mlir::Value findLargest(Emitter &e, mlir::ValueRange registers, int64_t row);

/// Multiplies rows by `factors`.
ptx::Registers scaleRows(Emitter &e, mlir::ValueRange registers,
                         llvm::ArrayRef<mlir::Value> factors);

/// Adds a thread's columns to `sums`, which are per row.
void addToRows(Emitter &e, mlir::ValueRange registers,
               llvm::MutableArrayRef<mlir::Value> sums);

/// The same of columns as `packPairs` returns them.
void addPairsToRows(Emitter &e, mlir::Type elements, mlir::ValueRange pairs,
                    llvm::MutableArrayRef<mlir::Value> sums);

/// 2^(scale s + shift) of every s; `shifts` are per row.
ptx::Registers exponentiate(Emitter &e, mlir::ValueRange registers,
                            mlir::Value scale,
                            llvm::ArrayRef<mlir::Value> shifts);

/// As left operands of products: i32 of two columns as `elements`, four of them
/// for 16 columns.
ptx::Registers packPairs(Emitter &e, mlir::Type elements,
                         mlir::ValueRange registers);

/// Of four lanes with four i32 each, the first lane has the first of all, and
/// so on.
ptx::Registers transposeQuad(Emitter &e, mlir::ValueRange registers);

/// -inf, and whether a value is it.
mlir::Value minusInfinity(Emitter &e);
mlir::Value isMinusInfinity(Emitter &e, mlir::Value value);
/// Whether some value differs from its like in some lane (i1, of all lanes).
mlir::Value differInAnyLane(Emitter &e, mlir::ValueRange values,
                            mlir::ValueRange others);
/// Sums relative to 2^before as such relative to 2^now, of each row; `getRow`
/// is the row of a sum. Most often nothing has moved, which a branch finds.
ptx::Registers changeReferences(Emitter &e, mlir::ValueRange sums,
                                mlir::ValueRange before, mlir::ValueRange now,
                                llvm::function_ref<int64_t(int64_t)> getRow);
/// What exponents are relative to: 0 for -inf, of rows that have seen no key,
/// so that no infinities are subtracted.
mlir::Value finiteOrZero(Emitter &e, mlir::Value value);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_FRAGMENTS_H
