//===- Options.h - the command line of mlafuse-compile ----------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_OPTIONS_H
#define MLAFUSE_TOOLS_COMPILE_OPTIONS_H

#include "MLAFuse/Transforms/Passes.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlafuse {

/// What the tool writes, from early to late.
enum class Stage { MLIR, Lowered, LLVM, Object, SharedLibrary };

struct CompileOptions {
  std::string input;  ///< "-": the standard input.
  std::string output; ///< "-": the standard output (text only).
  Stage stage = Stage::SharedLibrary;
  std::string cpu; ///< LLVM's name; empty for the host.
  bool noFuse = false;
  Numerics numerics = Numerics::Exact;
  FusionReport report = FusionReport::None;
  std::string reportFile;
};

/// Parses the command line. Prints help or the version and exits where asked
/// to.
llvm::Expected<CompileOptions> parseOptions(int argc, char **argv);

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_OPTIONS_H
