//===- Quantization.h - scales of rows and where they lie -------*- C++ -*-===//
//
// The scalar arithmetic of the `quantize` op's documentation, shared by the
// kernels of all targets.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_QUANTIZATION_H
#define MLAFUSE_LIB_CONVERSION_ROWS_QUANTIZATION_H

#include "MLAFuse/IR/QuantSpec.h"
#include "RowView.h"

namespace mlafuse::rows {

/// The buffers and scalars of a quantization; null where the key has none.
struct QuantBuffers {
  QuantSpec spec;
  int64_t width = 0; ///< Elements of a row, before packing.
  mlir::Value codes, scales;
  mlir::Value scale, scaleUb, globalScale; ///< 1 x f32 buffers.
  mlir::Value rowOffset;                   ///< An index.
};

/// What all rows share, loaded once ahead of the loop.
struct QuantConstants {
  mlir::Value scale, inverseScale, scaleUb, globalScale, inverseGlobal;
};
QuantConstants loadConstants(Emitter &e, const QuantBuffers &buffers);

/// `rows`, but no more than `codes` has from the row offset on: an offset that
/// the buffer does not have must not write into other memory.
mlir::Value clampRows(Emitter &e, const QuantBuffers &buffers,
                      mlir::Value rows);

/// The f32 scale from an absolute maximum, by the key's and the rule's
/// arithmetic. `absMax` already has the floor that is on it.
mlir::Value computeScale(Emitter &e, const EffectiveRule &rule,
                         mlir::Value absMax, mlir::Value scaleUb);

/// How the elements of a group are divided: by `scale`, by multiplying with
/// `inverse`, or (MX) by the power of two with the biased `exponent`.
struct Divisor {
  mlir::Value scale, inverse, exponent;
};

/// A group's scale as it is stored, and what to divide its elements by.
struct GroupScale {
  mlir::Value stored;
  Divisor divisor;
};
/// How a conversion of a narrow float is emitted: as arithmetic on its bits, or
/// as an op for a later pass that knows the chip's instructions.
enum class ConversionForm { Arithmetic, Op };

/// Of a group with this absolute maximum (with the floor that is on it), under
/// a dynamic key.
GroupScale makeScale(Emitter &e, const QuantBuffers &buffers,
                     const QuantConstants &constants, mlir::Value absMax,
                     ConversionForm form);

/// Index pair of scale (row, group) in `scales`; for packed_ue8m0 that of its
/// word.
llvm::SmallVector<mlir::Value, 2>
getScaleIndices(Emitter &e, ScaleLayout layout, mlir::Value scales,
                mlir::Value row, mlir::Value group);

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_QUANTIZATION_H
