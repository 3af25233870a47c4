//===- CheckMessages.cpp - quoted diagnostics -----------------------------===//

#include "Checks.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace mlafuse::doc;

/// All strings of the compiler's sources, each as one, a line each.
static std::string readStrings(const std::string &root) {
  std::string strings;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator it(root, error), end;
       it != end && !error; it.increment(error)) {
    auto buffer = StringRef(it->path()).ends_with(".cpp")
                      ? MemoryBuffer::getFile(it->path())
                      : std::error_code();
    if (!buffer)
      continue;
    SmallVector<StringRef> parts;
    (*buffer)->getBuffer().split(parts, '"');
    // What stands between two strings that are one is blank.
    for (size_t i = 0; i < parts.size(); ++i)
      strings += i % 2 ? parts[i].str() : parts[i].trim().empty() ? "" : "\n";
  }
  return strings;
}

/// The first column of tables that are headed `message` quotes diagnostics,
/// with ... for what differs from one to the next.
bool mlafuse::doc::checkMessages(const Document &document,
                                 const Places &places) {
  std::string strings;
  bool isTable = false, ok = true;
  for (const Line &line : document.prose) {
    StringRef text = line.text;
    isTable =
        text.starts_with("| message |") || (isTable && text.starts_with("|"));
    if (!isTable)
      continue;
    if (strings.empty())
      strings = readStrings(places.source + "/lib");
    for (const std::string &span : getCodeSpans(text.split(" | ").first)) {
      SmallVector<StringRef> pieces;
      StringRef(span).split(pieces, "...");
      for (StringRef piece : pieces)
        if (!StringRef(strings).contains(piece.trim()))
          ok = fail(document, line.number, "no such message: " + span);
    }
  }
  return ok;
}
