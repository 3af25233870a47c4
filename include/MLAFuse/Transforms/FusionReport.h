//===- FusionReport.h - what became of every candidate ----------*- C++ -*-===//
//
// The report of `--mlafuse-fuse` in text or JSON. python-free-docs/Fusions.md
// has the schema.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_TRANSFORMS_FUSIONREPORT_H
#define MLAFUSE_TRANSFORMS_FUSIONREPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <mutex>
#include <string>
#include <vector>

namespace mlafuse {

/// The form of the fusion report.
enum class FusionReport { None, Text, JSON };

/// One remark, free of the IR that it is about: it outlives the context.
struct FusionReportEntry {
  bool isPassed = false;
  std::string code, name, function, location, producer, consumer;
  /// The remark in words, without its code.
  std::string message;

  /// Passed: bytes of memory traffic, such as "6144*T", and kernel launches.
  std::string bytesSaved;
  int64_t launchesSaved = 0;

  /// Missed: why, and the op that stands in the way (empty: none does).
  std::string reason, blocker, blockerLocation;
};

/// Writes `entries` to `path`, whole or not at all; "-" is the standard output.
llvm::Error saveFusionReport(llvm::ArrayRef<FusionReportEntry> entries,
                             FusionReport form, llvm::StringRef path);

/// Receives the entries of every fusion pass of the process, one collector at a
/// time, while it lives: how a tool reports on passes that it does not build
/// itself.
class FusionReportCollector {
public:
  FusionReportCollector();
  ~FusionReportCollector();
  FusionReportCollector(const FusionReportCollector &) = delete;
  FusionReportCollector &operator=(const FusionReportCollector &) = delete;

  /// Called by each pass as it ends.
  static void add(llvm::ArrayRef<FusionReportEntry> entries);

  llvm::ArrayRef<FusionReportEntry> getEntries() const { return entries; }
  /// How many passes have ended.
  unsigned getNumPasses() const { return numPasses; }

private:
  std::mutex mutex;
  std::vector<FusionReportEntry> entries;
  unsigned numPasses = 0;
};

} // namespace mlafuse

#endif // MLAFUSE_TRANSFORMS_FUSIONREPORT_H
