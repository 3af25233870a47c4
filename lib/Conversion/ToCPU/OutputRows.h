//===- OutputRows.h - rows of heads, stored or quantized --------*- C++ -*-===//
//
// What the ops with a quantizable output share: a kernel makes f32 chunks of
// some heads of some rows of [rows, heads * width], and this stores them, or
// collects what a scale covers and quantizes it.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_OUTPUTROWS_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_OUTPUTROWS_H

#include "QuantizeRow.h"

namespace mlafuse::cpu {

class OutputRows {
public:
  /// `quant.codes` is the output whether there is a key or not. `model` is what
  /// exact numerics round to ahead of the codes.
  OutputRows(QuantBuffers quant, mlir::Type model, int64_t heads,
             int64_t width);

  /// The shared operands of an op with a quantizable output.
  template <typename OpT>
  static QuantBuffers getBuffers(OpT op, int64_t width) {
    return {op.getOutputQuant(), width,
            op.getOutputInit(),  op.getScaleInit(),
            op.getScale(),       op.getScaleUb(),
            op.getGlobalScale(), op.getRowOffset()};
  }

  /// Heads that one item must make together: those whose scales are shared.
  int64_t getSegmentHeads() const { return segmentHeads; }

  /// Loads what all of `rows` rows share; ahead of the parallel loop. Rows that
  /// the output does not have from the row offset on are computed, for the op's
  /// other results, and not stored.
  void prepare(Emitter &e, mlir::Value rows);

  /// Some rows of one segment of heads.
  struct Part {
    mlir::Value firstRow, firstHead;
    mlir::Value buffer; ///< f32 [rows, columns of the segment]; null: no key.
  };
  Part begin(Emitter &e, mlir::Value firstRow, mlir::Value firstHead,
             int64_t rows);
  /// Takes a chunk: `row` and `head` count within the part.
  void store(Emitter &e, const Part &part, mlir::Value row, mlir::Value head,
             mlir::Value column, mlir::Value chunk);
  /// Quantizes rows [0, rowCount) of the part.
  void finish(Emitter &e, const Part &part, mlir::Value rowCount);

  /// After the parallel loop: `rows` is how many the op gives.
  void finishAll(Emitter &e, mlir::Value rows);

private:
  QuantBuffers quant;
  QuantConstants constants;
  mlir::Type model;
  int64_t width, segmentHeads;
  mlir::Value storedRows; ///< Null: all.
};

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_OUTPUTROWS_H
