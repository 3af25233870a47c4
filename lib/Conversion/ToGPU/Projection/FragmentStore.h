//===- FragmentStore.h - a product's rows to the output ---------*- C++ -*-===//
//
// A row of a product is in four neighbouring lanes of a warp, pairs of columns
// in each (see NVIDIA/Warp.h). Elements of the output go through shared memory,
// eight rows at a time, for rows to be written as whole lines.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_FRAGMENTSTORE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_FRAGMENTSTORE_H

#include "../NVIDIA/SharedMemory.h"
#include "Projection.h"

namespace mlafuse::kernel::projection {

/// A lane has one row of each half of a warp's rows.
inline constexpr int64_t kHalfRows = kWarpRows / 2;
/// Lanes that have a row.
inline constexpr int64_t kRowLanes = 4;

/// Where a half of a warp's rows are in the output. Row r of it is row `first`
/// + r `step` of all (i32), and exists if that is below `rows` (i32); `head`
/// and `tile` (indices) give the columns.
struct RowsPlace {
  mlir::Value first;
  int64_t step;
  mlir::Value rows, head, tile;

  mlir::Value getRow(Emitter &e, mlir::Value r) const {
    return ptx::plusI(e, first, ptx::timesI(e, r, step));
  }
};

class FragmentStore {
public:
  /// Rows of `columns` elements of `bits` (16, 8 or 4) bits are whole numbers
  /// of what an instruction stores from registers.
  static bool supports(int64_t columns, int64_t bits);

  /// Where chunk `chunk` (16 bytes) of row `row` (i32) is, bytes from the first
  /// of the staged rows on.
  static mlir::Value getPlace(Emitter &e, mlir::Value row, mlir::Value chunk,
                              int64_t rowBytes);

  /// `lane` (i32) is this lane's number, `staging` the memory of its warp, of
  /// kHalfRows rows.
  FragmentStore(int64_t columns, int64_t bits, ptx::Address staging,
                mlir::Value lane)
      : columns(columns), bits(bits), staging(staging), lane(lane) {}

  /// Writes four i32, a vector, of row `row` (i32) of all from element number
  /// `column` (i32) of the tile on.
  using Write = llvm::function_ref<void(Emitter &e, mlir::Value words,
                                        mlir::Value row, mlir::Value column)>;

  /// Stores eight rows. `words` are this lane's elements of its row, in order,
  /// as i32. All lanes get here.
  void store(Emitter &e, mlir::ValueRange words, const RowsPlace &place,
             Write write) const;

private:
  /// Elements of 16 bytes, and how often a row has so many.
  int64_t getChunkColumns() const { return 128 / bits; }
  int64_t getChunks() const { return columns / getChunkColumns(); }
  ptx::Address getChunk(Emitter &e, mlir::Value row, mlir::Value chunk) const;
  /// The four words of a chunk, one of each lane, in the order of columns.
  ptx::Registers order(Emitter &e, mlir::ValueRange words) const;

  int64_t columns, bits;
  ptx::Address staging;
  mlir::Value lane;
};

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_FRAGMENTSTORE_H
