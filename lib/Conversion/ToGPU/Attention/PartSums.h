//===- PartSums.h - what the parts of a row come to -------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSUMS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSUMS_H

#include "PartSharing.h"

namespace mlafuse::kernel {

/// Where some parts of a row are in memory.
struct PartPlaces {
  mlir::Value first; ///< The first one's address, i64.
  mlir::Value base;  ///< Of part `i`, i > 0: base + i * stride.
  int64_t stride;

  mlir::Value getBase(int64_t i) const { return i ? base : first; }
  int64_t getOffset(int64_t i) const { return i * stride; }
};

/// A piece as it was loaded, of each of the lane's parts.
struct LoadedPiece {
  llvm::SmallVector<ptx::Registers> outputs;
  /// Factors of scaled formats, and logarithms; -inf of parts that are not
  /// there.
  ptx::Registers scales, logarithms;

  /// At `outputs` are 16 bytes of a row, at `sums` an f32, or a scaled format's
  /// two. Of `mostParts` the first `ownParts` (i32) are loaded.
  static LoadedPiece load(Emitter &e, int64_t mostParts, PartFormat format,
                          const PartPlaces &outputs, const PartPlaces &sums,
                          mlir::Value ownParts);
};

/// What the parts that a warp has come to, relative to 2^base; f32. Lanes with
/// the same columns have the same.
struct PartSums {
  ptx::Registers outputs; ///< Of the lane's columns.
  mlir::Value base, total;
};

/// Of some pieces: their ways are long, and side by side.
llvm::SmallVector<PartSums> addParts(Emitter &e, const PartSharing &sharing,
                                     PartFormat format,
                                     llvm::ArrayRef<LoadedPiece> pieces);

/// The largest of some f32 of all lanes, or the least finite one if they are
/// -inf.
mlir::Value findLargestOfWarp(Emitter &e, llvm::ArrayRef<mlir::Value> values);

/// The sums of each of `values` over the lanes with the same columns, in all of
/// them.
ptx::Registers addPartLanes(Emitter &e, const PartSharing &sharing,
                            mlir::ValueRange values);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_PARTSUMS_H
