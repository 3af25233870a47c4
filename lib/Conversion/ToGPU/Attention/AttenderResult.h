//===- AttenderResult.h - what a part comes to ------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERRESULT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERRESULT_H

#include "AttenderThread.h"

namespace mlafuse::kernel {

/// Stores a part's rows: as the result if the part is a whole request, else for
/// the kernel that combines parts.
///
/// A lane has pieces of two rows. Each warp stores its own 16: of a result,
/// rounded, by way of shared memory, where they become whole rows; of a part as
/// lanes have them (ScaledFragments). But if a request has no more rows than
/// the first warp has, three of four would have nothing to do. Then rows pass
/// through shared memory as they are, each warp takes four, and a warp that has
/// whole rows needs few instructions for them.
class AttenderResult : public AttenderThread {
public:
  explicit AttenderResult(const AttenderThread &thread);

  /// How parts are stored.
  static PartFormat getFormat(const AttentionProblem &problem);

  /// Adds up the sums of both attenders, stores, and frees the queries: rows
  /// pass through their memory. Returns part.hasNext.
  mlir::Value finish(Emitter &e, const Part &part, AttenderState state);
  /// The result of a request without keys: zeros. The queries are not touched.
  void storeNothing(Emitter &e, const Part &part);

private:
  /// Rows that a warp takes.
  static constexpr int64_t kTaken = 4;

  /// What becomes of a row.
  struct Row {
    mlir::Value tileRow;   ///< i32.
    mlir::Value exists;    ///< i1.
    mlir::Value factor;    ///< Of the outputs.
    mlir::Value logarithm; ///< Base 2, of the sum; -inf of none.
  };
  /// With what the lane has of it: kAccess columns of every kLanes * kAccess.
  struct TakenRow : Row {
    ptx::Registers columns;
  };

  /// Leaves what both attenders have to know of this thread's rows.
  void publish(Emitter &e, const AttenderState &state) const;
  /// `sums` of both kinds, and what they are relative to.
  void divide(Emitter &e, mlir::ValueRange sums, mlir::Value reference,
              Row &row) const;
  /// Emits `whole` where the part is a whole request, else `cut`.
  void choose(Emitter &e, const Part &part,
              llvm::function_ref<void(Emitter &)> whole,
              llvm::function_ref<void(Emitter &)> cut) const;

  void finishFewRows(Emitter &e, const Part &part,
                     const AttenderState &state) const;
  void leaveRows(Emitter &e, const AttenderState &state) const;
  void takeRows(Emitter &e, const Part &part, TakenRow (&rows)[kTaken]) const;
  void storeTaken(Emitter &e, const TakenRow &row, mlir::Value address,
                  mlir::Value factor, mlir::Type type) const;
  void storeTakenParts(Emitter &e, const Part &part,
                       llvm::ArrayRef<TakenRow> rows) const;

  void finishOwnRows(Emitter &e, const Part &part,
                     const AttenderState &state) const;
  /// Outputs times the factors of their rows, as the result's elements.
  /// `address` (i64) is where row lane mod 16 of the warp goes.
  void storeOwn(Emitter &e, const Part &part, const AttenderState &state,
                llvm::ArrayRef<Row> rows, mlir::Value address) const;
  void storeOwnResults(Emitter &e, const Part &part, const AttenderState &state,
                       llvm::ArrayRef<Row> rows) const;
  void storeOwnParts(Emitter &e, const Part &part, const AttenderState &state,
                     llvm::ArrayRef<Row> rows) const;

  /// The request's rows from the tile's first on.
  mlir::Value getRowsLeft(Emitter &e, const Part &part) const;
  /// The global row of row `row` (i32) of the tile.
  mlir::Value getGlobalRow(Emitter &e, const Part &part, mlir::Value row) const;
  /// This attender's columns of that row of the result.
  mlir::Value getResult(Emitter &e, const Part &part, mlir::Value row) const;
  mlir::Value skipHalf(Emitter &e, mlir::Value address, int64_t bytes) const;
  /// An address of lane 0 as that of this lane, which has kLaneBytes.
  mlir::Value skipLane(Emitter &e, mlir::Value address) const;
  /// `isOne`: whether the thread is the one of the row's that does.
  void storeLSE(Emitter &e, const Part &part, const Row &row,
                mlir::Value isOne) const;

  bool hasFewRows; ///< Any request.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ATTENDERRESULT_H
