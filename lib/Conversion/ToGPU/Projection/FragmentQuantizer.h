//===- FragmentQuantizer.h - sums quantized where they are ------*- C++ -*-===//
//
// The absolute maximum of a row's group takes exchanges between the four lanes
// that have it, and quotients no other lane.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_FRAGMENTQUANTIZER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_FRAGMENTQUANTIZER_H

#include "FragmentStore.h"

namespace mlafuse::kernel::projection {

/// Bits of an element of the output as it is stored.
int64_t getElementBits(const Projection &projection);

class FragmentQuantizer {
public:
  /// Scales that are given, or of groups that divide a tile.
  static bool supports(const Projection &projection);

  /// `lane` (i32) is this lane's number.
  FragmentQuantizer(const Projection &projection,
                    const QuantConstants &constants, mlir::Value lane);

  /// What a lane's columns of its row come to.
  struct Result {
    ptx::Registers codes;  ///< In order, as many to an i32 as it holds.
    ptx::Registers scales; ///< To store, one for each group.
  };
  /// `sums` are f32, in the order of columns.
  Result quantize(Emitter &e, mlir::ValueRange sums) const;

  void storeScales(Emitter &e, mlir::ValueRange scales,
                   const RowsPlace &place) const;
  /// Codes from element `column` (i32) of the tile on, of row `row` (i32).
  void storeCodes(Emitter &e, mlir::Value words, mlir::Value row,
                  mlir::Value column, const RowsPlace &place) const;

private:
  /// Pairs of elements, rounded to the model's type, in `exact` mode; else f32.
  ptx::Registers round(Emitter &e, mlir::ValueRange sums) const;
  /// The absolute maximum of the group that `values` are this lane's part of,
  /// with the floor that is on it.
  mlir::Value findMaximum(Emitter &e, mlir::ValueRange values) const;
  /// The group's quotients (f32); `scale` is what to store.
  ptx::Registers divide(Emitter &e, mlir::ValueRange values,
                        mlir::Value &scale) const;
  /// Four or eight quotients.
  mlir::Value toWord(Emitter &e, mlir::ValueRange quotients) const;

  bool isExact() const { return p.buffers.spec.numerics == Numerics::Exact; }
  int64_t getGroups() const { return p.columns / group; }
  /// Number of the tile in a row of the output, an index.
  mlir::Value getTile(Emitter &e, const RowsPlace &place) const;
  mlir::Value getOutputRow(Emitter &e, mlir::Value row) const;

  const Projection &p;
  const QuantConstants &constants;
  mlir::Value lane;
  int64_t group; ///< Columns of one scale.
  bool isNarrow; ///< Quotients are those of NarrowScale.
};

} // namespace mlafuse::kernel::projection

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_PROJECTION_FRAGMENTQUANTIZER_H
