//===- Warpgroup.h - matrix products of four warps --------------*- C++ -*-===//
//
// wgmma of sm_90a: D[64, n] += A[64, 16] B[16, n], A and B of bf16 or f16, D of
// f32 in registers. Thread t of the warpgroup holds of D, in n/2 registers:
// rows 16 (t/32) + (t mod 32)/4 (+ 8), columns 8 j + 2 (t mod 4) (+ 1), in the
// order (j, +8, +1). A in registers: four i32 of the same rows, pairs of
// columns 2 (t mod 4) and 8 more, in the order (+8 columns, +8 rows).
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_WARPGROUP_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_WARPGROUP_H

#include "SharedMemory.h"

namespace mlafuse::kernel::ptx {

/// How a product reads a swizzled tile in shared memory.
///   K: rows are the rows (columns) of A (B), columns are summed over.
///   MN: columns are the rows (columns) of A (B), rows are summed over.
enum class Major { K, MN };

/// What wgmma takes for an operand in shared memory: the upper half of its
/// descriptor is a constant, the lower a register and units to add to it. The
/// sum is formed next to the product: kept for every product of a loop it would
/// fill the registers.
struct MatrixDescriptor {
  mlir::Value low; ///< i32.
  int64_t units = 0;
  uint32_t high = 0;
};

/// What wgmma takes for the 16 elements of the sum from `depth` on, and the
/// tile's rows (Major::K) or columns (Major::MN) from `first` on; `depth` is a
/// multiple of 16, `first` of 8 rows or 64 columns.
class MatrixOperand {
public:
  MatrixOperand(Emitter &e, const SwizzledTile &tile, Major major);
  MatrixDescriptor get(Emitter &e, int64_t depth, int64_t first = 0) const;
  Major getMajor() const { return major; }
  /// The same shape of tile at another start: `bytes` (i32) further on.
  MatrixOperand advance(Emitter &e, mlir::Value bytes) const;

private:
  MatrixOperand() = default;
  MatrixDescriptor descriptor;
  int64_t boxBytes = 0;
  Major major = Major::K;
};

/// Shape and types of a product.
struct WarpgroupProduct {
  int64_t n;           ///< 8 to 256.
  mlir::Type elements; ///< bf16 or f16.
  int64_t getRegisters() const { return n / 2; }
};

/// Ahead of the first product that reads registers written since.
void fenceProducts(Emitter &e);
/// d += a b, or d = a b where `d` is empty.
Registers multiply(Emitter &e, const WarpgroupProduct &product,
                   mlir::ValueRange d, const MatrixDescriptor &a, Major aMajor,
                   const MatrixDescriptor &b, Major bMajor);
/// The same with A in four registers.
Registers multiply(Emitter &e, const WarpgroupProduct &product,
                   mlir::ValueRange d, mlir::ValueRange a,
                   const MatrixDescriptor &b, Major bMajor);
/// Closes a group of products.
void commitProducts(Emitter &e);
/// Waits until at most `pending` groups are open. `registers` are those that
/// products write: their values are the results of this.
Registers waitProducts(Emitter &e, int64_t pending, mlir::ValueRange registers);

/// Moves registers between warpgroups: every warp of a warpgroup executes it.
void raiseRegisters(Emitter &e, int64_t count);
void lowerRegisters(Emitter &e, int64_t count);

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_WARPGROUP_H
