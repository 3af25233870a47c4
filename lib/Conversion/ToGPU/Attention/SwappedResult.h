//===- SwappedResult.h - what a part comes to, keys on the left -*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H

#include "SplitPlan.h"
#include "SwappedBlock.h"
#include "SwappedSoftmax.h"

namespace mlafuse::kernel {

/// Stores a part's rows: as the result if the part is a whole request, else for
/// the kernel that combines parts, as PartFormat::ScaledF16.
class SwappedResult {
public:
  SwappedResult(const SwappedBlock &block, const AttentionInputs &inputs,
                const SplitPlan &plan, mlir::Value warp, mlir::Value lane);

  /// What the message in `stage` is relative to, of the thread's rows.
  ptx::Registers loadReferences(Emitter &e, mlir::Value stage) const;

  /// Sums are relative to the message in `stage`, the part's last, through
  /// whose values' memory rows pass. `parts` came before. All threads get here.
  void store(Emitter &e, const Part &part, mlir::Value stage,
             mlir::ValueRange sums, mlir::Value parts) const;
  /// The result of a request without keys: zeros.
  void storeNothing(Emitter &e, const Part &part) const;

private:
  /// What a row's sums are multiplied by, and the base-2 logarithm of its sum
  /// of exponentials.
  struct Row {
    mlir::Value factor, logarithm;
  };
  /// Of row `lane` modulo the tile's.
  Row divide(Emitter &e, mlir::Value stage, mlir::Value parts) const;
  void layOut(Emitter &e, ptx::Address memory, mlir::ValueRange sums) const;
  void storeWhole(Emitter &e, const Part &part, mlir::Value tileRow,
                  const Row &row, llvm::ArrayRef<ptx::Registers> halves) const;
  void storePartial(Emitter &e, const Part &part, mlir::Value tileRow,
                    const Row &row,
                    llvm::ArrayRef<ptx::Registers> halves) const;
  void storeLSE(Emitter &e, mlir::Value globalRow, mlir::Value logarithm) const;
  /// Runs `body` for this warp's rows of the tile that are the request's.
  void forEachRow(
      Emitter &e, const Part &part,
      llvm::function_ref<void(Emitter &, mlir::Value tileRow)> body) const;
  mlir::Value getGlobalRow(Emitter &e, const Part &part,
                           mlir::Value tileRow) const;

  const SwappedBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  mlir::Value warp, lane;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDRESULT_H
