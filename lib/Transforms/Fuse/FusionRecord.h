//===- FusionRecord.h - one remark of the fusion ----------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_TRANSFORMS_FUSIONRECORD_H
#define MLAFUSE_LIB_TRANSFORMS_FUSIONRECORD_H

#include "MLAFuse/Transforms/FusionReport.h"
#include "Verdict.h"

namespace mlafuse {

/// What became of one candidate. Kept apart from the IR, which goes on
/// changing.
struct FusionRecord {
  FusionRecord(bool isPassed, FusionCode code, mlir::Location loc,
               llvm::StringRef function)
      : isPassed(isPassed), code(code), loc(loc), function(function) {}

  bool isPassed;
  FusionCode code;
  mlir::Location loc;
  llvm::StringRef function; ///< Of the symbol's attribute, which lives on.
  std::string producer, consumer;

  /// Passed: bytes of memory traffic saved per row, and kernel launches.
  int64_t bytesPerRow = 0, launches = 0;

  /// Missed: why, and the op that stands in the way.
  std::string reason, blocker;
  std::optional<mlir::Location> blockerLoc;

  /// The ops that the record is about, for its place in source order.
  llvm::SmallVector<mlir::Operation *, 2> anchors;

  /// "6144*T", T the number of rows; "0" for none.
  std::string getBytesText() const;
  /// The remark in words, without its code.
  std::string getMessage() const;
};

using FusionRecords = std::vector<FusionRecord>;

/// A record of a candidate that stays as it is.
FusionRecord makeMissed(const Verdict &verdict, mlir::Location loc,
                        mlir::Operation *producer, mlir::Operation *consumer);

/// The symbol name of the function around `op`, or empty.
llvm::StringRef getFunctionName(mlir::Operation *op);

/// "file.mlir:3:5".
std::string getLocationText(mlir::Location loc);

/// Puts the records in the order of `root`'s text.
void sortInSourceOrder(mlir::Operation *root, FusionRecords &records);

/// One remark per record, through MLIR's remark engine.
void emitRemarks(llvm::ArrayRef<FusionRecord> records);

/// The records as the report has them.
std::vector<FusionReportEntry> makeReport(llvm::ArrayRef<FusionRecord> records);

} // namespace mlafuse

#endif // MLAFUSE_LIB_TRANSFORMS_FUSIONRECORD_H
