//===- CheckNames.cpp - names of what the project has ---------------------===//
//
// A name is right if the project's own sources or the tools' own help have it.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace mlafuse::doc;

namespace {

/// Every match of `pattern` in `text`.
std::vector<std::string> findAll(StringRef text, StringRef pattern) {
  std::vector<std::string> found;
  Regex regex(pattern);
  SmallVector<StringRef> match;
  while (regex.match(text, &match)) {
    found.push_back(match[0].str());
    text = text.substr(match[0].data() + match[0].size() - text.data());
  }
  return found;
}

bool isSource(StringRef path) {
  StringRef name = sys::path::filename(path);
  return name == "CMakeLists.txt" || name == "CMakePresets.json" ||
         name.ends_with(".cmake") || name.ends_with(".td") ||
         name.ends_with(".h") || name.ends_with(".def");
}

/// What the project's headers, TableGen and CMake files say.
class Vocabulary {
public:
  explicit Vocabulary(const Places &places) {
    for (StringRef part :
         {"include", "runtime/include", "cmake", "test/lib", "python-free-docs",
          "tools", "benchmark", "examples"})
      readTree(places.source + "/" + part.str());
    for (StringRef file :
         {"CMakeLists.txt", "CMakePresets.json", "test/CMakeLists.txt",
          "test/lit.cfg.py", "test/Inputs/execution.cfg",
          "runtime/CMakeLists.txt", "runtime/lib/common/CMakeLists.txt",
          "runtime/lib/cpu/CMakeLists.txt", "runtime/cts/CMakeLists.txt"})
      readFile(places.source + "/" + file.str());
    for (StringRef tool : {"mlafuse-opt", "mlafuse-compile", "mlafuse-run",
                           "mlafuse-device-check"}) {
      StringRef help = tool == "mlafuse-opt" ? "--help-hidden" : "--help";
      readHelp({tool, help}, tool);
    }
    for (StringRef script :
         {"demo", "test", "bundle-cases", "check-on-device"}) {
      std::string path = places.source + "/scripts/" + script.str() + ".sh";
      readHelp({"bash", path, "--help"}, path);
    }
    for (StringRef script :
         {"test/lib/amdsim/amdsim.py", "test/lib/ptxsim/ptxsim.py",
          "test/lib/gpu-cases/make_cases.py",
          "test/lib/gpu-cases/check_suite.py",
          "test/lib/gpu-cases/check_golden.py", "benchmark/peers/compare.py",
          "benchmark/peers/attention.py"}) {
      std::string path = places.source + "/" + script.str();
      readHelp({"python3", path, "--help"}, path);
    }
  }

  /// Whether `command` is one whose options are known.
  bool hasCommand(StringRef command) const {
    return options.contains(sys::path::filename(command));
  }
  /// Whether `command` has `option`.
  bool hasOption(StringRef command, StringRef option) const {
    auto known = options.find(sys::path::filename(command));
    return known != options.end() && known->getValue().contains(option);
  }
  /// Whether any command has `option`.
  bool hasOption(StringRef option) const {
    return any_of(options, [&](const auto &command) {
      return command.getValue().contains(option);
    });
  }
  bool hasWord(StringRef word) const { return words.contains(word); }

private:
  void readTree(const std::string &root) {
    std::error_code error;
    for (sys::fs::recursive_directory_iterator it(root, error), end;
         it != end && !error; it.increment(error)) {
      words.insert(sys::path::stem(it->path()));
      if (isSource(it->path()))
        readFile(it->path());
    }
  }

  void readFile(const std::string &path) {
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer)
      return;
    for (const std::string &word :
         findAll((*buffer)->getBuffer(), "[A-Za-z0-9_.-]+"))
      words.insert(StringRef(word).trim('.'));
  }

  void readHelp(ArrayRef<StringRef> command, StringRef name) {
    StringSet<> &known = options[sys::path::filename(name)];
    ProcessResult result = runProgram(command);
    for (const std::string &option :
         findAll(result.output, "--?[a-z][A-Za-z0-9_-]*")) {
      known.insert(option);
      // A pass or a tool may be named without its dashes.
      words.insert(StringRef(option).ltrim('-'));
    }
  }

  StringMap<StringSet<>> options; ///< By command.
  StringSet<> words;
};

/// Names that the project gives.
bool checkWords(const Document &document, int line, StringRef text,
                const Vocabulary &vocabulary) {
  bool ok = true;
  for (StringRef pattern : {"mlafuse-[a-z0-9-]+", "mlafuse_[a-z0-9_]+",
                            "MLAFUSE-F[0-9]+", "MLAFUSE_[A-Z0-9_]+"})
    for (const std::string &word : findAll(text, pattern))
      // An entry's name goes on with the function's.
      if (!vocabulary.hasWord(StringRef(word).rtrim("-")) &&
          !StringRef(word).starts_with("mlafuse_entry_") &&
          !StringRef(word).starts_with("mlafuse_workspace_"))
        ok = fail(document, line, "no such name: " + word);
  // Ops are "mlafuse.x" here and "x" in TableGen; attributes of functions have
  // their whole name in a header.
  for (const std::string &word : findAll(text, "mlafuse\\.[a-z_]+"))
    if (!vocabulary.hasWord(word) &&
        !vocabulary.hasWord(StringRef(word).split('.').second))
      ok = fail(document, line, "no such op or attribute: " + word);
  return ok;
}

/// Options of the project's own commands.
bool checkCommand(const Document &document, int line, StringRef command,
                  const Vocabulary &vocabulary) {
  StringRef first = command.split(' ').first;
  bool isOption = first.starts_with("--");
  if (!isOption && !vocabulary.hasCommand(first))
    return true;
  bool ok = true;
  SmallVector<StringRef> words;
  command.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    StringRef option = word.split('=').first;
    if (!option.starts_with("--") || option.size() == 2)
      continue;
    if (isOption ? !vocabulary.hasOption(option)
                 : !vocabulary.hasOption(first, option))
      ok = fail(document, line, "no such option: " + option.str());
  }
  return ok;
}

bool checkShellBlock(const Document &document, const Block &block,
                     const Vocabulary &vocabulary) {
  std::string text = joinCommands(block.text);
  for (char &c : text)
    if (c == '|' || c == ';' || c == '&')
      c = '\n';
  bool ok = true;
  SmallVector<StringRef> commands;
  StringRef(text).split(commands, '\n');
  for (StringRef command : commands)
    ok &= checkCommand(document, block.line, command.trim(), vocabulary);
  return ok;
}

} // namespace

bool mlafuse::doc::checkNames(const std::vector<Document> &documents,
                              const Places &places) {
  Vocabulary vocabulary(places);
  bool ok = true;
  for (const Document &document : documents) {
    for (const Line &line : document.prose) {
      ok &= checkWords(document, line.number, line.text, vocabulary);
      for (const std::string &span : getCodeSpans(line.text))
        ok &= checkCommand(document, line.number, span, vocabulary);
    }
    for (const Block &block : document.blocks) {
      if (block.language == "mlir" || block.language == "text")
        continue;
      ok &= checkWords(document, block.line, block.text, vocabulary);
      if (block.language == "sh")
        ok &= checkShellBlock(document, block, vocabulary);
    }
  }
  return ok;
}
