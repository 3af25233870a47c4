//===- mlafuse-doc-check.cpp - checks what the documentation says ---------===//

#include "Checks.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace mlafuse::doc;

namespace {
enum class Mode { MLIR, Shell, C, Links, Names };

cl::opt<Mode> mode(
    "check", cl::Required, cl::desc("What to check"),
    cl::values(clEnumValN(Mode::MLIR, "mlir", "mlir blocks parse and verify"),
               clEnumValN(Mode::Shell, "sh", "sh blocks succeed"),
               clEnumValN(Mode::C, "c", "c blocks compile"),
               clEnumValN(Mode::Links, "links", "links and paths exist"),
               clEnumValN(Mode::Names, "names", "what is named exists")));
cl::opt<std::string> source("source", cl::Required, cl::desc("The checkout"));
cl::opt<std::string> build("build", cl::desc("Its build directory"));
cl::opt<std::string> scratch("scratch", cl::desc("Where sh blocks run"));
cl::opt<std::string> compiler("cc", cl::desc("The C compiler"));
cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                            cl::desc("FILE.md FILE.td ..."));

/// Languages and marks of blocks in pages that are written by hand; a misspelt
/// one would go unchecked.
bool checkBlockKinds(const Document &document) {
  if (!document.isMarkdown() ||
      StringRef(document.path).contains("/generated/"))
    return true;
  static constexpr StringLiteral kinds[] = {
      "mlir",        "mlir fused", "sh",    "sh no-run", "text",
      "text output", "c",          "cmake", "json"};
  bool ok = true;
  for (const Block &block : document.blocks) {
    std::string kind = block.language;
    if (!block.mark.empty())
      kind += " " + block.mark;
    if (!is_contained(kinds, StringRef(kind)))
      ok = fail(document, block.line, "unknown kind of block: " + kind);
  }
  return ok;
}

bool checkDocument(const Document &document, const Places &places) {
  switch (mode) {
  case Mode::MLIR:
    return checkMLIR(document, places);
  case Mode::Shell:
    return checkShell(document, places);
  case Mode::C:
    return checkC(document, places);
  case Mode::Links: {
    bool ok = checkBlockKinds(document);
    return checkLinks(document, places) && ok;
  }
  case Mode::Names:
    return checkMessages(document, places);
  }
  llvm_unreachable("unknown mode");
}
} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "checks what the docs say\n");
  Places places{source, build, scratch, compiler};
  bool ok = true;
  std::vector<Document> documents;
  for (const std::string &file : files) {
    // Commands run in another directory.
    SmallString<128> path(file);
    sys::fs::make_absolute(path);
    Document &document = documents.emplace_back();
    ok &= document.read(path) && checkDocument(document, places);
  }
  if (mode == Mode::Names)
    ok &= checkNames(documents, places);
  return ok ? 0 : 1;
}
