//===- ScaleStore.h - the scales of a row, stored ---------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_SCALESTORE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_SCALESTORE_H

#include "../Rows/Quantization.h"

namespace mlafuse::kernel {

using namespace rows;

/// Scales of one row, in the layout of its key. Groups have numbers (indices),
/// counted over the row.
class ScaleStore {
public:
  /// `row` is the output's, behind the row offset.
  ScaleStore(const QuantBuffers &buffers, mlir::Value row)
      : buffers(buffers), row(row) {}

  /// A word of the layout holds four neighbouring groups' scales.
  static bool isPacked(const QuantSpec &spec) {
    return spec.getLayout() == ScaleLayout::PackedUE8M0;
  }

  /// Of packed layouts, the byte in place `i` of its word; else the scale.
  mlir::Value pack(Emitter &e, mlir::Value scale, int64_t i) const;

  /// Stores the scale of group `number`, or the word that begins with it.
  void store(Emitter &e, mlir::Value stored, mlir::Value number) const;
  /// Stores a scale of a packed layout as its byte of the word.
  void storeByte(Emitter &e, mlir::Value scale, mlir::Value number) const;

private:
  int64_t getGroups() const;

  const QuantBuffers &buffers;
  mlir::Value row;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_SCALESTORE_H
