//===- Document.h - a text with fenced blocks -------------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DOCCHECK_DOCUMENT_H
#define MLAFUSE_TEST_DOCCHECK_DOCUMENT_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlafuse::doc {

/// A fenced block: "```mlir fused" has the language `mlir` and the mark
/// `fused`.
struct Block {
  int line; ///< Of the opening fence, from 1.
  std::string language, mark;
  std::string text; ///< Without the fence's indentation.
};

/// A line outside of every block.
struct Line {
  int number;
  std::string text;
};

/// A Markdown file, or a TableGen file whose descriptions hold Markdown.
struct Document {
  std::string path;
  std::vector<Block> blocks;
  std::vector<Line> prose;

  bool isMarkdown() const { return llvm::StringRef(path).ends_with(".md"); }

  /// False, with a message, if the file cannot be read or a fence stays open.
  bool read(llvm::StringRef file);
};

/// What stands between backticks in a line of prose.
std::vector<std::string> getCodeSpans(llvm::StringRef line);

/// Prints "FILE:LINE: error: TEXT" and returns false.
bool fail(const Document &document, int line, const std::string &text);

/// The commands of a shell block, with those that go on in another line as one.
std::string joinCommands(llvm::StringRef text);

/// The text with each run of blanks and line ends as one blank.
std::string collapse(llvm::StringRef text);

} // namespace mlafuse::doc

#endif // MLAFUSE_TEST_DOCCHECK_DOCUMENT_H
