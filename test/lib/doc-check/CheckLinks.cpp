//===- CheckLinks.cpp - links and paths -----------------------------------===//

#include "Checks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace mlafuse::doc;

/// The anchor that a heading gets: small letters, blanks as hyphens, no
/// punctuation.
static std::string getAnchor(StringRef heading) {
  std::string anchor;
  for (char c : heading.ltrim('#').trim()) {
    if (isAlnum(c) || c == '-' || c == '_')
      anchor += toLower(c);
    else if (c == ' ')
      anchor += '-';
  }
  return anchor;
}

static bool hasHeading(StringRef path, StringRef anchor) {
  Document document;
  if (!document.read(path))
    return false;
  return any_of(document.prose, [&](const Line &line) {
    return StringRef(line.text).starts_with("#") &&
           getAnchor(line.text) == anchor;
  });
}

static bool checkLink(const Document &document, int line, StringRef target) {
  if (target.starts_with("https://") || target.starts_with("http://"))
    return true;
  auto [file, anchor] = target.split('#');
  SmallString<128> path(document.path);
  if (!file.empty()) {
    sys::path::remove_filename(path);
    sys::path::append(path, file);
  }
  if (!sys::fs::exists(path))
    return fail(document, line, "no such file: " + target.str());
  if (!anchor.empty() && !hasHeading(path, anchor))
    return fail(document, line, "no such heading: " + target.str());
  return true;
}

/// True for what looks like a path from the root of the checkout.
static bool isPath(StringRef span) {
  if (!all_of(span, [](char c) {
        return isAlnum(c) || StringRef("_-./").contains(c);
      }))
    return false;
  for (StringRef root :
       {"include/", "lib/", "tools/", "runtime/", "test/", "examples/",
        "benchmark/", "scripts/", "cmake/", "python-free-docs/"})
    if (span.starts_with(root))
      return true;
  return false;
}

bool mlafuse::doc::checkLinks(const Document &document, const Places &places) {
  bool ok = true;
  for (const Line &line : document.prose) {
    StringRef rest = line.text;
    while (rest.contains("](")) {
      rest = rest.split("](").second;
      ok &= checkLink(document, line.number, rest.split(')').first);
    }
    for (const std::string &span : getCodeSpans(line.text))
      if (isPath(span) && !sys::fs::exists(places.source + "/" + span))
        ok = fail(document, line.number, "no such path: " + span);
  }
  return ok;
}
