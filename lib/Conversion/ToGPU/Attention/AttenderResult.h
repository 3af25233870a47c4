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

  /// Adds up the sums of both attenders, frees the queries and stores.
  void finish(Emitter &e, const Part &part, AttenderState state);
  /// Divides by `totals` and stores this thread's rows.
  void store(Emitter &e, const Part &part, const AttenderState &state,
             llvm::ArrayRef<mlir::Value> totals);

private:
  void storeRow(Emitter &e, const Part &part, mlir::Value globalRow, int64_t i,
                mlir::ValueRange values, mlir::Value sum);
  /// Pairs of columns `column`, `column` + 8, ... of a row.
  void storeValues(Emitter &e, mlir::Value address, mlir::Value column,
                   mlir::ValueRange values, mlir::Type type);
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERRESULT_H
