//===- AttenderResult.h - what a part comes to ------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERRESULT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERRESULT_H

#include "AttenderThread.h"

namespace mlafuse::kernel {

/// Stores a part's rows: as the result if the part is a whole request, else for
/// the kernel that combines parts.
class AttenderResult : public AttenderThread {
public:
  explicit AttenderResult(const AttenderThread &thread)
      : AttenderThread(thread) {}

  /// Adds up the sums of both attenders, stores, and frees the queries: rows
  /// pass through their memory.
  void finish(Emitter &e, const Part &part, AttenderState state);
  /// The result of a request without keys: zeros. The queries are not touched.
  void storeNothing(Emitter &e, const Part &part);

private:
  /// What becomes of this thread's rows.
  struct Rows {
    mlir::Value factors[kRows];    ///< Of the outputs.
    mlir::Value logarithms[kRows]; ///< Base 2, of the sums; -inf of none.
  };
  Rows divide(Emitter &e, const AttenderState &state,
              llvm::ArrayRef<mlir::Value> totals) const;
  /// The request's rows from the tile's first on; whether row `row` (i32) of
  /// the tile is one of them.
  mlir::Value getRowsLeft(Emitter &e, const Part &part) const;
  mlir::Value rowExists(Emitter &e, const Part &part, mlir::Value row) const;
  mlir::Value skipHalf(Emitter &e, mlir::Value address, int64_t bytes) const;
  mlir::Value skipLane(Emitter &e, mlir::Value address) const;
  /// Addresses of row `row` (i32) of the tile: this attender's columns of the
  /// result, and all of a part.
  mlir::Value getResult(Emitter &e, const Part &part, mlir::Value row) const;
  mlir::Value getPartialRow(Emitter &e, const Part &part,
                            mlir::Value row) const;
  /// Outputs times the factors of their rows, rounded to `type`. `getAddress`
  /// is where the lane stores of row `i` of the warp.
  void storeColumns(
      Emitter &e, const Part &part, const AttenderState &state,
      llvm::ArrayRef<mlir::Value> factors, mlir::Type type,
      llvm::function_ref<mlir::Value(Emitter &, int64_t i)> getAddress) const;
  void storePartial(Emitter &e, const Part &part, const AttenderState &state,
                    const Rows &rows) const;
  void storeLSE(Emitter &e, const Part &part, const Rows &rows) const;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERRESULT_H
