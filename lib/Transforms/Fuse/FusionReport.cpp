//===- FusionReport.cpp - the fusion report as text or JSON ---------------===//

#include "MLAFuse/Transforms/FusionReport.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>

using namespace mlafuse;

/// Of the object as a whole: a change that a reader could trip over raises it.
static constexpr int schemaVersion = 1;

static void writeText(llvm::ArrayRef<FusionReportEntry> entries,
                      llvm::raw_ostream &os) {
  for (const FusionReportEntry &entry : entries)
    os << entry.location << ": " << (entry.isPassed ? "passed " : "missed ")
       << entry.code << " " << entry.name << " in @" << entry.function << ": "
       << entry.message << "\n";
}

/// A file name may hold any bytes, JSON text only UTF-8.
static std::string toUTF8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

static void writeEntry(const FusionReportEntry &entry,
                       llvm::json::OStream &json) {
  json.attribute("kind", entry.isPassed ? "passed" : "missed");
  json.attribute("code", entry.code);
  json.attribute("name", entry.name);
  json.attribute("function", toUTF8(entry.function));
  json.attribute("location", toUTF8(entry.location));
  json.attribute("producer", entry.producer);
  json.attribute("consumer", entry.consumer);
  if (entry.isPassed) {
    json.attribute("bytesSaved", entry.bytesSaved);
    json.attribute("launchesSaved", entry.launchesSaved);
    return;
  }
  json.attribute("reason", toUTF8(entry.reason));
  if (entry.blocker.empty())
    return;
  json.attribute("blocker", entry.blocker);
  json.attribute("blockerLocation", toUTF8(entry.blockerLocation));
}

static void writeJSON(llvm::ArrayRef<FusionReportEntry> entries,
                      llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", schemaVersion);
    json.attributeArray("remarks", [&] {
      for (const FusionReportEntry &entry : entries)
        json.object([&] { writeEntry(entry, json); });
    });
  });
  os << "\n";
}

/// A device or a pipe is written in place: no file can take its place.
static bool isStream(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         llvm::sys::fs::exists(status) &&
         !llvm::sys::fs::is_regular_file(status) &&
         !llvm::sys::fs::is_directory(status);
}

static llvm::Error writeReport(llvm::ArrayRef<FusionReportEntry> entries,
                               FusionReport form, llvm::raw_fd_ostream &file) {
  (form == FusionReport::JSON ? writeJSON : writeText)(entries, file);
  file.flush();
  std::error_code error = file.error();
  file.clear_error();
  return llvm::errorCodeToError(error);
}

llvm::Error mlafuse::saveFusionReport(llvm::ArrayRef<FusionReportEntry> entries,
                                      FusionReport form, llvm::StringRef path) {
  auto write = [&]() -> llvm::Error {
    if (path != "-" && isStream(path)) {
      std::error_code code;
      llvm::raw_fd_ostream file(path, code);
      return code ? llvm::errorCodeToError(code)
                  : writeReport(entries, form, file);
    }
    // A file is written beside its place and then moved there.
    return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
      return writeReport(entries, form, llvm::cast<llvm::raw_fd_ostream>(os));
    });
  };
  if (llvm::Error error = write())
    return llvm::createStringError(
        "cannot write the fusion report to '" + path +
        "': " + llvm::errorToErrorCode(std::move(error)).message());
  return llvm::Error::success();
}

static std::atomic<FusionReportCollector *> collector = nullptr;

FusionReportCollector::FusionReportCollector() {
  [[maybe_unused]] FusionReportCollector *other = collector.exchange(this);
  assert(!other && "one collector at a time");
}

FusionReportCollector::~FusionReportCollector() { collector = nullptr; }

void FusionReportCollector::add(llvm::ArrayRef<FusionReportEntry> entries) {
  FusionReportCollector *self = collector;
  if (!self)
    return;
  std::lock_guard<std::mutex> lock(self->mutex);
  llvm::append_range(self->entries, entries);
  ++self->numPasses;
}
