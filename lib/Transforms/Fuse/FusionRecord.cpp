//===- FusionRecord.cpp - the remarks of the fusion, in words -------===//

#include "FusionRecord.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlafuse;

std::string FusionRecord::getBytesText() const {
  return bytesPerRow ? std::to_string(bytesPerRow) + "*T" : "0";
}

std::string FusionRecord::getMessage() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'" << producer << "' and '" << consumer << "' ";
  if (isPassed) {
    os << "fused: saves ";
    if (bytesPerRow)
      os << getBytesText() << " bytes and ";
    os << launches << (launches == 1 ? " launch" : " launches");
    return text;
  }
  os << "not fused: " << reason;
  if (blockerLoc)
    os << " ('" << blocker << "' at " << getLocationText(*blockerLoc) << ")";
  return text;
}

StringRef mlafuse::getFunctionName(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function ? function.getName() : StringRef();
}

std::string mlafuse::getLocationText(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << loc;
  return text;
}

FusionRecord mlafuse::makeMissed(const Verdict &verdict, Location loc,
                                 Operation *producer, Operation *consumer) {
  FusionRecord record(/*isPassed=*/false, verdict.code, loc,
                      getFunctionName(consumer));
  record.producer = producer->getName().getStringRef().str();
  record.consumer = consumer->getName().getStringRef().str();
  record.reason = verdict.reason;
  if (verdict.blocker) {
    record.blocker = verdict.blocker->getName().getStringRef().str();
    record.blockerLoc = verdict.blocker->getLoc();
  }
  record.anchors = {producer, consumer};
  return record;
}

/// Where a record stands: its function, its place in the file, and where there
/// is none, the last op that it is about; then as it was recorded.
using SourcePosition =
    std::tuple<unsigned, unsigned, unsigned, unsigned, size_t>;

void mlafuse::sortInSourceOrder(Operation *root, FusionRecords &records) {
  DenseMap<Operation *, unsigned> order;
  root->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { order.try_emplace(op, order.size()); });
  SmallVector<SourcePosition> positions;
  for (auto [index, record] : llvm::enumerate(records)) {
    unsigned last = 0, line = 0, column = 0;
    for (Operation *op : record.anchors)
      last = std::max(last, order.lookup(op));
    if (auto file = record.loc->findInstanceOf<FileLineColLoc>()) {
      line = file.getLine();
      column = file.getColumn();
    }
    Operation *function =
        record.anchors.front()->getParentOfType<FunctionOpInterface>();
    positions.push_back({order.lookup(function), line, column, last, index});
  }
  llvm::sort(positions);
  FusionRecords sorted;
  for (const SourcePosition &position : positions)
    sorted.push_back(std::move(records[std::get<4>(position)]));
  records = std::move(sorted);
}

void mlafuse::emitRemarks(ArrayRef<FusionRecord> records) {
  for (const FusionRecord &record : records) {
    auto opts = remark::RemarkOpts::name(getCodeText(record.code))
                    .category("mlafuse-fuse")
                    .function(record.function);
    auto remark = record.isPassed ? remark::passed(record.loc, opts)
                                  : remark::missed(record.loc, opts);
    remark << record.getMessage();
  }
}

std::vector<FusionReportEntry>
mlafuse::makeReport(ArrayRef<FusionRecord> records) {
  std::vector<FusionReportEntry> report;
  for (const FusionRecord &record : records) {
    FusionReportEntry &entry = report.emplace_back();
    entry.isPassed = record.isPassed;
    entry.code = getCodeText(record.code);
    entry.name = getCodeName(record.code);
    entry.function = record.function;
    entry.location = getLocationText(record.loc);
    entry.producer = record.producer;
    entry.consumer = record.consumer;
    entry.message = record.getMessage();
    entry.bytesSaved = record.getBytesText();
    entry.launchesSaved = record.launches;
    entry.reason = record.reason;
    entry.blocker = record.blocker;
    if (record.blockerLoc)
      entry.blockerLocation = getLocationText(*record.blockerLoc);
  }
  return report;
}
