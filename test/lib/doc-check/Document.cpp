//===- Document.cpp - a text with fenced blocks ---------------------------===//

#include "Document.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlafuse::doc;

bool Document::read(StringRef file) {
  path = file.str();
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer) {
    errs() << file << ": error: " << buffer.getError().message() << "\n";
    return false;
  }
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  bool isOpen = false;
  size_t indent = 0;
  for (auto [i, line] : enumerate(lines)) {
    int number = static_cast<int>(i) + 1;
    StringRef trimmed = line.trim();
    bool isFence = trimmed.consume_front("```");
    if (isFence && isOpen) {
      isOpen = false;
    } else if (isFence) {
      isOpen = true;
      indent = line.find('`');
      auto [language, mark] = trimmed.split(' ');
      blocks.push_back({number, language.str(), mark.trim().str(), ""});
    } else if (isOpen) {
      size_t blanks = std::min(line.find_first_not_of(' '), line.size());
      blocks.back().text +=
          line.drop_front(std::min(indent, blanks)).str() + "\n";
    } else {
      prose.push_back({number, line.str()});
    }
  }
  return isOpen ? fail(*this, blocks.back().line, "this block has no end")
                : true;
}

std::vector<std::string> mlafuse::doc::getCodeSpans(StringRef line) {
  std::vector<std::string> spans;
  SmallVector<StringRef> parts;
  line.split(parts, '`');
  for (size_t i = 1; i < parts.size(); i += 2)
    spans.push_back(parts[i].str());
  return spans;
}

bool mlafuse::doc::fail(const Document &document, int line,
                        const std::string &text) {
  errs() << document.path << ":" << line << ": error: " << text << "\n";
  return false;
}

std::string mlafuse::doc::joinCommands(StringRef text) {
  std::string joined = text.str();
  for (size_t at; (at = joined.find("\\\n")) != std::string::npos;)
    joined.replace(at, 2, " ");
  return joined;
}

std::string mlafuse::doc::collapse(StringRef text) {
  std::string collapsed;
  for (char c : text.trim()) {
    if (!isSpace(c))
      collapsed += c;
    else if (collapsed.back() != ' ')
      collapsed += ' ';
  }
  return collapsed;
}
