//===- CheckCode.cpp - blocks of code ------------------------------------===//

#include "Checks.h"
#include "Fragment.h"
#include "Process.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace mlafuse::doc;

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

static bool checkFused(const Document &document, const Block &before,
                       const Block &after) {
  ProcessResult result =
      runProgram({"mlafuse-opt", "--mlafuse-fuse", "-"}, before.text);
  if (result.status != 0)
    return fail(document, before.line, result.error);
  return StringRef(collapse(result.output)).contains(collapse(after.text)) ||
         fail(document, after.line,
              "this is not what the fusion makes:\n" + result.output);
}

bool mlafuse::doc::checkMLIR(const Document &document, const Places &) {
  bool ok = true;
  const Block *before = nullptr;
  for (const Block &block : document.blocks) {
    if (block.language != "mlir")
      continue;
    if (block.mark == "fused") {
      ok &= before ? checkFused(document, *before, block)
                   : fail(document, block.line, "fused from what?");
      continue;
    }
    before = &block;
    std::string module, error;
    if (!makeModule(block.text, module, error)) {
      ok = fail(document, block.line, error);
      continue;
    }
    ProcessResult result =
        runProgram({"mlafuse-opt", "--verify-roundtrip", "-"}, module);
    if (result.status != 0)
      ok = fail(document, block.line, result.error);
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// Shell
//===----------------------------------------------------------------------===//

/// Fills `scratch` with links to what a checkout holds, and with `build`.
static bool makeCheckout(const Places &places) {
  sys::fs::remove_directories(places.scratch);
  if (sys::fs::create_directories(places.scratch))
    return false;
  std::error_code error;
  for (sys::fs::directory_iterator it(places.source, error), end;
       it != end && !error; it.increment(error)) {
    StringRef name = sys::path::filename(it->path());
    if (!name.starts_with("build") && !name.starts_with("."))
      error = sys::fs::create_link(it->path(), places.scratch + "/" + name);
  }
  return !error &&
         !sys::fs::create_link(places.build, places.scratch + "/build");
}

/// What may stand in a document without being run by its test.
static bool mayStayUnrun(StringRef command) {
  for (StringRef known : {"scripts/demo.sh", "scripts/test.sh", "git clone",
                          "cd ", "apt-get ", "sudo apt-get "})
    if (command.starts_with(known))
      return true;
  // What needs a GPU, or minutes of simulating one.
  for (StringRef part :
       {"=cuda", "=hip", " cuda", " hip", "benchmark/peers/", "amdsim.py ",
        "check_suite.py ", "bundle-cases.sh ", "check-on-device.sh "})
    if (command.contains(part))
      return true;
  return command.empty() || command.starts_with("#");
}

static bool checkUnrun(const Document &document, const Block &block) {
  SmallVector<StringRef> lines;
  std::string text = joinCommands(block.text);
  StringRef(text).split(lines, '\n');
  for (StringRef line : lines)
    if (!mayStayUnrun(line.trim()))
      return fail(document, block.line,
                  "this command must be run: " + line.str());
  return true;
}

bool mlafuse::doc::checkShell(const Document &document, const Places &places) {
  if (!makeCheckout(places))
    return fail(document, 1, "cannot fill " + places.scratch);
  sys::fs::set_current_path(places.scratch);
  bool ok = true;
  std::string output;
  for (const Block &block : document.blocks) {
    if (block.language == "sh" && block.mark == "no-run") {
      ok &= checkUnrun(document, block);
    } else if (block.language == "sh") {
      ProcessResult result =
          runProgram({"bash", "-euo", "pipefail"}, block.text);
      output = collapse(result.output);
      if (result.status != 0)
        ok = fail(document, block.line,
                  "this fails:\n" + block.text + result.output + result.error);
    } else if (block.language == "text" && block.mark == "output" &&
               !StringRef(output).contains(collapse(block.text))) {
      ok = fail(document, block.line,
                "the command before prints something else:\n" + output);
    }
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

bool mlafuse::doc::checkC(const Document &document, const Places &places) {
  bool ok = true;
  std::string include = "-I" + places.source + "/runtime/include";
  for (const Block &block : document.blocks) {
    if (block.language != "c")
      continue;
    ProcessResult result =
        runProgram({places.compiler, "-std=c11", "-Wall", "-Wextra", "-Werror",
                    "-fsyntax-only", include, "-xc", "-"},
                   block.text);
    if (result.status != 0)
      ok = fail(document, block.line, result.error);
  }
  return ok;
}
